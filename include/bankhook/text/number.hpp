// SPDX-License-Identifier: MIT
// Numbers by the grammar of JSON (RFC 8259, section 6): scanning any of them, and reading integers by their value.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/text/digits.hpp>

#include <concepts>
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

/// The parts of a number as written; digits only, either may be of any length.
struct NumberParts {
  Scan scan;
  bool negative = false;
  const char* integer = nullptr;
  const char* integer_end = nullptr;
  const char* fraction = nullptr;
  const char* fraction_end = nullptr;
  std::int64_t exponent = 0;  ///< beyond `absurd_exponent`, only the sign means something

  [[nodiscard]] constexpr std::int64_t fraction_size() const { return fraction_end - fraction; }
};

/// No text has so many digits that they could make up for such an exponent, and sums with it cannot overflow.
inline constexpr std::int64_t absurd_exponent = 100'000'000'000'000'000;

}  // namespace bankhook::inline BANKHOOK_ABI::text

namespace bankhook::inline BANKHOOK_ABI::text::detail {

[[nodiscard]] constexpr char peek(const char* p, const char* end) { return p < end ? *p : '\0'; }

[[nodiscard]] constexpr const char* skip_digits(const char* p, const char* end) {
  while (p < end && is_digit(*p)) ++p;
  return p;
}

[[nodiscard]] constexpr Scan fault(const char* p, const char* end, Errc error) {
  return p < end ? Scan{p, error} : Scan{end, Errc::truncated};
}

/// The sign and digits of an exponent; linear in their number, however many there are.
[[nodiscard]] constexpr Scan scan_exponent(const char* p, const char* end, std::int64_t& out) {
  const bool negative = peek(p, end) == '-';
  if (negative || peek(p, end) == '+') ++p;
  if (!is_digit(peek(p, end))) return fault(p, end, Errc::invalid_number);
  std::int64_t exponent = 0;
  for (; is_digit(peek(p, end)); ++p) {
    if (exponent < absurd_exponent) exponent = exponent * 10 + (*p - '0');
  }
  out = negative ? -exponent : exponent;
  return {p, Errc::none};
}

}  // namespace bankhook::inline BANKHOOK_ABI::text::detail

namespace bankhook::inline BANKHOOK_ABI::text {

/// Takes the number at `p` apart.
[[nodiscard]] constexpr NumberParts scan_parts(const char* p, const char* end) {
  using detail::peek;
  NumberParts parts;
  const auto stopped = [&](Scan scan) {
    parts.scan = scan;
    return parts;
  };
  parts.negative = peek(p, end) == '-';
  if (!parts.negative && !is_digit(peek(p, end))) return stopped(detail::fault(p, end, Errc::expected_number));
  if (parts.negative) ++p;
  if (!is_digit(peek(p, end))) return stopped(detail::fault(p, end, Errc::invalid_number));
  parts.integer = p;
  p = *p == '0' ? p + 1 : detail::skip_digits(p, end);
  parts.integer_end = parts.fraction = parts.fraction_end = p;
  if (peek(p, end) == '.') {
    parts.fraction = ++p;
    if (!is_digit(peek(p, end))) return stopped(detail::fault(p, end, Errc::invalid_number));
    parts.fraction_end = p = detail::skip_digits(p, end);
  }
  if (peek(p, end) != 'e' && peek(p, end) != 'E') return stopped({p, Errc::none});
  return stopped(detail::scan_exponent(p + 1, end, parts.exponent));
}

/// Skips a number of any length.
[[nodiscard]] constexpr Scan skip_number(const char* p, const char* end) { return scan_parts(p, end).scan; }

/// All digits of a number as one integer, `value` times ten to the power of `zeros`; or more than 64 bits hold.
struct Significand {
  std::uint64_t value = 0;
  std::int64_t zeros = 0;
  bool overflowed = false;  ///< `value` is meaningless then, `zeros` still counts those at the end
};

}  // namespace bankhook::inline BANKHOOK_ABI::text

namespace bankhook::inline BANKHOOK_ABI::text::detail {

/// Multiplies by a power of ten; false, and nothing done, where that overflows.
[[nodiscard]] constexpr bool multiply(std::uint64_t& value, std::int64_t power) {
  if (value == 0) return true;
  if (power >= static_cast<std::int64_t>(powers_of_ten.size())) return false;
  const std::uint64_t factor = powers_of_ten[static_cast<std::size_t>(power)];
  if (value > std::numeric_limits<std::uint64_t>::max() / factor) return false;
  value *= factor;
  return true;
}

/// Appends the digits of [p, end) when it is known that 64 bits hold them.
constexpr void append_few(Significand& digits, const char* p, const char* end) {
  for (; p < end; ++p) digits.value = digits.value * 10 + static_cast<std::uint64_t>(*p - '0');
}

/// Appends any digits; zeros are only counted until another digit follows.
constexpr void append_many(Significand& digits, const char* p, const char* end) {
  for (; p < end; ++p) {
    const auto digit = static_cast<std::uint64_t>(*p - '0');
    if (digit == 0) {
      digits.zeros += digits.value != 0;
      continue;
    }
    const bool fits = multiply(digits.value, digits.zeros + 1) && digits.value <= ~digit;
    digits.overflowed = digits.overflowed || !fits;
    digits.value = fits ? digits.value + digit : digit;
    digits.zeros = 0;
  }
}

}  // namespace bankhook::inline BANKHOOK_ABI::text::detail

namespace bankhook::inline BANKHOOK_ABI::text {

/// The digits of `parts`; zeros in front do not count.
[[nodiscard]] constexpr Significand significand_of(const NumberParts& parts) {
  const bool inline_capacity =
      parts.integer_end - parts.integer + parts.fraction_size() < static_cast<int>(powers_of_ten.size());
  const auto append = inline_capacity ? detail::append_few : detail::append_many;
  Significand digits;
  append(digits, parts.integer, parts.integer_end);
  append(digits, parts.fraction, parts.fraction_end);
  return digits;
}

}  // namespace bankhook::inline BANKHOOK_ABI::text

namespace bankhook::inline BANKHOOK_ABI::text::detail {

/// The value without its sign, if it is an integer: `2.0` and `20e-1` are, `2.5` is `expected_integer`.
[[nodiscard]] constexpr Errc magnitude_of_integer(const NumberParts& parts, std::uint64_t& out) {
  const Significand digits = significand_of(parts);
  std::uint64_t value = digits.value;
  std::int64_t exponent = parts.exponent - parts.fraction_size() + digits.zeros;
  if (!digits.overflowed) {
    for (; exponent < 0 && value != 0 && value % 10 == 0; ++exponent) value /= 10;
  }
  if (exponent < 0 && value != 0) return Errc::expected_integer;
  if (digits.overflowed || !multiply(value, exponent)) return Errc::integer_out_of_range;
  out = value;
  return Errc::none;
}

/// Any spelling of an integer, read by its value.
template <Integer T>
[[nodiscard]] BANKHOOK_NOINLINE constexpr Scan scan_integer_by_value(const char* p, const char* end, T& out) {
  const NumberParts parts = scan_parts(p, end);
  if (parts.scan.error != Errc::none) return parts.scan;
  std::uint64_t magnitude = 0;
  const Errc error = magnitude_of_integer(parts, magnitude);
  if constexpr (std::unsigned_integral<T>) {
    const bool below_zero = parts.negative && (error != Errc::none || magnitude != 0);
    if (error == Errc::expected_integer || below_zero) return {p, Errc::expected_count};
  }
  if (error != Errc::none) return {p, error};
  const std::uint64_t greatest = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
  if (magnitude > greatest + (parts.negative ? 1 : 0)) return {p, Errc::integer_out_of_range};
  out = static_cast<T>(parts.negative ? 0 - magnitude : magnitude);
  return parts.scan;
}

}  // namespace bankhook::inline BANKHOOK_ABI::text::detail

namespace bankhook::inline BANKHOOK_ABI::text {

/// Reads an integer. `2.0`, `20e-1` and `-0` are integers, too; `2.5` is `expected_integer`, for unsigned types
/// `expected_count`, as is `-1` there; what `T` cannot hold is `integer_out_of_range`. `out` is written on success only.
template <Integer T>
[[nodiscard]] BANKHOOK_INLINE constexpr Scan scan_integer(const char* p, const char* end, T& out) {
  constexpr auto greatest = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
  const char* const safe_end = end - p > 19 ? p + 19 : end;  // 19 digits always fit
  std::uint64_t value = 0;
  const char* next = p;
  for (; next < safe_end && is_digit(*next); ++next) value = value * 10 + static_cast<std::uint64_t>(*next - '0');
  const char follows = detail::peek(next, end);
  const bool begins_well = next == p + 1 || (next > p && *p != '0');
  const bool plain = begins_well && !is_digit(follows) && follows != '.' && follows != 'e' && follows != 'E';
  if (plain && value <= greatest) [[likely]] {
    out = static_cast<T>(value);
    return {next, Errc::none};
  }
  return detail::scan_integer_by_value(p, end, out);
}

}  // namespace bankhook::inline BANKHOOK_ABI::text
