// SPDX-License-Identifier: MIT
// What a value with a form of its own in quotes offers; calendar dates `YYYY-MM-DD` (spec 2.2, 2.4).
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/text/number.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string_view>
#include <type_traits>

namespace bankhook { inline namespace BANKHOOK_ABI {

/// A value that is written in quotes in a form of its own: `"2026-03-01T10:00:00Z"`. It has
/// - `static constexpr Errc form_error`: what is wrong if a text does not have the form;
/// - `static bool scan(std::string_view text, T& out)`: whether `text` has the form; `out` is a new one;
/// - `static constexpr std::size_t max_printed` and `char* print(char* out) const`, which writes at most as many bytes and
///   returns the position after them;
/// - if not all texts that it rejects are wrong in the same way: `static Errc fault_of(std::string_view text)`;
/// - if most texts have one length: `fast_size` and `static bool scan_usual(const char* p, T& out)`, which reads so
///   many bytes, before the end of the text is looked for;
/// - for schemas, if there is one: `static constexpr FixedString pattern`, a regular expression that matches the form,
///   as JSON writes it, for a grammar that ECMA-262, RE2, Rust and Python share.
template <class T>
concept QuotedForm = !std::is_aggregate_v<T> && requires(const T& value, T& out, std::string_view text, char* to) {
  { T::form_error } -> std::convertible_to<Errc>;
  { T::max_printed } -> std::convertible_to<std::size_t>;
  { T::scan(text, out) } -> std::same_as<bool>;
  { value.print(to) } -> std::same_as<char*>;
};

namespace detail { namespace text {

/// Digits by their pairs: byte i is the number that the digits at i and i+1 spell; a byte that is not a digit counts as 0.
using DigitPairs = std::uint64_t;

/// The number of the two digits at the place `index` of the form.
[[nodiscard]] BANKHOOK_INLINE constexpr unsigned pair_at(DigitPairs pairs, unsigned index) {
  return static_cast<unsigned>(pairs >> 8 * index & 0xFF);
}

/// Reads the eight characters at `p`; false if they have another form. In `form` a digit stands for itself and all below
/// it, anything else for itself: `29:59:59`.
template <FixedString form>
  requires(form.size() == 8)
[[nodiscard]] BANKHOOK_INLINE constexpr bool scan_form(const char* p, DigitPairs& pairs) {
  constexpr auto parts = [] {
    std::array<char, 8> blank{};
    std::array<char, 8> room{};  // how far each byte is from the highest bit where it has its largest value
    for (std::size_t i = 0; i < 8; ++i) {
      const char c = form.characters[i];
      blank[i] = is_digit(c) ? '0' : c;
      room[i] = static_cast<char>(0x7F - (is_digit(c) ? c - '0' : 0));
    }
    return std::array{load8(blank.data()), load8(room.data())};
  }();
  const std::uint64_t values = load8(p) ^ parts[0];
  pairs = values * 10 + (values >> 8);
  // A sum carries only from a byte above 0x7F, which counts itself.
  return (((values + parts[1]) | values) & high_bits) == 0;
}

/// Whether `text` begins with `form`, in which a 9 stands for any digit. What the digits name need not exist.
[[nodiscard]] constexpr bool begins_with_form(std::string_view text, std::string_view form) {
  const auto fits = [](char sought, char c) { return sought == '9' ? is_digit(c) : c == sought; };
  return text.size() >= form.size() && std::equal(form.begin(), form.end(), text.begin(), fits);
}

inline constexpr std::size_t date_size = 10;

/// The proleptic Gregorian calendar with the years that four digits can spell, without a year 0.
[[nodiscard]] BANKHOOK_INLINE constexpr bool is_writable_date(std::chrono::year_month_day date) {
  const int year = static_cast<int>(date.year());
  return year >= 1 && year <= 9999 && date.ok();
}

/// Days by the month's number; two digits of which the first is at most 1 spell no more than 19.
inline constexpr std::array<std::uint8_t, 20> longest_months{0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

/// The date whose first eight characters are `pairs` of the form `9999-19-`; false if the calendar has none. Compilers keep
/// `ok()` of a date out of line.
[[nodiscard]] BANKHOOK_INLINE constexpr bool make_date(DigitPairs pairs, unsigned day, std::chrono::year_month_day& out) {
  const unsigned year = pair_at(pairs, 0) * 100 + pair_at(pairs, 2);
  const unsigned month = pair_at(pairs, 5);
  out = {std::chrono::year(static_cast<int>(year)), std::chrono::month(month), std::chrono::day(day)};
  const bool is_leap_day = month == 2 && day == 29;
  return day - 1 < longest_months[month] && year != 0 && (!is_leap_day || out.year().is_leap());
}

/// Reads the ten bytes at `p`, all of which must be readable; false if they are no date of the calendar.
[[nodiscard]] BANKHOOK_INLINE constexpr bool scan_date(const char* p, std::chrono::year_month_day& out) {
  DigitPairs pairs = 0;
  if (!scan_form<"9999-19-">(p, pairs) || !is_digit(p[8]) || !is_digit(p[9])) return false;
  return make_date(pairs, static_cast<unsigned>((p[8] - '0') * 10 + (p[9] - '0')), out);
}

/// Why a text is not a date: `nonexistent_date_time` if it has the form, and the calendar has no such day; else
/// `expected_date`.
[[nodiscard]] BANKHOOK_COLD constexpr Errc fault_of_date(std::string_view text) {
  const bool has_form = text.size() == date_size && begins_with_form(text, "9999-99-99");
  return has_form ? Errc::nonexistent_date_time : Errc::expected_date;
}

/// Exactly `YYYY-MM-DD` in ASCII digits, years 0001 to 9999, and a date that the calendar has (no 30 February, 29 February
/// in leap years only); else what `fault_of_date` says.
[[nodiscard]] BANKHOOK_INLINE constexpr std::expected<std::chrono::year_month_day, Errc> parse_date(std::string_view text) {
  std::chrono::year_month_day date;
  if (text.size() == date_size && scan_date(text.data(), date)) return date;
  return std::unexpected(fault_of_date(text));
}

/// Prints `YYYY-MM-DD`, always ten bytes. A date that is not `is_writable_date` prints as one that `parse_date` rejects:
/// a year outside 0001 to 9999 as `0000`, a month or day of three digits as `00`.
BANKHOOK_INLINE constexpr char* print_date(std::chrono::year_month_day date, char* out) {
  auto year = static_cast<unsigned>(static_cast<int>(date.year()));  // a negative one becomes a large one
  if (year > 9999) year = 0;
  out = print_pair(year / 100, out);
  out = print_pair(year % 100, out);
  *out++ = '-';
  out = print_pair(static_cast<unsigned>(date.month()), out);
  *out++ = '-';
  return print_pair(static_cast<unsigned>(date.day()), out);
}

/// `YYYY-MM-DD`, one character, `HH:MM:SS`.
inline constexpr std::size_t date_time_size = date_size + 1 + 8;
/// A fraction is kept to the nanosecond; more digits are rejected, never dropped.
inline constexpr std::size_t max_fraction_digits = 9;

/// A moment as a calendar and a clock show it.
struct DateTime {
  std::chrono::year_month_day date{};  ///< none, until it is set: nothing else would show that it was forgotten
  std::uint8_t hour = 0;
  std::uint8_t minute = 0;
  std::uint8_t second = 0;
  std::uint8_t fraction_digits = 0;
  std::uint32_t nanosecond = 0;

  [[nodiscard]] constexpr std::chrono::seconds whole_seconds() const {
    return std::chrono::hours(hour) + std::chrono::minutes(minute) + std::chrono::seconds(second);
  }
};

}}  // namespace detail::text
}}  // namespace bankhook::BANKHOOK_ABI
