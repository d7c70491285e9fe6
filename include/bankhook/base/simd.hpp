// SPDX-License-Identifier: MIT
// Looking at 32 bytes at once: which of them end a plain run of text, and whether they begin with a known literal.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/fixed_string.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace bankhook::simd {

[[nodiscard]] BANKHOOK_INLINE std::uint64_t load8(const char* p) {
  std::uint64_t word;
  std::memcpy(&word, p, sizeof word);
  return word;
}

#if defined(__SSE2__)

struct Block16 {
  __m128i bytes;
  [[nodiscard]] BANKHOOK_INLINE static Block16 load(const char* p) {
    return {_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))};
  }
  BANKHOOK_INLINE void store(char* p) const { _mm_storeu_si128(reinterpret_cast<__m128i*>(p), bytes); }
  /// A bit a byte that is a quote, a backslash, a control character or, if `ascii_only`, above 0x7F.
  template <bool ascii_only>
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t stops() const {
    const __m128i marks =
        _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
    // Signed, everything above 0x7F is below a space, too: one comparison finds both.
    const __m128i low = ascii_only ? _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20))
                                   : _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1F)), bytes);
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_or_si128(marks, low)));
  }
};

#else

struct Block16 {
  char bytes[16];
  [[nodiscard]] BANKHOOK_INLINE static Block16 load(const char* p) {
    Block16 block;
    std::memcpy(block.bytes, p, sizeof block.bytes);
    return block;
  }
  BANKHOOK_INLINE void store(char* p) const { std::memcpy(p, bytes, sizeof bytes); }
  /// A bit a byte that is a quote, a backslash, a control character or, if `ascii_only`, above 0x7F.
  template <bool ascii_only>
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t stops() const {
    std::uint32_t mask = 0;
    for (std::size_t i = 0; i < sizeof bytes; ++i) {
      const auto c = static_cast<unsigned char>(bytes[i]);
      const bool stop = c == '"' || c == '\\' || c < 0x20 || (ascii_only && c > 0x7F);
      mask |= std::uint32_t{stop} << i;
    }
    return mask;
  }
};

#endif

#if defined(__AVX2__)

struct Block32 {
  __m256i bytes;
  [[nodiscard]] BANKHOOK_INLINE static Block32 load(const char* p) {
    return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))};
  }
  BANKHOOK_INLINE void store(char* p) const { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), bytes); }
  /// As in Block16.
  template <bool ascii_only>
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t stops() const {
    const __m256i marks =
        _mm256_or_si256(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('"')), _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\\')));
    const __m256i low = ascii_only ? _mm256_cmpgt_epi8(_mm256_set1_epi8(0x20), bytes)
                                   : _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, _mm256_set1_epi8(0x1F)), bytes);
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_or_si256(marks, low)));
  }
};

#else

struct Block32 {
  Block16 low;
  Block16 high;
  [[nodiscard]] BANKHOOK_INLINE static Block32 load(const char* p) { return {Block16::load(p), Block16::load(p + 16)}; }
  BANKHOOK_INLINE void store(char* p) const {
    low.store(p);
    high.store(p + 16);
  }
  /// As in Block16.
  template <bool ascii_only>
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t stops() const {
    return low.stops<ascii_only>() | high.stops<ascii_only>() << 16;
  }
};

#endif

/// Whether some of the eight bytes must be escaped in a JSON string; may be wrong towards yes.
[[nodiscard]] BANKHOOK_INLINE bool may_need_escape(std::uint64_t word) {
  constexpr std::uint64_t ones = 0x0101010101010101;
  const std::uint64_t quote = word ^ ones * '"';
  const std::uint64_t backslash = word ^ ones * '\\';
  const std::uint64_t low = (word - ones * 0x20) & ~word;
  return (((quote - ones) & ~quote) | ((backslash - ones) & ~backslash) | low) & ones << 7;
}

/// Whether the text at `p` begins with `literal`; reads exactly its bytes.
template <FixedString literal>
[[nodiscard]] BANKHOOK_INLINE bool begins_with(const char* p) {
  constexpr std::size_t size = literal.size();
  const char* const expected = literal.characters;
  if constexpr (size >= 8) {
    std::uint64_t difference = load8(p + size - 8) ^ load8(expected + size - 8);
    for (std::size_t i = 0; i + 8 < size; i += 8) difference |= load8(p + i) ^ load8(expected + i);
    return difference == 0;
  } else {
    return std::memcmp(p, expected, size) == 0;
  }
}

}  // namespace bankhook::simd
