// SPDX-License-Identifier: MIT
// Looking at 32 or 64 bytes at once: which of them end a plain run of text, and whether they begin with a known literal.
#pragma once

#include <bankhook/base/block16.hpp>
#include <bankhook/base/compiler.hpp>
#include <bankhook/base/fixed_string.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace bankhook::inline BANKHOOK_ABI::simd {

[[nodiscard]] BANKHOOK_INLINE std::uint64_t load8(const char* p) {
  std::uint64_t word;
  std::memcpy(&word, p, sizeof word);
  return word;
}

#if defined(__AVX2__)

struct Block32 {
  __m256i bytes;
  [[nodiscard]] BANKHOOK_INLINE static Block32 load(const char* p) {
    return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))};
  }
  [[nodiscard]] BANKHOOK_INLINE static Block32 repeat(char c) { return {_mm256_set1_epi8(c)}; }
  BANKHOOK_INLINE void store(char* p) const { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), bytes); }
  [[nodiscard]] BANKHOOK_INLINE Block32 same(Block32 other) const { return {_mm256_cmpeq_epi8(bytes, other.bytes)}; }
  [[nodiscard]] BANKHOOK_INLINE Block32 operator&(Block32 other) const { return {_mm256_and_si256(bytes, other.bytes)}; }
  [[nodiscard]] BANKHOOK_INLINE bool all() const { return mask() == ~std::uint32_t{0}; }
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t mask() const { return marks(bytes); }
  /// A bit a byte above 0x7F, that continues a form of UTF-8 (10......), that begins one of two bytes (C2 to DF).
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t high() const { return marks(bytes); }
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t continuations() const {
    return marks(_mm256_cmpgt_epi8(_mm256_set1_epi8(-64), bytes));
  }
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t leads_of_two() const {
    return marks(
        _mm256_and_si256(_mm256_cmpgt_epi8(bytes, _mm256_set1_epi8(-63)), _mm256_cmpgt_epi8(_mm256_set1_epi8(-32), bytes)));
  }
  [[nodiscard]] BANKHOOK_INLINE static std::uint32_t marks(__m256i m) {
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(m));
  }
  /// As in Block16.
  template <bool ascii_only>
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t special_mask() const {
    return marks(specials<ascii_only>());
  }
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t spaces() const {
    // The four differ in their low halves: each byte is compared with the one that has its low half.
    return marks(_mm256_cmpeq_epi8(_mm256_shuffle_epi8(stop_bytes<__m256i>(4), bytes), bytes));
  }
  [[nodiscard]] BANKHOOK_INLINE Block32 escapes() const { return {specials<false>()}; }
  [[nodiscard]] BANKHOOK_INLINE Block32 operator|(Block32 other) const { return {_mm256_or_si256(bytes, other.bytes)}; }
  [[nodiscard]] BANKHOOK_INLINE bool any() const { return _mm256_testz_si256(bytes, bytes) == 0; }

 private:
  /// Control characters and, signed, all above 0x7F become 0x1F. That, quote and backslash differ in their low halves: each
  /// byte is compared with the one that has its low half.
  template <bool ascii_only>
  [[nodiscard]] BANKHOOK_INLINE __m256i specials() const {
    const __m256i last_control = stop_bytes<__m256i>(2);
    const __m256i raised = ascii_only ? _mm256_max_epi8(bytes, last_control) : _mm256_max_epu8(bytes, last_control);
    return _mm256_cmpeq_epi8(_mm256_shuffle_epi8(stop_bytes<__m256i>(5), raised), raised);
  }
};

#else

struct Block32 {
  Block16 low;
  Block16 upper;
  [[nodiscard]] BANKHOOK_INLINE static Block32 load(const char* p) { return {Block16::load(p), Block16::load(p + 16)}; }
  [[nodiscard]] BANKHOOK_INLINE static Block32 repeat(char c) { return {Block16::repeat(c), Block16::repeat(c)}; }
  BANKHOOK_INLINE void store(char* p) const {
    low.store(p);
    upper.store(p + 16);
  }
  [[nodiscard]] BANKHOOK_INLINE Block32 same(Block32 other) const { return {low.same(other.low), upper.same(other.upper)}; }
  [[nodiscard]] BANKHOOK_INLINE Block32 operator&(Block32 other) const { return {low & other.low, upper & other.upper}; }
  [[nodiscard]] BANKHOOK_INLINE bool all() const { return (low & upper).all(); }
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t mask() const { return low.mask() | upper.mask() << 16; }
  /// As in Block16.
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t high() const { return upper.high() << 16 | low.high(); }
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t continuations() const {
    return upper.continuations() << 16 | low.continuations();
  }
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t leads_of_two() const {
    return upper.leads_of_two() << 16 | low.leads_of_two();
  }
  /// As in Block16.
  template <bool ascii_only>
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t special_mask() const {
    return low.special_mask<ascii_only>() | upper.special_mask<ascii_only>() << 16;
  }
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t spaces() const { return low.spaces() | upper.spaces() << 16; }
  [[nodiscard]] BANKHOOK_INLINE Block32 escapes() const { return {low.escapes(), upper.escapes()}; }
  [[nodiscard]] BANKHOOK_INLINE Block32 operator|(Block32 other) const { return {low | other.low, upper | other.upper}; }
  [[nodiscard]] BANKHOOK_INLINE bool any() const { return (low | upper).any(); }
};

#endif

/// Two blocks, one after the other, with masks of 64 bits.
struct Block64 {
  Block32 low;
  Block32 upper;
  [[nodiscard]] BANKHOOK_INLINE static Block64 load(const char* p) {
    return {Block32::load(p), Block32::load(p + sizeof(Block32))};
  }
  /// As in Block16.
  template <bool ascii_only>
  [[nodiscard]] BANKHOOK_INLINE std::uint64_t special_mask() const {
    return joined(low.special_mask<ascii_only>(), upper.special_mask<ascii_only>());
  }
  [[nodiscard]] BANKHOOK_INLINE std::uint64_t high() const { return joined(low.high(), upper.high()); }
  /// Whether those of the bytes that `inside` marks are ASCII and whole two-byte forms of UTF-8 (Latin, Greek, Cyrillic).
  [[nodiscard]] BANKHOOK_INLINE bool has_short_forms_only(std::uint64_t inside) const {
    const std::uint64_t continuations = joined(low.continuations(), upper.continuations()) & inside;
    const std::uint64_t leads = joined(low.leads_of_two(), upper.leads_of_two()) & inside;
    return (high() & inside) == (continuations | leads) && continuations == leads << 1;
  }

 private:
  [[nodiscard]] BANKHOOK_INLINE static std::uint64_t joined(std::uint32_t first, std::uint32_t second) {
    return first | std::uint64_t{second} << 32;
  }
};

/// A bit a byte that two blocks have in common.
[[nodiscard]] BANKHOOK_INLINE std::uint32_t same_bytes(const char* left, const char* right) {
  return Block32::load(left).same(Block32::load(right)).mask();
}

/// Whether the text at `p` begins with `literal`. Of up to four bytes it reads exactly those, of more a whole block.
template <FixedString literal>
[[nodiscard]] BANKHOOK_INLINE bool begins_with(const char* p) {
  constexpr std::size_t size = literal.size();
  const char* const expected = literal.characters;
#if defined(__AVX2__)
  if constexpr (size > 4 && size <= sizeof(Block32)) {
    alignas(Block32) static constexpr auto parts = [] {
      std::array<char, 2 * sizeof(Block32)> bytes{};  // the literal, and which bytes count
      std::copy_n(literal.characters, size, bytes.begin());
      std::fill_n(bytes.begin() + sizeof(Block32), size, '\xFF');
      return bytes;
    }();
    const __m256i difference = _mm256_xor_si256(Block32::load(p).bytes, Block32::load(parts.data()).bytes);
    // For the intrinsic function, GCC makes a number of the flag and then compares that.
    asm goto("vptest {%1, %0|%0, %1}\n\tjnz %l2"
             :
             : "x"(difference), "m"(*reinterpret_cast<const __m256i*>(parts.data() + sizeof(Block32)))
             : "cc"
             : different);
    return true;
  different:
    return false;
  }
#endif
  if constexpr (size >= 16) {
    using Block = std::conditional_t<(size >= 32), Block32, Block16>;
    Block same = Block::load(p + size - sizeof(Block)).same(Block::load(expected + size - sizeof(Block)));
    if constexpr (size > sizeof(Block)) same = same & Block::load(p).same(Block::load(expected));
    static_assert(size <= 2 * sizeof(Block));
    return same.all();
  } else if constexpr (size >= 8) {
    std::uint64_t difference = load8(p + size - 8) ^ load8(expected + size - 8);
    for (std::size_t i = 0; i + 8 < size; i += 8) difference |= load8(p + i) ^ load8(expected + i);
    return difference == 0;
  } else {
    return std::memcmp(p, expected, size) == 0;
  }
}

}  // namespace bankhook::inline BANKHOOK_ABI::simd
