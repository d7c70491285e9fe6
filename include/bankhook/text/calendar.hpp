// SPDX-License-Identifier: MIT
// Calendar dates `YYYY-MM-DD` (spec 2.2 transactionsEligibleFromDate, 2.4 transactionDate): checked, read and printed.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/text/digits.hpp>
#include <bankhook/text/eight_bytes.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string_view>

namespace bankhook::text {

inline constexpr std::size_t date_size = 10;

/// The proleptic Gregorian calendar with the years that four digits spell.
[[nodiscard]] BANKHOOK_INLINE constexpr bool is_writable_date(std::chrono::year_month_day date) {
  const int year = static_cast<int>(date.year());
  return year >= 0 && year <= 9999 && date.ok();
}

/// Eight characters of the form `form`, in which `0` stands for a digit and all else for itself, as pairs of digits: the
/// byte i of the result is the value of the digits at i and i+1. False if the characters have another form.
template <char... form>
  requires(sizeof...(form) == 8)
[[nodiscard]] BANKHOOK_INLINE constexpr bool scan_form(const char* p, std::uint64_t& digit_pairs) {
  constexpr char characters[] = {form...};
  constexpr std::uint64_t blank = load8(characters);
  constexpr std::uint64_t fixed = above_nine(digit_values(blank)) / 0x80 * 0xFF;
  const std::uint64_t values = load8(p) ^ blank;
  digit_pairs = values * 10 + (values >> 8);
  return (above_nine(values) | (values & fixed)) == 0;
}

/// The pair of digits that begins at the place `index` of the form.
[[nodiscard]] BANKHOOK_INLINE constexpr unsigned pair_at(std::uint64_t digit_pairs, unsigned index) {
  return static_cast<unsigned>(digit_pairs >> 8 * index & 0xFF);
}

/// Whether the month has such a day; leap years as the Gregorian calendar has them.
[[nodiscard]] BANKHOOK_INLINE constexpr bool is_date(unsigned year, unsigned month, unsigned day) {
  if (month - 1 > 11 || day - 1 > 30) return false;
  if (day <= 28) [[likely]]
    return true;
  if (month == 2) return day == 29 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  constexpr unsigned long_months = 0b1010'1101'0101'0;  // a bit a month, from January at bit 1 on
  return day <= 30 || (long_months >> month & 1) != 0;
}

/// Reads the ten bytes at `p`, all of which must be readable; false if they are no date of the calendar.
[[nodiscard]] BANKHOOK_INLINE constexpr bool scan_date(const char* p, std::chrono::year_month_day& out) {
  std::uint64_t pairs = 0;
  if (!scan_form<'0', '0', '0', '0', '-', '0', '0', '-'>(p, pairs) || !is_digit(p[8]) || !is_digit(p[9])) return false;
  const unsigned year = pair_at(pairs, 0) * 100 + pair_at(pairs, 2);
  const unsigned month = pair_at(pairs, 5);
  const auto day = static_cast<unsigned>((p[8] - '0') * 10 + (p[9] - '0'));
  out = {std::chrono::year(static_cast<int>(year)), std::chrono::month(month), std::chrono::day(day)};
  return is_date(year, month, day);
}

/// Exactly `YYYY-MM-DD` in ASCII digits, years 0000 to 9999, and a date that the calendar has (no 30 February, 29 February
/// in leap years only); else `expected_date`.
[[nodiscard]] BANKHOOK_INLINE constexpr std::expected<std::chrono::year_month_day, Errc> parse_date(std::string_view text) {
  std::chrono::year_month_day date;
  if (text.size() != date_size || !scan_date(text.data(), date)) [[unlikely]] {
    return std::unexpected(Errc::expected_date);
  }
  return date;
}

/// Prints `YYYY-MM-DD`, always ten bytes. Years outside 0000 to 9999 have no such form: check `is_writable_date` where
/// a date was not parsed; of such a year the last four digits are printed.
BANKHOOK_INLINE constexpr char* print_date(std::chrono::year_month_day date, char* out) {
  const auto year = static_cast<unsigned>(magnitude_of(static_cast<int>(date.year())));
  out = print_pair(year / 100, out);
  out = print_pair(year, out);
  *out++ = '-';
  out = print_pair(static_cast<unsigned>(date.month()), out);
  *out++ = '-';
  return print_pair(static_cast<unsigned>(date.day()), out);
}

}  // namespace bankhook::text
