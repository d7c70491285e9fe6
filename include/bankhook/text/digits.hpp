// SPDX-License-Identifier: MIT
// Decimal digits: finding and reading eight of them at once, and printing them two by two.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/text/eight_bytes.hpp>

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace bankhook::inline BANKHOOK_ABI::text {

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

}  // namespace bankhook::inline BANKHOOK_ABI::text

namespace bankhook::inline BANKHOOK_ABI::text::detail {

/// "00", "01", ... "99", one after the other, then "00" for all else that a byte holds: no other number's digits.
inline constexpr std::array<char, 512> pair_table = [] {
  std::array<char, 512> table{};
  for (std::size_t i = 0; i < table.size(); i += 2) {
    const std::size_t value = i < 200 ? i / 2 : 0;
    table[i] = static_cast<char>('0' + value / 10);
    table[i + 1] = static_cast<char>('0' + value % 10);
  }
  return table;
}();

}  // namespace bankhook::inline BANKHOOK_ABI::text::detail

namespace bankhook::inline BANKHOOK_ABI::text {

/// Prints two digits: those of `value`, which is below 256, or `00` if it has three.
BANKHOOK_INLINE constexpr char* print_pair(unsigned value, char* out) {
  const char* const pair = detail::pair_table.data() + 2 * std::size_t{value};
  if consteval {
    out[0] = pair[0];
    out[1] = pair[1];
  } else {
    std::memcpy(out, pair, 2);
  }
  return out + 2;
}

/// Prints exactly `count` digits: zeros in front where `value` has fewer, its last ones where it has more.
BANKHOOK_INLINE constexpr char* print_digits(std::uint64_t value, int count, char* out) {
  char* const last = out + count;
  char* p = last;
  for (; count >= 2; count -= 2, value /= 100) {
    p -= 2;
    print_pair(static_cast<unsigned>(value % 100), p);
  }
  if (count == 1) *--p = static_cast<char>('0' + value % 10);
  return last;
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
