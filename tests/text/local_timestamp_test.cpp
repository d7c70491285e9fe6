// SPDX-License-Identifier: MIT
// LocalTimestamp (spec 2.2 consentExpiresAt): `YYYY-MM-DD HH:MM:SS.ffff`, without a zone.
#include <bankhook_catch.hpp>

#include <bankhook/text/timestamp.hpp>
#include <text/support.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>

namespace text_local_timestamp_test {

namespace {

using namespace std::chrono_literals;
using bankhook::Errc;
using bankhook::LocalTimestamp;
using bankhook::test::Choices;
using bankhook::test::ExactText;
using bankhook::test::prints;
using bankhook::test::reads_as_written;
using std::chrono::local_days;
using std::chrono::nanoseconds;

constexpr LocalTimestamp local(std::string_view text) { return LocalTimestamp::parse(text).value(); }

constexpr bool rejected(std::string_view text, Errc fault = Errc::expected_local_timestamp) {
  const auto value = LocalTimestamp::parse(text);
  return !value && value.error() == fault;
}
constexpr bool has_too_many_digits(std::string_view text) { return rejected(text, Errc::fraction_out_of_range); }
constexpr bool does_not_exist(std::string_view text) { return rejected(text, Errc::nonexistent_date_time); }

std::size_t hash(const LocalTimestamp& value) { return std::hash<LocalTimestamp>{}(value); }

static_assert(std::is_trivially_copyable_v<LocalTimestamp> && sizeof(LocalTimestamp) <= 16);

}  // namespace

TEST_CASE("2.2: the end of a consent has a date, a time and fractional seconds") {
  constexpr LocalTimestamp value = local("2024-08-15 13:45:59.1234");
  STATIC_REQUIRE(value.date() == 2024y / 8 / 15);
  STATIC_REQUIRE(value.time_of_day() == 13h + 45min + 59s + 123'400'000ns);
  STATIC_REQUIRE(value.fraction_digits() == 4);
  STATIC_REQUIRE(value.local() == local_days(2024y / 8 / 15) + 13h + 45min + 59s);
  STATIC_REQUIRE(value.subsecond() == 123'400us);
}

TEST_CASE("2.2: the fraction may have 1 to 9 digits and prints with as many") {
  STATIC_REQUIRE(reads_as_written<LocalTimestamp>("2024-08-15 13:45:59.1"));
  STATIC_REQUIRE(reads_as_written<LocalTimestamp>("2024-08-15 13:45:59.10"));
  STATIC_REQUIRE(reads_as_written<LocalTimestamp>("2024-08-15 13:45:59.0000"));
  STATIC_REQUIRE(reads_as_written<LocalTimestamp>("0001-01-01 00:00:00.00000001"));
  STATIC_REQUIRE(reads_as_written<LocalTimestamp>("9999-12-31 23:59:59.999999999"));
  STATIC_REQUIRE(local("2024-08-15 13:45:59.000000001").subsecond() == 1ns);
  STATIC_REQUIRE(has_too_many_digits("2024-08-15 13:45:59.0000000000"));
  STATIC_REQUIRE(has_too_many_digits("2024-08-15 13:45:59.1234567890123456789"));
}

TEST_CASE("2.2: a fraction is required") {
  STATIC_REQUIRE(rejected("2024-08-15 13:45:59"));
  STATIC_REQUIRE(rejected("2024-08-15 13:45:59."));
  STATIC_REQUIRE(rejected("2024-08-15"));
}

TEST_CASE("2.2: no zone is shown, so none is read") {
  STATIC_REQUIRE(rejected("2024-08-15 13:45:59.1234Z"));
  STATIC_REQUIRE(rejected("2024-08-15 13:45:59.1234+02:00"));
  STATIC_REQUIRE(rejected("2024-08-15 13:45:59.1234 "));
}

TEST_CASE("2.2: another form is rejected") {
  for (const std::string_view text :
       {"", " ", "2024-08-15T13:45:59.1234", "2024-08-15  13:45:59.1234", "2024-08-15 13:45.1234",
        "2024-08-15 1:45:59.1234", "2024-08-15 13-45-59.1234", "2024-08-15 13:45:59,1234", "2024-08-15 13:45:59:1234",
        "2024-08-15 13:45:5x.1234", "2024-08-15 13:45:59.12x4", "2024-08-15 13:45:59.+123", "15-08-2024 13:45:59.1234",
        "2024-08-15 1a:45:59.1234"}) {
    CHECK(rejected(text));
  }
}

TEST_CASE("2.2: a moment that does not exist is rejected") {
  STATIC_REQUIRE(does_not_exist("2023-02-29 13:45:59.1234"));
  STATIC_REQUIRE(does_not_exist("2024-13-01 13:45:59.1234"));
  STATIC_REQUIRE(does_not_exist("2024-08-15 24:00:00.0000"));
  STATIC_REQUIRE(does_not_exist("2024-08-15 13:60:00.0000"));
  STATIC_REQUIRE(does_not_exist("0000-08-15 13:00:00.0000"));
  STATIC_REQUIRE(does_not_exist("2024-08-15 23:59:60.0000"));
  STATIC_REQUIRE(does_not_exist("2024-08-15 99:99:99.9999"));
  STATIC_REQUIRE(does_not_exist("2024-02-30 13:45:59.5"));
}

TEST_CASE("local timestamps are equal and ordered by their time, not by their fraction digits") {
  STATIC_REQUIRE(local("2024-08-15 13:45:59.1") == local("2024-08-15 13:45:59.100"));
  STATIC_REQUIRE(local("2024-08-15 13:45:59.1") != local("2024-08-15 13:45:59.101"));
  STATIC_REQUIRE(local("2024-08-15 13:45:59.9") < local("2024-08-15 13:46:00.0"));
  STATIC_REQUIRE(local("2024-08-15 23:59:59.9") < local("2024-08-16 00:00:00.0"));
  STATIC_REQUIRE(local("2024-08-15 13:45:59.2") > local("2024-08-15 13:45:59.10"));
  CHECK(hash(local("2024-08-15 13:45:59.1")) == hash(local("2024-08-15 13:45:59.100")));
  CHECK(hash(local("2024-08-15 13:45:59.1")) != hash(local("2024-08-15 13:45:59.2")));
}

TEST_CASE("a local timestamp is made of a date, a time of day and a number of fraction digits") {
  STATIC_REQUIRE(prints(*LocalTimestamp::make(2024y / 2 / 29, 23h + 1ms, 4), "2024-02-29 23:00:00.0010"));
  STATIC_REQUIRE(LocalTimestamp::make(2024y / 2 / 29, 23h + 1ns, 9).has_value());
  STATIC_REQUIRE(prints(LocalTimestamp(), "0000-00-00 00:00:00.0"));
}

TEST_CASE("a local timestamp that could not be printed exactly is not made") {
  const auto rejects = [](std::chrono::year_month_day date, nanoseconds time, int digits) {
    const auto made = LocalTimestamp::make(date, time, digits);
    return !made && made.error() == Errc::expected_local_timestamp;
  };
  CHECK(rejects(2023y / 2 / 29, 0s, 4));
  CHECK(rejects(10000y / 1 / 1, 0s, 4));
  CHECK(rejects(0y / 1 / 1, 0s, 4));
  CHECK(rejects(-1y / 1 / 1, 0s, 4));
  CHECK(rejects(2024y / 1 / 1, 24h, 4));
  CHECK(rejects(2024y / 1 / 1, -1ns, 4));
  CHECK(rejects(2024y / 1 / 1, 0s, 0));
  CHECK(rejects(2024y / 1 / 1, 0s, 10));
  CHECK(rejects(2024y / 1 / 1, 0s, -1));
  CHECK(rejects(2024y / 1 / 1, 1ms, 2));  // its third digit would be lost
}

TEST_CASE("any local timestamp prints what reads back as the same, counted by the standard library") {
  Choices choices(22);
  for (int round = 0; round < 50'000; ++round) {
    const auto days = local_days(std::chrono::days(choices.between(-719'162, 2'932'896)));  // years 1 to 9999
    const auto digits = static_cast<int>(choices.between(1, 9));
    std::int64_t power = 1;
    for (int i = digits; i < 9; ++i) power *= 10;
    const nanoseconds time(choices.between(0, 86'400'000'000'000 / power - 1) * power);
    const auto whole_seconds = std::chrono::floor<std::chrono::seconds>(time);
    const auto made = LocalTimestamp::make(std::chrono::year_month_day(days), time, digits);
    REQUIRE(made.has_value());
    const ExactText text(to_string(*made));
    REQUIRE(text.view().size() == static_cast<std::size_t>(20 + digits));
    const auto read = LocalTimestamp::parse(text.view());
    const bool same = read && *read == *made && read->fraction_digits() == digits && read->time_of_day() == time &&
                      read->local() == days + whole_seconds && read->subsecond() == time - whole_seconds;
    if (!same) FAIL("differs for " << text.view());
  }
}

TEST_CASE("a local timestamp cut anywhere before its fraction is rejected, and no byte outside is read") {
  const std::string whole = "2024-08-15 13:45:59.123456789";
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CHECK(LocalTimestamp::parse(ExactText(whole.substr(0, size)).view()).has_value() == (size > 20));
  }
}

}  // namespace text_local_timestamp_test
