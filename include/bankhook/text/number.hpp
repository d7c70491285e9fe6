// SPDX-License-Identifier: MIT
// Numbers by the grammar of JSON (RFC 8259, section 6): scanning any of them, and reading integers by their value.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/text/digits.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace bankhook::inline BANKHOOK_ABI::text {

/// An integer type of any width: neither `bool` nor a type of characters.
template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> && !std::same_as<T, wchar_t> &&
                  !std::same_as<T, char8_t> && !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;

/// One whose values all fit 64 bits with a sign.
template <class T>
concept IntegerOf64Bits =
    Integer<T> && sizeof(T) <= sizeof(std::int64_t) && (std::signed_integral<T> || sizeof(T) < sizeof(std::int64_t));

/// What a scan came to: the position after the number, or the fault and its place.
/// Where the grammar is broken, that is the offending byte (the end: `truncated`); where the value is not one that was
/// asked for, it is the first byte of the number. What follows a number is the caller's matter: `01` scans as `0`.
struct Scan {
  const char* next = nullptr;
  Errc error = Errc::none;
};

/// A number of any length: its digits are `value` and, after that, so many `zeros`.
struct Number {
  std::uint64_t value = 0;
  std::int64_t zeros = 0;
  std::int64_t fraction_size = 0;  ///< how many of the digits stand after the point
  std::int64_t exponent = 0;       ///< beyond `absurd_exponent`, only the sign means something
  bool negative = false;
  bool overflowed = false;  ///< 64 bits do not hold `value`, which is meaningless then but not 0
};

/// No text has so many digits that they could make up for such an exponent, and sums with it cannot overflow.
inline constexpr std::int64_t absurd_exponent = 100'000'000'000'000'000;

/// Multiplies by a power of ten; false where that overflows.
[[nodiscard]] constexpr bool multiply(std::uint64_t& value, std::int64_t power) {
  if (value == 0) return true;
  if (power >= static_cast<std::int64_t>(powers_of_ten.size())) return false;
  return !__builtin_mul_overflow(value, powers_of_ten[static_cast<std::size_t>(power)], &value);
}

/// Appends the digits at `p`; zeros are only counted until another digit follows.
[[nodiscard]] constexpr const char* scan_digits(const char* p, const char* end, Number& out) {
  for (; p < end && is_digit(*p); ++p) {
    const auto digit = static_cast<std::uint64_t>(*p - '0');
    if (digit == 0) {
      out.zeros += out.value != 0;
      continue;
    }
    const bool fits = multiply(out.value, out.zeros + 1) && !__builtin_add_overflow(out.value, digit, &out.value);
    if (!fits) out.value = digit;
    out.overflowed |= !fits;
    out.zeros = 0;
  }
  return p;
}

/// Reads the number at `p`; `out` is a new one.
[[nodiscard]] constexpr Scan scan_number(const char* p, const char* end, Number& out) {
  const auto peek = [&] { return p < end ? *p : '\0'; };
  const auto fault = [&](Errc error) { return p < end ? Scan{p, error} : Scan{end, Errc::truncated}; };
  out.negative = peek() == '-';
  if (!out.negative && !is_digit(peek())) return fault(Errc::expected_number);
  if (out.negative) ++p;
  if (!is_digit(peek())) return fault(Errc::invalid_number);
  p = *p == '0' ? p + 1 : scan_digits(p, end, out);
  if (peek() == '.') {
    const char* const fraction = ++p;
    p = scan_digits(p, end, out);
    if (p == fraction) return fault(Errc::invalid_number);
    out.fraction_size = p - fraction;
  }
  if (peek() != 'e' && peek() != 'E') return {p, Errc::none};
  ++p;
  const bool is_negative = peek() == '-';
  if (is_negative || peek() == '+') ++p;
  if (!is_digit(peek())) return fault(Errc::invalid_number);
  for (; is_digit(peek()); ++p) {
    if (out.exponent < absurd_exponent) out.exponent = out.exponent * 10 + (*p - '0');
  }
  if (is_negative) out.exponent = -out.exponent;
  return {p, Errc::none};
}

/// Skips a number of any length.
[[nodiscard]] constexpr Scan skip_number(const char* p, const char* end) {
  Number number;
  return scan_number(p, end, number);
}

/// Any spelling of an integer, read by its value.
template <Integer T>
[[nodiscard]] BANKHOOK_NOINLINE constexpr Scan scan_integer_by_value(const char* p, const char* end, T& out) {
  Number number;
  const Scan scan = scan_number(p, end, number);
  if (scan.error != Errc::none) return scan;
  const std::int64_t exponent = number.exponent - number.fraction_size + number.zeros;
  const bool is_below_zero = std::unsigned_integral<T> && number.negative;
  if (number.value != 0 && (exponent < 0 || is_below_zero))
    return {p, std::unsigned_integral<T> ? Errc::expected_count : Errc::expected_integer};
  const std::uint64_t greatest = static_cast<std::uint64_t>(std::numeric_limits<T>::max()) + number.negative;
  if (number.overflowed || !multiply(number.value, exponent) || number.value > greatest)
    return {p, Errc::integer_out_of_range};
  out = static_cast<T>(number.negative ? 0 - number.value : number.value);
  return scan;
}

/// Reads an integer. `2.0`, `20e-1` and `-0` are integers, too; `2.5` is `expected_integer`, for unsigned types
/// `expected_count`, as is `-1` there; what `T` cannot hold is `integer_out_of_range`. `out` is written on success only.
template <Integer T>
[[nodiscard]] BANKHOOK_INLINE constexpr Scan scan_integer(const char* p, const char* end, T& out) {
  constexpr auto greatest = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
  const char* const safe_end = end - p > 19 ? p + 19 : end;  // 19 digits always fit
  std::uint64_t value = 0;
  const char* next = p;
  for (; next < safe_end && is_digit(*next); ++next) value = value * 10 + static_cast<std::uint64_t>(*next - '0');
  const char follows = next < end ? *next : '\0';
  const bool begins_well = next == p + 1 || (next > p && *p != '0');
  const bool plain = begins_well && !is_digit(follows) && follows != '.' && follows != 'e' && follows != 'E';
  if (plain && value <= greatest) [[likely]] {
    out = static_cast<T>(value);
    return {next, Errc::none};
  }
  return scan_integer_by_value(p, end, out);
}

}  // namespace bankhook::inline BANKHOOK_ABI::text
