// SPDX-License-Identifier: MIT
// Looking at 16 bytes at once on aarch64, where each processor has NEON.
#pragma once

#include <bankhook/base/compiler.hpp>

#include <cstdint>
#include <cstring>

#if defined(__aarch64__) && defined(__ARM_NEON)

#include <arm_neon.h>

namespace bankhook::inline BANKHOOK_ABI::simd {

/// As Block16 of x86: see there what each function is for.
struct Block16 {
  uint8x16_t bytes;
  [[nodiscard]] BANKHOOK_INLINE static Block16 load(const char* p) {
    return {vld1q_u8(reinterpret_cast<const std::uint8_t*>(p))};
  }
  [[nodiscard]] BANKHOOK_INLINE static Block16 repeat(char c) { return {vdupq_n_u8(static_cast<std::uint8_t>(c))}; }
  BANKHOOK_INLINE void store(char* p) const { vst1q_u8(reinterpret_cast<std::uint8_t*>(p), bytes); }
  [[nodiscard]] BANKHOOK_INLINE Block16 same(Block16 other) const { return {vceqq_u8(bytes, other.bytes)}; }
  [[nodiscard]] BANKHOOK_INLINE Block16 operator&(Block16 other) const { return {vandq_u8(bytes, other.bytes)}; }
  [[nodiscard]] BANKHOOK_INLINE Block16 operator|(Block16 other) const { return {vorrq_u8(bytes, other.bytes)}; }
  [[nodiscard]] BANKHOOK_INLINE bool all() const { return vminvq_u8(bytes) >= 0x80; }
  [[nodiscard]] BANKHOOK_INLINE bool any() const { return vmaxvq_u8(bytes) != 0; }
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t mask() const { return high(); }
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t high() const { return marks(vcgeq_u8(bytes, vdupq_n_u8(0x80))); }
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t continuations() const { return marks(between(0x80, 0xBF)); }
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t leads_of_two() const { return marks(between(0xC2, 0xDF)); }
  template <bool ascii_only>
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t special_mask() const {
    const uint8x16_t escaped = escapes().bytes;
    return marks(ascii_only ? vorrq_u8(escaped, vcgeq_u8(bytes, vdupq_n_u8(0x80))) : escaped);
  }
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t spaces() const {
    const uint8x16_t blanks = vorrq_u8(equal(' '), equal('\t'));
    return marks(vorrq_u8(blanks, vorrq_u8(equal('\n'), equal('\r'))));
  }
  [[nodiscard]] BANKHOOK_INLINE Block16 escapes() const {
    return {vorrq_u8(vorrq_u8(equal('"'), equal('\\')), vcltq_u8(bytes, vdupq_n_u8(0x20)))};
  }
  /// Two words, one after the other.
  template <class Word>
  [[nodiscard]] BANKHOOK_INLINE static Block16 of(Word first, Word second) {
    alignas(16) char text[16];
    std::memset(text, ' ', sizeof text);
    std::memcpy(text, &first, sizeof first);
    std::memcpy(text + sizeof first, &second, sizeof second);
    return load(text);
  }

 private:
  [[nodiscard]] BANKHOOK_INLINE uint8x16_t equal(char c) const {
    return vceqq_u8(bytes, vdupq_n_u8(static_cast<std::uint8_t>(c)));
  }
  [[nodiscard]] BANKHOOK_INLINE uint8x16_t between(std::uint8_t from, std::uint8_t to) const {
    return vandq_u8(vcgeq_u8(bytes, vdupq_n_u8(from)), vcleq_u8(bytes, vdupq_n_u8(to)));
  }
  /// A bit a byte of a vector whose bytes are 0 or 0xFF: each half adds up its bytes' own bits.
  [[nodiscard]] BANKHOOK_INLINE static std::uint32_t marks(uint8x16_t m) {
    const uint8x8_t bits = vcreate_u8(0x8040'2010'0804'0201);
    const std::uint32_t low = vaddv_u8(vand_u8(vget_low_u8(m), bits));
    return low | std::uint32_t{vaddv_u8(vand_u8(vget_high_u8(m), bits))} << 8;
  }
};

}  // namespace bankhook::inline BANKHOOK_ABI::simd

#endif
