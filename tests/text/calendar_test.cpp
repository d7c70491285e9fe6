// SPDX-License-Identifier: MIT
// Calendar dates `YYYY-MM-DD` (spec 2.2 transactionsEligibleFromDate, 2.4 transactionDate).
#include <bankhook_catch.hpp>

#include <bankhook/text/calendar.hpp>
#include <text/support.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace text_calendar_test {

namespace {

using namespace std::chrono_literals;
using bankhook::Errc;
using bankhook::detail::text::parse_date;
using bankhook::detail::text::print_date;
using bankhook::test::ExactText;
using std::chrono::sys_days;
using std::chrono::year_month_day;

constexpr bool rejected(std::string_view text, Errc fault = Errc::expected_date) {
  const auto date = parse_date(text);
  return !date && date.error() == fault;
}
constexpr bool does_not_exist(std::string_view text) { return rejected(text, Errc::nonexistent_date_time); }

constexpr bool prints(year_month_day date, std::string_view expected) {
  char buffer[bankhook::detail::text::date_size]{};
  return std::string_view(buffer, print_date(date, buffer)) == expected;
}

}  // namespace

TEST_CASE("2.2, 2.4: a date has the form YYYY-MM-DD") {
  STATIC_REQUIRE(parse_date("2024-05-17") == 2024y / 5 / 17);
  STATIC_REQUIRE(parse_date("0001-01-01") == 1y / 1 / 1);
  STATIC_REQUIRE(parse_date("9999-12-31") == 9999y / 12 / 31);
}

TEST_CASE("2.2, 2.4: another form is rejected") {
  for (const std::string_view text :
       {"",           "2024",       "2024-5-17",  "2024-05-1",  "2024-05-171", "2024-05-17 ", " 2024-05-17",
        "24-05-17",   "2024/05/17", "20240517",   "17-05-2024", "2024-05-17T", "+024-05-17",  "-024-05-17",
        "2024-05-1x", "202a-05-17", "2024--5-17", "2024-05--7", "2024-05+17",  "2024_05-17",  "2024-05-17T10:00:00Z",
        "2024:05:17", "2024-0:-17"}) {
    CHECK(rejected(text));
  }
  STATIC_REQUIRE(rejected({"2024-05-1\0", 10}));
  STATIC_REQUIRE(rejected("\xD9\xA2\xD9\xA0\xD9\xA2\xD9\xA4-5"));  // digits, but not of ASCII
}

TEST_CASE("30 February is no date, and other months end where they end") {
  STATIC_REQUIRE(does_not_exist("2024-02-30"));
  STATIC_REQUIRE(does_not_exist("2024-04-31"));
  STATIC_REQUIRE(does_not_exist("2024-06-31"));
  STATIC_REQUIRE(does_not_exist("2024-01-32"));
  STATIC_REQUIRE(does_not_exist("2024-01-00"));
  STATIC_REQUIRE(does_not_exist("2024-00-01"));
  STATIC_REQUIRE(does_not_exist("2024-13-01"));
}

TEST_CASE("29 February exists in leap years only") {
  STATIC_REQUIRE(parse_date("2024-02-29").has_value());
  STATIC_REQUIRE(does_not_exist("2023-02-29"));
  STATIC_REQUIRE(does_not_exist("1900-02-29"));
  STATIC_REQUIRE(parse_date("2000-02-29").has_value());
  STATIC_REQUIRE(does_not_exist("2100-02-29"));
  STATIC_REQUIRE(parse_date("0004-02-29").has_value());
}

TEST_CASE("the calendar has no year 0") {
  STATIC_REQUIRE(does_not_exist("0000-01-01"));
  STATIC_REQUIRE(does_not_exist("0000-02-29"));
  STATIC_REQUIRE(does_not_exist("0000-12-31"));
  CHECK_FALSE(bankhook::detail::text::is_writable_date(0y / 1 / 1));
}

TEST_CASE("a date prints in ten characters") {
  STATIC_REQUIRE(prints(2024y / 5 / 7, "2024-05-07"));
  STATIC_REQUIRE(prints(7y / 12 / 31, "0007-12-31"));
}

TEST_CASE("a date without such a form prints ten characters that no reader takes for another date") {
  CHECK(prints(12345y / 1 / 2, "0000-01-02"));
  CHECK(prints(year_month_day(-1y, std::chrono::month(255), std::chrono::day(255)), "0000-00-00"));
  CHECK(prints(year_month_day(2026y, std::chrono::month(101), std::chrono::day(3)), "2026-00-03"));
  CHECK(prints(2026y / 2 / 31, "2026-02-31"));
  CHECK_FALSE(bankhook::detail::text::is_writable_date(12345y / 1 / 2));
  CHECK_FALSE(bankhook::detail::text::is_writable_date(-1y / 1 / 2));
  CHECK_FALSE(bankhook::detail::text::is_writable_date(2023y / 2 / 29));
}

TEST_CASE("every day of the years 1 to 9999 reads and prints as the calendar of the standard library counts it") {
  std::size_t wrong = 0;
  char text[bankhook::detail::text::date_size];
  for (sys_days day = 1y / 1 / 1; day <= sys_days(9999y / 12 / 31); day += std::chrono::days(1)) {
    print_date(day, text);
    const auto date = parse_date({text, sizeof text});
    if (!date || sys_days(*date) != day) ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("of all months and days of two digits, those of the calendar are read and no others") {
  std::size_t wrong = 0;
  for (const int year : {1899, 1900, 1999, 2000, 2023, 2024, 2100}) {
    for (unsigned month_day = 0; month_day < 10'000; ++month_day) {
      const unsigned month = month_day / 100;
      const unsigned day = month_day % 100;
      const auto pair = [](unsigned value) { return std::string(value < 10 ? 1 : 0, '0') + std::to_string(value); };
      const bool exists = (std::chrono::year(year) / static_cast<int>(month) / static_cast<int>(day)).ok();
      const auto date = parse_date(std::to_string(year) + "-" + pair(month) + "-" + pair(day));
      if (date.has_value() != exists || (date && unsigned(date->day()) != day)) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("a date with any one byte changed has another date's form or none, and no byte outside is read") {
  const std::string date = "2024-05-17";
  for (std::size_t at = 0; at < date.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = date;
      changed[at] = static_cast<char>(byte);
      const bool has_form = date[at] == '-' ? byte == '-' : byte >= '0' && byte <= '9';
      const ExactText exact(changed);
      const auto read = parse_date(exact.view());
      if (read && (!has_form || !prints(*read, changed))) FAIL("read byte " << byte << " at " << at);
    }
    CHECK(rejected(ExactText(date.substr(0, at)).view()));
  }
}

}  // namespace text_calendar_test
