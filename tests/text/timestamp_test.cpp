// SPDX-License-Identifier: MIT
// Timestamp (spec 2.4 date): an ISO 8601 date-time, kept as written, with or without an offset, compared by its instant.
#include <bankhook_catch.hpp>

#include <bankhook/text/timestamp.hpp>
#include <text/support.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace text_timestamp_test {

namespace {

using namespace std::chrono_literals;
using bankhook::Errc;
using bankhook::OffsetForm;
using bankhook::Timestamp;
using bankhook::test::Choices;
using bankhook::test::ExactText;
using bankhook::test::prints;
using bankhook::test::reads_as_written;
using std::chrono::nanoseconds;
using std::chrono::sys_days;

constexpr Timestamp timestamp(std::string_view text) { return Timestamp::parse(text).value(); }

constexpr bool rejected(std::string_view text, Errc fault = Errc::expected_timestamp) {
  const auto value = Timestamp::parse(text);
  return !value && value.error() == fault;
}
constexpr bool does_not_exist(std::string_view text) { return rejected(text, Errc::nonexistent_date_time); }

std::size_t hash(const Timestamp& value) { return std::hash<Timestamp>{}(value); }

static_assert(std::is_trivially_copyable_v<Timestamp> && sizeof(Timestamp) <= 16);

}  // namespace

TEST_CASE("2.4: a creation time with an offset names an instant") {
  constexpr Timestamp value = timestamp("2024-05-17T01:30:05.250+02:00");
  STATIC_REQUIRE(value.date() == 2024y / 5 / 17);
  STATIC_REQUIRE(value.time_of_day() == 1h + 30min + 5s + 250ms);
  STATIC_REQUIRE(value.fraction_digits() == 3);
  STATIC_REQUIRE(value.offset() == 120min);
  STATIC_REQUIRE(value.offset_form() == OffsetForm::hours_colon_minutes);
  STATIC_REQUIRE(value.utc() == sys_days(2024y / 5 / 16) + 23h + 30min + 5s);
  STATIC_REQUIRE(value.subsecond() == 250ms);
}

TEST_CASE("2.4: offset and fraction print as they were written") {
  for (const std::string_view text :
       {"2024-05-17T10:00:00Z", "2024-05-17T10:00:00.000Z", "2024-05-17T10:00:00.1Z", "2024-05-17T10:00:00+00:00",
        "2024-05-17T10:00:00-00:00", "2024-05-17T10:00:00+0000", "2024-05-17T10:00:00+02", "2024-05-17T10:00:00-0330",
        "2024-05-17T10:00:00.123456789-11:45", "2024-05-17T10:00:00.12345678+23:59", "0001-01-01T00:00:00+23:59",
        "9999-12-31T23:59:59.999999999-23:59", "2024-05-17T10:00:00-00", "2024-05-17T10:00:00", "2024-05-17T10:00:00.0",
        "2024-05-17T10:00:00.123456789"}) {
    CHECK(reads_as_written<Timestamp>(text));
  }
  STATIC_REQUIRE(reads_as_written<Timestamp>("2024-05-17T10:00:00.123-0330"));
}

TEST_CASE("2.4: a date-time of ISO 8601 needs no offset, and without one it names no instant") {
  constexpr Timestamp value = timestamp("2024-05-17T10:00:00.123");
  STATIC_REQUIRE(value.offset_form() == OffsetForm::none);
  STATIC_REQUIRE_FALSE(value.has_offset());
  STATIC_REQUIRE(value.utc() == std::nullopt);
  STATIC_REQUIRE(value.local() == std::chrono::local_days(2024y / 5 / 17) + 10h);
  STATIC_REQUIRE(value.subsecond() == 123ms);
  STATIC_REQUIRE(rejected("2024-05-17"));
}

TEST_CASE("2.4: a date-time without an offset equals no instant, and is ordered as if its clock were that of UTC") {
  constexpr Timestamp naive = timestamp("2024-05-17T10:00:00");
  STATIC_REQUIRE(naive == timestamp("2024-05-17T10:00:00.0"));
  STATIC_REQUIRE(naive != timestamp("2024-05-17T10:00:00Z"));
  STATIC_REQUIRE(naive != timestamp("2024-05-17T12:00:00+02:00"));
  STATIC_REQUIRE(naive < timestamp("2024-05-17T10:00:00Z"));
  STATIC_REQUIRE(naive < timestamp("2024-05-17T12:00:00+02:00"));
  STATIC_REQUIRE(naive > timestamp("2024-05-17T11:59:59.999+02:00"));
  STATIC_REQUIRE(timestamp("2024-05-17T09:59:59.9") < naive);
  STATIC_REQUIRE(naive < timestamp("2024-05-17T10:00:00.1"));
  CHECK(hash(naive) == hash(timestamp("2024-05-17T10:00:00.000")));
}

TEST_CASE("2.4: the calendar has no year 0") {
  STATIC_REQUIRE(does_not_exist("0000-01-01T00:00:00Z"));
  STATIC_REQUIRE(does_not_exist("0000-12-31T23:59:59.999Z"));
  STATIC_REQUIRE(does_not_exist("0000-12-31T23:59:59"));
}

TEST_CASE("2.4: an offset has at most 23 hours and 59 minutes") {
  STATIC_REQUIRE(timestamp("2024-05-17T10:00:00+23:59").offset() == 1439min);
  STATIC_REQUIRE(timestamp("2024-05-17T10:00:00-2359").offset() == -1439min);
  STATIC_REQUIRE(rejected("2024-05-17T10:00:00+24:00"));
  STATIC_REQUIRE(rejected("2024-05-17T10:00:00+24"));
  STATIC_REQUIRE(rejected("2024-05-17T10:00:00-02:60"));
}

TEST_CASE("2.4: another form is rejected") {
  for (const std::string_view text : {"",
                                      "Z",
                                      "2024-05-17 10:00:00Z",
                                      "2024-05-17t10:00:00Z",
                                      "2024-05-17T10:00:00z",
                                      "2024-05-17T10:00Z",
                                      "20240517T100000Z",
                                      "2024-W20-5T10:00:00Z",
                                      "2024-05-17T10:00:00.Z",
                                      "2024-05-17T10:00:00,5Z",
                                      "2024-05-17T10:00:00.1234567890Z",
                                      "2024-05-17T10:00:00 Z",
                                      "2024-05-17T10:00:00ZZ",
                                      "2024-05-17T10:00:00Z ",
                                      "2024-05-17T10:00:00+2",
                                      "2024-05-17T10:00:00+020",
                                      "2024-05-17T10:00:00+2:00",
                                      "2024-05-17T10:00:00+02:0",
                                      "2024-05-17T10:00:00+02:00:00",
                                      "2024-05-17T10:00:00+02-00",
                                      "2024-05-17T10:00:00+a2:00",
                                      "2024-05-17T10:00:00+0x:00",
                                      "2024-05-17T10:00:00+02:x0",
                                      "2024-05-17T10:00:00+02:0x",
                                      "2024-05-17T10:00:00+",
                                      "2024-05-17T10:00:00*02:00",
                                      "2024-05-17T10:00:00.5+02:00[Europe/Paris]",
                                      "1715940000"}) {
    CHECK(rejected(text));
  }
}

TEST_CASE("2.4: a moment that does not exist is rejected") {
  STATIC_REQUIRE(does_not_exist("2023-02-29T10:00:00Z"));
  STATIC_REQUIRE(does_not_exist("2024-05-17T24:00:00Z"));
  STATIC_REQUIRE(does_not_exist("2024-05-17T10:60:00Z"));
  STATIC_REQUIRE(does_not_exist("2016-12-31T23:59:60Z"));
  STATIC_REQUIRE(does_not_exist("2016-12-31T23:59:60.123456789+02:00"));
  STATIC_REQUIRE(rejected("2016-12-31T23:59:60+24:00"));
  STATIC_REQUIRE(rejected("2016-12-31T23:59:60.Z"));
}

TEST_CASE("timestamps are equal and ordered by their instant") {
  STATIC_REQUIRE(timestamp("2024-05-17T10:00:00Z") == timestamp("2024-05-17T12:00:00+02:00"));
  STATIC_REQUIRE(timestamp("2024-05-17T10:00:00.10Z") == timestamp("2024-05-17T10:00:00.1Z"));
  STATIC_REQUIRE(timestamp("2024-05-17T10:00:00Z") == timestamp("2024-05-17T10:00:00.0-00:00"));
  STATIC_REQUIRE(timestamp("2024-05-17T23:30:00-01:00") == timestamp("2024-05-18T00:30:00Z"));
  STATIC_REQUIRE(timestamp("2024-05-17T10:00:00Z") != timestamp("2024-05-17T10:00:00+02:00"));
  STATIC_REQUIRE(timestamp("2024-05-17T11:00:00+02:00") < timestamp("2024-05-17T10:00:00Z"));
  STATIC_REQUIRE(timestamp("2024-05-17T12:00:00.2+02:00") > timestamp("2024-05-17T10:00:00.1Z"));
  STATIC_REQUIRE(timestamp("2024-05-17T10:00:00.9Z") < timestamp("2024-05-17T10:00:01Z"));
}

TEST_CASE("timestamps of one instant have one hash") {
  CHECK(hash(timestamp("2024-05-17T10:00:00Z")) == hash(timestamp("2024-05-17T12:00:00.000+02")));
  CHECK(hash(timestamp("2024-05-17T10:00:00Z")) != hash(timestamp("2024-05-17T10:00:01Z")));
}

TEST_CASE("instants before the year 1 and after 9999 can be named by an offset") {
  STATIC_REQUIRE(timestamp("0001-01-01T00:00:00+01:00").utc() == sys_days(0y / 12 / 31) + 23h);
  STATIC_REQUIRE(timestamp("9999-12-31T23:30:00-01:00").utc() == sys_days(10000y / 1 / 1) + 30min);
}

TEST_CASE("a timestamp is made of its parts") {
  STATIC_REQUIRE(prints(*Timestamp::make(2024y / 2 / 29, 23h, 0, 0min, OffsetForm::z), "2024-02-29T23:00:00Z"));
  STATIC_REQUIRE(prints(*Timestamp::make(2024y / 2 / 29, 23h + 5ms, 3, -90min), "2024-02-29T23:00:00.005-01:30"));
  STATIC_REQUIRE(prints(*Timestamp::make(2024y / 2 / 29, 23h, 1, 9h, OffsetForm::hours), "2024-02-29T23:00:00.0+09"));
  STATIC_REQUIRE(prints(*Timestamp::make(2024y / 2 / 29, 23h, 0, 0min), "2024-02-29T23:00:00+00:00"));
  STATIC_REQUIRE(prints(*Timestamp::make(2024y / 2 / 29, 23h, 0, 0min, OffsetForm::none), "2024-02-29T23:00:00"));
  STATIC_REQUIRE(prints(Timestamp(), "0000-00-00T00:00:00Z"));
}

TEST_CASE("a timestamp that could not be printed exactly is not made") {
  const auto rejects = [](std::chrono::year_month_day date, nanoseconds time, int digits, std::chrono::minutes offset,
                          OffsetForm form) {
    const auto made = Timestamp::make(date, time, digits, offset, form);
    return !made && made.error() == Errc::expected_timestamp;
  };
  CHECK(rejects(2023y / 2 / 29, 0s, 0, 0min, OffsetForm::z));
  CHECK(rejects(2024y / 1 / 1, 24h, 0, 0min, OffsetForm::z));
  CHECK(rejects(2024y / 1 / 1, 1ns, 8, 0min, OffsetForm::z));
  CHECK(rejects(2024y / 1 / 1, 0s, 10, 0min, OffsetForm::z));
  CHECK(rejects(2024y / 1 / 1, 0s, 0, 1min, OffsetForm::z));
  CHECK(rejects(2024y / 1 / 1, 0s, 0, 1min, OffsetForm::none));
  CHECK(rejects(0y / 1 / 1, 0s, 0, 0min, OffsetForm::z));
  CHECK(rejects(2024y / 1 / 1, 0s, 0, 90min, OffsetForm::hours));
  CHECK(rejects(2024y / 1 / 1, 0s, 0, 24h, OffsetForm::hours_minutes));
  CHECK(rejects(2024y / 1 / 1, 0s, 0, -24h, OffsetForm::hours_colon_minutes));
}

TEST_CASE("any timestamp prints what reads back as the same instant, counted by the standard library") {
  Choices choices(24);
  for (int round = 0; round < 50'000; ++round) {
    const auto days = sys_days(std::chrono::days(choices.between(-719'162, 2'932'896)));  // years 1 to 9999
    const auto digits = static_cast<int>(choices.between(0, 9));
    std::int64_t power = 1;
    for (int i = digits; i < 9; ++i) power *= 10;
    const nanoseconds time(choices.between(0, 86'400'000'000'000 / power - 1) * power);
    const auto form = static_cast<OffsetForm>(choices.between(0, 4));
    const bool has_no_digits = form == OffsetForm::z || form == OffsetForm::none;
    const std::chrono::minutes offset(has_no_digits               ? 0
                                      : form == OffsetForm::hours ? choices.between(-23, 23) * 60
                                                                  : choices.between(-1439, 1439));
    const auto whole_seconds = std::chrono::floor<std::chrono::seconds>(time);
    const auto made = Timestamp::make(std::chrono::year_month_day(days), time, digits, offset, form);
    REQUIRE(made.has_value());
    const ExactText text(to_string(*made));
    const auto read = Timestamp::parse(text.view());
    const bool same = read && *read == *made && read->fraction_digits() == digits && read->offset_form() == form &&
                      read->has_offset() == (form != OffsetForm::none) &&
                      (!read->has_offset() || read->utc() == days + whole_seconds - offset) &&
                      read->subsecond() == time - whole_seconds && prints(*read, text.view());
    if (!same) FAIL("differs for " << text.view());
  }
}

TEST_CASE("order and hash are those of the instants") {
  Choices choices(25);
  const auto any = [&] {
    const auto day = std::chrono::year_month_day(sys_days(2024y / 5 / 17) + std::chrono::days(choices.between(0, 1)));
    const auto time = choices.between(0, 23) * 1h + choices.between(0, 1) * 1ms;
    if (choices.between(0, 4) == 0) return *Timestamp::make(day, time, 3, 0min, OffsetForm::none);
    return *Timestamp::make(day, time, 3, choices.between(-23, 23) * 1h);
  };
  for (int round = 0; round < 20'000; ++round) {
    const Timestamp left = any();
    const Timestamp right = any();
    const auto place = [](const Timestamp& value) {
      return std::pair(value.local() - value.offset() + value.subsecond(), value.has_offset());
    };
    const bool same = (left < right) == (place(left) < place(right)) && (left == right) == (place(left) == place(right)) &&
                      (left != right || hash(left) == hash(right));
    if (!same) FAIL("differs for " << to_string(left) << " and " << to_string(right));
  }
  SUCCEED();
}

TEST_CASE("a timestamp that is cut is read where it has a form, and no byte outside is read") {
  const std::string whole = "2024-05-17T10:00:00.123456789+02:30";
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const bool complete_offset = size == 32;  // +02; at 34 there is half a minute
    const bool no_offset = size == 19 || (size > 20 && size < 30);
    CHECK(Timestamp::parse(ExactText(whole.substr(0, size)).view()).has_value() == (complete_offset || no_offset));
  }
}

}  // namespace text_timestamp_test
