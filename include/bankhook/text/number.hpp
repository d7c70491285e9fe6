// SPDX-License-Identifier: MIT
// Digits, read and printed eight at a time; numbers by the grammar of JSON (RFC 8259, section 6), and integers by value.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace text {

inline constexpr std::uint64_t every_byte = 0x0101010101010101;
inline constexpr std::uint64_t high_bits = every_byte << 7;

/// The eight bytes at `p` as one word, the first byte lowest; all of them must be readable.
[[nodiscard]] BANKHOOK_INLINE constexpr std::uint64_t load8(const char* p) {
  std::array<char, 8> bytes;
  std::copy_n(p, bytes.size(), bytes.begin());
  const auto word = std::bit_cast<std::uint64_t>(bytes);
  return std::endian::native == std::endian::big ? std::byteswap(word) : word;
}

/// The first eight bytes of [p, end), with zeros for those that are not there; reads nothing outside.
[[nodiscard]] BANKHOOK_INLINE constexpr std::uint64_t load_up_to_8(const char* p, const char* end) {
  if (end - p >= 8) [[likely]]
    return load8(p);
  std::uint64_t word = 0;
  while (p < end) word = word << 8 | static_cast<unsigned char>(*--end);
  return word;
}

/// Writes the eight bytes of `word` to `p`.
BANKHOOK_INLINE constexpr void store8(std::uint64_t word, char* p) {
  const auto bytes =
      std::bit_cast<std::array<char, 8>>(std::endian::native == std::endian::big ? std::byteswap(word) : word);
  std::copy_n(bytes.begin(), bytes.size(), p);
}

[[nodiscard]] BANKHOOK_INLINE constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// 1, 10, 100, ...: all that 64 bits hold.
inline constexpr std::array<std::uint64_t, 20> powers_of_ten = [] {
  std::array<std::uint64_t, 20> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

/// The bytes of `marks` before the first that is marked, 0 to 8.
[[nodiscard]] BANKHOOK_INLINE constexpr unsigned bytes_before(std::uint64_t marks) {
  return static_cast<unsigned>(std::countr_zero(marks)) / 8;
}

/// The digit values of `value`, which is below 10^8, with zeros in front.
[[nodiscard]] BANKHOOK_INLINE constexpr std::uint64_t eight_digits_of(std::uint64_t value) {
  // Halves of four digits, then of two, then of one: each is divided by a multiplication, all of them at once.
  const std::uint64_t fours = value / 10'000 | value % 10'000 << 32;
  const std::uint64_t hundreds = fours * 10'486 >> 20 & 0x0000007F0000007F;
  const std::uint64_t twos = hundreds | (fours - hundreds * 100) << 16;
  const std::uint64_t tens = twos * 103 >> 10 & 0x000F000F000F000F;
  return tens | (twos - tens * 10) << 8;
}

/// How many digits `value` has; zero has one.
[[nodiscard]] BANKHOOK_INLINE constexpr int digit_count(std::uint64_t value) {
  const auto about = static_cast<unsigned>(std::bit_width(value | 1)) * 1233 >> 12;  // log10(2) is about 1233/4096
  return static_cast<int>(about) + ((value | 1) >= powers_of_ten[about]);
}

/// "00", "01", ... "99", one after the other, then "00" for all else that a byte holds: no other number's digits.
inline constexpr std::array<char, 512> digit_pairs = [] {
  std::array<char, 512> pairs{};
  for (std::size_t i = 0; i < pairs.size(); ++i)
    pairs[i] = static_cast<char>('0' + (i >= 200 ? 0 : i % 2 ? i / 2 % 10 : i / 20));
  return pairs;
}();

/// Prints two digits: those of `value`, which is below 256, or `00` if it has three.
BANKHOOK_INLINE constexpr char* print_pair(unsigned value, char* out) {
  return std::copy_n(digit_pairs.data() + 2 * std::size_t{value}, 2, out);
}

/// Prints exactly `count` digits: zeros in front where `value` has fewer, its last ones where it has more.
constexpr char* print_digits(std::uint64_t value, int count, char* out) {
  for (char* p = out + count; p != out; value /= 10) *--p = static_cast<char>('0' + value % 10);
  return out + count;
}

/// The distance of `value` from zero, also of the least one.
template <std::integral T>
[[nodiscard]] BANKHOOK_INLINE constexpr std::uint64_t magnitude_of(T value) {
  const auto bits = static_cast<std::uint64_t>(value);
  return value < T{} ? 0 - bits : bits;
}

/// Prints an integer: at most `std::numeric_limits<T>::digits10 + 2` bytes.
template <std::integral T>
BANKHOOK_INLINE constexpr char* print_integer(T value, char* out) {
  if (value < T{}) *out++ = '-';
  const std::uint64_t magnitude = magnitude_of(value);
  return print_digits(magnitude, digit_count(magnitude), out);
}

/// An integer type of any width: neither `bool` nor a type of characters.
template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> && !std::same_as<T, wchar_t> &&
                  !std::same_as<T, decltype(u8'a')> && !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;

/// One whose values all fit 64 bits with a sign.
template <class T>
concept IntegerOf64Bits =
    Integer<T> && sizeof(T) <= sizeof(std::int64_t) && (std::signed_integral<T> || sizeof(T) < sizeof(std::int64_t));

struct write_the_digits_as_an_integer_and_the_scale_or_call_Decimal_parse;  // instead of from a double

/// What a scan came to: the position after the number, or the fault and its place.
/// Where the grammar is broken, that is the offending byte (the end: `truncated`); where the value is not one that was
/// asked for, it is the first byte of the number. What follows a number is the caller's matter: `01` scans as `0`.
struct Scan {
  const char* next = nullptr;
  Errc error = Errc::none;
  bool has_other_form = false;  ///< the value may print otherwise
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
  const std::uint64_t greatest = static_cast<std::uint64_t>((std::numeric_limits<T>::max)()) + number.negative;
  if (number.overflowed || !multiply(number.value, exponent) || number.value > greatest)
    return {p, Errc::integer_out_of_range};
  out = static_cast<T>(number.negative ? 0 - number.value : number.value);
  return {scan.next, scan.error, !number.negative || number.value == 0 || exponent != 0};
}

/// So many digits always fit 64 bits with a sign.
inline constexpr std::ptrdiff_t safe_digits = 18;

/// Appends to `value` the digits at `p`, at most as many as are safe; the position after them.
[[nodiscard]] BANKHOOK_INLINE constexpr const char* scan_safe_digits(const char* p, const char* end, std::uint64_t& value) {
  if (end - p > safe_digits) end = p + safe_digits;
  for (; p < end && is_digit(*p); ++p) value = value * 10 + static_cast<std::uint64_t>(*p - '0');
  return p;
}

/// Reads an integer. `2.0`, `20e-1` and `-0` are integers, too; `2.5` is `expected_integer`, for unsigned types
/// `expected_count`, as is `-1` there; what `T` cannot hold is `integer_out_of_range`. `out` is written on success only.
template <Integer T>
[[nodiscard]] BANKHOOK_INLINE constexpr Scan scan_integer(const char* p, const char* end, T& out) {
  constexpr auto greatest = static_cast<std::uint64_t>((std::numeric_limits<T>::max)());
  std::uint64_t value = 0;
  const char* const next = scan_safe_digits(p, end, value);
  const char follows = next < end ? *next : '\0';
  const bool begins_well = next == p + 1 || (next > p && *p != '0');
  const bool plain = begins_well && !is_digit(follows) && follows != '.' && follows != 'e' && follows != 'E';
  if (plain && value <= greatest) [[likely]] {
    out = static_cast<T>(value);
    return {next, Errc::none};
  }
  return scan_integer_by_value(p, end, out);
}

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::text
