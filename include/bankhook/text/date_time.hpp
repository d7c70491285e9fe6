// SPDX-License-Identifier: MIT
// The part that both date-time forms share: a date, a separator, the time of day and a fraction as it was written.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/text/calendar.hpp>
#include <bankhook/text/digits.hpp>
#include <bankhook/text/eight_bytes.hpp>

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace bankhook::inline BANKHOOK_ABI::text {

/// `YYYY-MM-DD`, one character, `HH:MM:SS`.
inline constexpr std::size_t date_time_size = date_size + 1 + 8;
/// A fraction is kept to the nanosecond; more digits are rejected, never dropped.
inline constexpr int max_fraction_digits = 9;

/// A moment as a calendar and a clock show it. Ordered by that moment: `.10` equals `.1`.
struct DateTime {
  std::chrono::year_month_day date{std::chrono::year(1970), std::chrono::January, std::chrono::day(1)};
  std::uint8_t hour = 0;
  std::uint8_t minute = 0;
  std::uint8_t second = 0;
  std::uint8_t fraction_digits = 0;
  std::uint32_t nanosecond = 0;

  [[nodiscard]] constexpr std::chrono::seconds whole_seconds() const {
    return std::chrono::hours(hour) + std::chrono::minutes(minute) + std::chrono::seconds(second);
  }
  [[nodiscard]] constexpr std::chrono::nanoseconds time_of_day() const {
    return whole_seconds() + std::chrono::nanoseconds(nanosecond);
  }
  /// Seconds since the start of 1970-01-01 on the same calendar and clock.
  [[nodiscard]] constexpr std::chrono::seconds since_1970() const {
    return std::chrono::sys_days(date).time_since_epoch() + whole_seconds();
  }

  friend constexpr std::weak_ordering operator<=>(const DateTime& left, const DateTime& right) {
    if (const auto by_date = left.date <=> right.date; by_date != 0) return by_date;
    return left.time_of_day() <=> right.time_of_day();
  }
  friend constexpr bool operator==(const DateTime& left, const DateTime& right) { return (left <=> right) == 0; }
};

/// Puts a `DateTime` together. False if the form cannot hold it exactly: no such date, a year beyond four digits, a
/// time that is not inside a day, or a fraction with more digits than `fraction_digits` (0 to 9).
[[nodiscard]] constexpr bool make_date_time(std::chrono::year_month_day date, std::chrono::nanoseconds time_of_day,
                                            int fraction_digits, DateTime& out) {
  using namespace std::chrono;
  if (!is_writable_date(date) || time_of_day < nanoseconds(0) || time_of_day >= days(1)) return false;
  if (fraction_digits < 0 || fraction_digits > max_fraction_digits) return false;
  const hh_mm_ss clock(time_of_day);
  const auto nanosecond = static_cast<std::uint32_t>(clock.subseconds().count());
  if (nanosecond % powers_of_ten[static_cast<std::size_t>(max_fraction_digits - fraction_digits)] != 0) return false;
  out = {.date = date,
         .hour = static_cast<std::uint8_t>(clock.hours().count()),
         .minute = static_cast<std::uint8_t>(clock.minutes().count()),
         .second = static_cast<std::uint8_t>(clock.seconds().count()),
         .fraction_digits = static_cast<std::uint8_t>(fraction_digits),
         .nanosecond = nanosecond};
  return true;
}

}  // namespace bankhook::inline BANKHOOK_ABI::text

namespace bankhook::inline BANKHOOK_ABI::text::detail {

/// The eight bytes `HH:MM:SS` at `p`. A day has neither a second 60 nor an hour 24 here.
[[nodiscard]] BANKHOOK_INLINE constexpr bool scan_clock(const char* p, DateTime& out) {
  DigitPairs pairs = 0;
  const bool has_form = scan_form<"29:59:59">(p, pairs);
  out.hour = static_cast<std::uint8_t>(pair_at(pairs, 0));
  out.minute = static_cast<std::uint8_t>(pair_at(pairs, 3));
  out.second = static_cast<std::uint8_t>(pair_at(pairs, 6));
  return has_form && out.hour < 24;
}

/// The 1 to 9 digits after the point, which lies before `p` with a date and a clock; nullptr without any. A tenth digit
/// is left: no form has a digit there, so the caller rejects the text.
[[nodiscard]] BANKHOOK_INLINE constexpr const char* scan_fraction(const char* p, const char* end, DateTime& out) {
  const std::ptrdiff_t size = end - p;
  if (size <= 0) return nullptr;
  // Date and clock lie before `p`: where less than eight bytes follow, some of theirs are loaded and shifted out.
  const std::uint64_t word = size >= 8 ? load8(p) : load8(end - 8) >> 8 * (8 - size);
  const std::uint64_t values = digit_values(word);
  unsigned count = bytes_before(above_nine(values));
  if (count == 0) return nullptr;
  std::uint64_t fraction = number_of(values, count);
  if (count == 8 && size > 8 && is_digit(p[8])) {
    fraction = fraction * 10 + static_cast<std::uint64_t>(p[8] - '0');
    count = 9;
  }
  out.fraction_digits = static_cast<std::uint8_t>(count);
  out.nanosecond = static_cast<std::uint32_t>(fraction * powers_of_ten[max_fraction_digits - count]);
  return p + count;
}

}  // namespace bankhook::inline BANKHOOK_ABI::text::detail

namespace bankhook::inline BANKHOOK_ABI::text {

/// Reads `YYYY-MM-DD`, `separator`, `HH:MM:SS` and, after a point, a fraction if there is one. Returns the position
/// after, or nullptr if the text at `p` has another form or names a moment that does not exist.
[[nodiscard]] BANKHOOK_INLINE constexpr const char* scan_date_time(const char* p, const char* end, char separator,
                                                                   DateTime& out) {
  if (end - p < static_cast<std::ptrdiff_t>(date_time_size)) return nullptr;
  if (!scan_date(p, out.date) || p[date_size] != separator || !detail::scan_clock(p + date_size + 1, out)) return nullptr;
  p += date_time_size;
  return p < end && *p == '.' ? detail::scan_fraction(p + 1, end, out) : p;
}

/// The usual length of both forms: `YYYY-MM-DD HH:MM:SS.ffff` and `YYYY-MM-DDTHH:MM:SS.fffZ`.
inline constexpr std::size_t fast_date_time_size = 24;

/// Reads the 24 bytes at `p`, three words of digits in fixed places: `tail` is the form of the last, `:59.9999` or
/// `:59.999Z`. False where `scan_date_time` has to look.
template <char separator, FixedString tail>
[[nodiscard]] BANKHOOK_INLINE constexpr bool scan_fast_date_time(const char* p, DateTime& out) {
  constexpr FixedString separator_form = {separator == 'T' ? "39T29:59" : "39 29:59"};
  DigitPairs date = 0;
  DigitPairs clock = 0;
  DigitPairs rest = 0;
  if (!scan_form<"9999-19-">(p, date) || !scan_form<separator_form>(p + 8, clock) || !scan_form<tail>(p + 16, rest)) {
    return false;
  }
  out.hour = static_cast<std::uint8_t>(pair_at(clock, 3));
  out.minute = static_cast<std::uint8_t>(pair_at(clock, 6));
  out.second = static_cast<std::uint8_t>(pair_at(rest, 1));
  out.fraction_digits = is_digit(tail.characters[7]) ? 4 : 3;
  out.nanosecond = pair_at(rest, 4) * 10'000'000 + pair_at(rest, 6) * 100'000;
  return make_date(date, pair_at(clock, 0), out.date) && out.hour < 24;
}

/// Prints what `scan_date_time` reads: 19 bytes, with a fraction up to 29. All 29 may be written.
BANKHOOK_INLINE constexpr char* print_date_time(const DateTime& value, char separator, char* out) {
  out = print_date(value.date, out);
  *out++ = separator;
  out = print_pair(value.hour, out);
  *out++ = ':';
  out = print_pair(value.minute, out);
  *out++ = ':';
  out = print_pair(value.second, out);
  if (value.fraction_digits == 0) return out;
  *out++ = '.';
  store8(eight_digits_of(value.nanosecond / 10) | every_byte * '0', out);
  out[8] = static_cast<char>('0' + value.nanosecond % 10);
  return out + value.fraction_digits;
}

/// A hash of a moment: seconds since 1970 and nanoseconds.
[[nodiscard]] constexpr std::size_t hash_of(std::chrono::seconds since_1970, std::chrono::nanoseconds subsecond) {
  std::uint64_t bits =
      static_cast<std::uint64_t>(since_1970.count()) * 1'000'000'000 + static_cast<std::uint64_t>(subsecond.count());
  bits = (bits ^ bits >> 32) * 0x9E3779B97F4A7C15;  // moments differ in few bits, tables may look at the low ones
  return static_cast<std::size_t>(bits ^ bits >> 32);
}

}  // namespace bankhook::inline BANKHOOK_ABI::text
