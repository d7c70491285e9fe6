// SPDX-License-Identifier: MIT
// Up to eight bytes of text as one word, the first byte lowest, at run time and in constant expressions.
#pragma once

#include <bankhook/base/compiler.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace bankhook::inline BANKHOOK_ABI::text {

inline constexpr std::uint64_t every_byte = 0x0101010101010101;
inline constexpr std::uint64_t high_bits = every_byte << 7;

}  // namespace bankhook::inline BANKHOOK_ABI::text

namespace bankhook::inline BANKHOOK_ABI::text::detail {

/// `Word` from the bytes at `p`. A constant expression has no loads of several bytes: there it goes byte by byte.
template <class Word>
[[nodiscard]] BANKHOOK_INLINE constexpr std::uint64_t load(const char* p) {
  Word word = 0;
  if consteval {
    for (std::size_t i = sizeof word; i-- > 0;) word = word << 8 | static_cast<unsigned char>(p[i]);
  } else {
    std::memcpy(&word, p, sizeof word);
    if constexpr (std::endian::native == std::endian::big) word = std::byteswap(word);
  }
  return word;
}

/// `byte` at the place `index` of a word.
[[nodiscard]] BANKHOOK_INLINE constexpr std::uint64_t at_place(char byte, std::size_t index) {
  return std::uint64_t{static_cast<unsigned char>(byte)} << 8 * index;
}

/// The `size` < 8 bytes at `p`, by loads that overlap instead of a loop.
[[nodiscard]] BANKHOOK_NOINLINE constexpr std::uint64_t load_below_8(const char* p, std::size_t size) {
  if (size == 0) return 0;
  if (size < 4) return at_place(p[0], 0) | at_place(p[size / 2], size / 2) | at_place(p[size - 1], size - 1);
  return load<std::uint32_t>(p) | load<std::uint32_t>(p + size - 4) << 8 * (size - 4);
}

}  // namespace bankhook::inline BANKHOOK_ABI::text::detail

namespace bankhook::inline BANKHOOK_ABI::text {

/// The eight bytes at `p`; all of them must be readable.
[[nodiscard]] BANKHOOK_INLINE constexpr std::uint64_t load8(const char* p) { return detail::load<std::uint64_t>(p); }

/// Writes the eight bytes of `word` to `p`.
BANKHOOK_INLINE constexpr void store8(std::uint64_t word, char* p) {
  if consteval {
    for (int i = 0; i < 8; ++i) p[i] = static_cast<char>(word >> 8 * i);
  } else {
    if constexpr (std::endian::native == std::endian::big) word = std::byteswap(word);
    std::memcpy(p, &word, sizeof word);
  }
}

/// The first eight bytes of [p, end), with zeros for those that are not there; reads nothing outside.
[[nodiscard]] BANKHOOK_INLINE constexpr std::uint64_t load_up_to_8(const char* p, const char* end) {
  if (end - p >= 8) [[likely]]
    return load8(p);
  return p < end ? detail::load_below_8(p, static_cast<std::size_t>(end - p)) : 0;
}

}  // namespace bankhook::inline BANKHOOK_ABI::text
