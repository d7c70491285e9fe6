// SPDX-License-Identifier: MIT
// Looking at 16 bytes at once on x86, where each processor of 64 bits has SSE2.
#pragma once

#include <bankhook/base/compiler.hpp>

#include <cstdint>

#if defined(__SSE2__)

// The header of all instruction sets takes longer to compile than the reader: only where it is needed.
#if defined(__AVX2__)
#include <immintrin.h>
#else
#include <emmintrin.h>
#endif

namespace bankhook::inline BANKHOOK_ABI::simd {

/// Vectors that are compared with: four of one character each, a table of white space, and one of what ends plain text.
struct alignas(32) Repeated {
  char bytes[6][32];
};
inline constexpr Repeated repeated = [] {
  Repeated table{};
  for (int i = 0; i < 32; ++i) {
    table.bytes[0][i] = '"';
    table.bytes[1][i] = '\\';
    table.bytes[2][i] = 0x1F;
    table.bytes[3][i] = 0x20;
    table.bytes[4][i] = '\xFF';
    table.bytes[5][i] = '\xFF';
  }
  for (int half = 0; half < 32; half += 16) {  // each in the place that its low half numbers
    table.bytes[4][half] = ' ';
    table.bytes[4][half + '\t'] = '\t';
    table.bytes[4][half + '\n'] = '\n';
    table.bytes[4][half + '\r'] = '\r';
    table.bytes[5][half + 0x1F % 16] = 0x1F;
    table.bytes[5][half + '"' % 16] = '"';
    table.bytes[5][half + '\\' % 16] = '\\';
  }
  return table;
}();
/// The compiler must not know what lies there: it would build the vectors again at each use.
template <class Vector>
BANKHOOK_INLINE Vector stop_bytes(int which) {
  const Repeated* p = &repeated;
  asm("" : "+r"(p));
  return *reinterpret_cast<const Vector*>(p->bytes[which]);
}

struct Block16 {
  __m128i bytes;
  [[nodiscard]] BANKHOOK_INLINE static Block16 load(const char* p) {
    return {_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))};
  }
  [[nodiscard]] BANKHOOK_INLINE static Block16 repeat(char c) { return {_mm_set1_epi8(c)}; }
  BANKHOOK_INLINE void store(char* p) const { _mm_storeu_si128(reinterpret_cast<__m128i*>(p), bytes); }
  /// 0xFF for each byte that both have.
  [[nodiscard]] BANKHOOK_INLINE Block16 same(Block16 other) const { return {_mm_cmpeq_epi8(bytes, other.bytes)}; }
  [[nodiscard]] BANKHOOK_INLINE Block16 operator&(Block16 other) const { return {_mm_and_si128(bytes, other.bytes)}; }
  [[nodiscard]] BANKHOOK_INLINE bool all() const { return mask() == 0xFFFF; }
  /// The highest bit of each byte.
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t mask() const { return marks(bytes); }
  /// A bit a byte above 0x7F, that continues a form of UTF-8 (10......), that begins one of two bytes (C2 to DF).
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t high() const { return marks(bytes); }
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t continuations() const {
    return marks(_mm_cmplt_epi8(bytes, _mm_set1_epi8('\xC0')));
  }
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t leads_of_two() const {
    return marks(_mm_and_si128(_mm_cmpgt_epi8(bytes, _mm_set1_epi8('\xC1')), _mm_cmplt_epi8(bytes, _mm_set1_epi8('\xE0'))));
  }
  [[nodiscard]] BANKHOOK_INLINE static std::uint32_t marks(__m128i m) {
    return static_cast<std::uint32_t>(_mm_movemask_epi8(m));
  }
  /// A bit a byte that is a quote, a backslash, a control character or, if `ascii_only`, above 0x7F.
  template <bool ascii_only>
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t special_mask() const {
    const __m128i equal =
        _mm_or_si128(_mm_cmpeq_epi8(bytes, stop_bytes<__m128i>(0)), _mm_cmpeq_epi8(bytes, stop_bytes<__m128i>(1)));
    // Signed, everything above 0x7F is below a space, too: one comparison finds both.
    const __m128i low = ascii_only ? _mm_cmplt_epi8(bytes, stop_bytes<__m128i>(3))
                                   : _mm_cmpeq_epi8(_mm_min_epu8(bytes, stop_bytes<__m128i>(2)), bytes);
    return marks(_mm_or_si128(equal, low));
  }
  /// A bit a byte that is white space in JSON.
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t spaces() const {
    const __m128i blanks =
        _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(' ')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\t')));
    const __m128i ends =
        _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\r')));
    return marks(_mm_or_si128(blanks, ends));
  }
  /// Two words, one after the other.
  template <class Word>
  [[nodiscard]] BANKHOOK_INLINE static Block16 of(Word first, Word second) {
    if constexpr (sizeof(Word) == 8) {
      return {_mm_set_epi64x(static_cast<long long>(second), static_cast<long long>(first))};
    } else {
      const auto both = static_cast<long long>(std::uint64_t{second} << 32 | first);
      return {_mm_set_epi64x(both, both)};
    }
  }
  /// Not zero in each byte that must be escaped in a JSON string; `|` and `any` look at several blocks at once.
  [[nodiscard]] BANKHOOK_INLINE Block16 escapes() const {
    const __m128i equal =
        _mm_or_si128(_mm_cmpeq_epi8(bytes, stop_bytes<__m128i>(0)), _mm_cmpeq_epi8(bytes, stop_bytes<__m128i>(1)));
    return {_mm_or_si128(equal, _mm_subs_epu8(stop_bytes<__m128i>(3), bytes))};
  }
  [[nodiscard]] BANKHOOK_INLINE Block16 operator|(Block16 other) const { return {_mm_or_si128(bytes, other.bytes)}; }
  [[nodiscard]] BANKHOOK_INLINE bool any() const { return marks(_mm_cmpeq_epi8(bytes, _mm_setzero_si128())) != 0xFFFF; }
};

}  // namespace bankhook::inline BANKHOOK_ABI::simd

#endif
