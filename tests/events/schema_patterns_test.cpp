// SPDX-License-Identifier: MIT
// The patterns of the schemas match a text exactly if it is read: a slip in one of them is a wrong verdict elsewhere.
#include <bankhook_catch.hpp>

#include <bankhook/events/schema.hpp>
#include <bankhook/text/calendar.hpp>
#include <bankhook/text/timestamp.hpp>

#include <chrono>
#include <cstddef>
#include <regex>
#include <string>

namespace events_schema_patterns_test {

using namespace bankhook;

namespace {

/// The pattern of a type, whole and with the escapes of JSON undone.
template <class T>
std::regex pattern_of() {
  std::string text = "^" + detail::pattern_of(detail::json::value_type<T>) + "$";
  for (std::size_t i = text.find("\\\\"); i != std::string::npos; i = text.find("\\\\")) text.erase(i, 1);
  return std::regex(text);
}

bool is_date(const std::string& text) {
  std::chrono::year_month_day date;
  return text.size() == detail::text::date_size && detail::text::scan_date(text.data(), date);
}

std::string two_digits(int number) { return {static_cast<char>('0' + number / 10), static_cast<char>('0' + number % 10)}; }

}  // namespace

TEST_CASE("the pattern of a date matches the days that exist") {
  const std::regex pattern = pattern_of<std::chrono::year_month_day>();
  for (const std::string year : {"0000", "0004", "1900", "2000", "2023", "2024", "2100", "9996", "9999"}) {
    for (int month = 0; month <= 13; ++month) {
      for (const int day : {0, 1, 9, 10, 28, 29, 30, 31, 32}) {
        const std::string text = year + "-" + two_digits(month) + "-" + two_digits(day);
        CAPTURE(text);
        CHECK(std::regex_search(text, pattern) == is_date(text));
      }
    }
  }
}

TEST_CASE("the pattern of a date matches no other form") {
  const std::regex pattern = pattern_of<std::chrono::year_month_day>();
  for (const std::string text : {"", "2026-5-03", "20260503", "2026-05-03 ", " 2026-05-03", "12026-05-03", "2026/05/03"}) {
    CAPTURE(text);
    CHECK_FALSE(std::regex_search(text, pattern));
  }
}

TEST_CASE("the pattern of a local timestamp matches what is read as one") {
  const std::regex pattern = pattern_of<bankhook::LocalTimestamp>();
  for (const std::string day : {"2024-02-29", "2023-02-29", "0000-02-29"}) {
    for (const std::string clock : {"00:00:00", "23:59:59", "24:00:00", "19:60:00", "20:00:60", "9:00:00"}) {
      for (const std::string fraction : {".0", ".0000", ".123456789", ".1234567890", ".", "", ",5"}) {
        const std::string text = day + " " + clock + fraction;
        CAPTURE(text);
        CHECK(std::regex_search(text, pattern) == LocalTimestamp::parse(text).has_value());
      }
    }
  }
}

TEST_CASE("the pattern of a timestamp matches what is read as one") {
  const std::regex pattern = pattern_of<bankhook::Timestamp>();
  for (const std::string begin :
       {"2024-02-29T10:15:30", "0000-02-29T10:15:30", "2023-02-29T10:15:30", "2024-02-29 10:15:30", "2024-02-29T10:15"}) {
    for (const std::string fraction : {"", ".0", ".123456789", ".1234567890", "."}) {
      for (const std::string offset :
           {"Z", "z", "", "+00:00", "-23:59", "+24:00", "+10:60", "+0200", "-02", "+2", "+020"}) {
        const std::string text = begin + fraction + offset;
        CAPTURE(text);
        CHECK(std::regex_search(text, pattern) == Timestamp::parse(text).has_value());
      }
    }
  }
}

}  // namespace events_schema_patterns_test
