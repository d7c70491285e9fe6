// SPDX-License-Identifier: MIT
// Decimal digits, read and printed eight at a time, and the words of eight bytes that this takes.
#pragma once

#include <bankhook/base/compiler.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace bankhook::inline BANKHOOK_ABI::text {

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

/// The highest bit of each byte of `values` that is more than 9; bytes after one above 0x7F may be wrong.
[[nodiscard]] BANKHOOK_INLINE constexpr std::uint64_t above_nine(std::uint64_t values) {
  return ((values + every_byte * (0x80 - 10)) | values) & high_bits;
}

/// The values of the digits in `word`; other characters become something above 9.
[[nodiscard]] BANKHOOK_INLINE constexpr std::uint64_t digit_values(std::uint64_t word) { return word ^ every_byte * '0'; }

/// The bytes of `marks` before the first that is marked, 0 to 8.
[[nodiscard]] BANKHOOK_INLINE constexpr unsigned bytes_before(std::uint64_t marks) {
  return static_cast<unsigned>(std::countr_zero(marks)) / 8;
}

/// The number that the first `count` of the digit values spell, the first one the most significant; `count` is 1 to 8.
[[nodiscard]] BANKHOOK_INLINE constexpr std::uint64_t number_of(std::uint64_t values, unsigned count) {
  values <<= 64 - 8 * count;             // zeros in front do no harm
  values = values * 10 + (values >> 8);  // pairs, in every second byte
  constexpr std::uint64_t pair = 0x000000FF000000FF;
  const std::uint64_t outer = (values & pair) * (100 + (std::uint64_t{1'000'000} << 32));
  const std::uint64_t inner = (values >> 16 & pair) * (1 + (std::uint64_t{10'000} << 32));
  return (outer + inner) >> 32;
}

/// The digit values of `value`, which is below 10^8, with zeros in front: `number_of` the other way round.
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

}  // namespace bankhook::inline BANKHOOK_ABI::text
