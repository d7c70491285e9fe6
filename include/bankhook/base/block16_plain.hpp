// SPDX-License-Identifier: MIT
// Looking at 16 bytes at once without any instruction set: for processors of other kinds.
#pragma once

#include <bankhook/base/compiler.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace bankhook::inline BANKHOOK_ABI::simd {

struct Block16 {
  char bytes[16];
  [[nodiscard]] BANKHOOK_INLINE static Block16 load(const char* p) {
    Block16 block;
    std::memcpy(block.bytes, p, sizeof block.bytes);
    return block;
  }
  [[nodiscard]] BANKHOOK_INLINE static Block16 repeat(char c) {
    Block16 block;
    std::memset(block.bytes, c, sizeof block.bytes);
    return block;
  }
  BANKHOOK_INLINE void store(char* p) const { std::memcpy(p, bytes, sizeof bytes); }
  [[nodiscard]] BANKHOOK_INLINE Block16 same(Block16 other) const {
    Block16 result;
    for (std::size_t i = 0; i < sizeof bytes; ++i) result.bytes[i] = bytes[i] == other.bytes[i] ? '\xFF' : '\0';
    return result;
  }
  [[nodiscard]] BANKHOOK_INLINE Block16 operator&(Block16 other) const {
    for (std::size_t i = 0; i < sizeof bytes; ++i) other.bytes[i] = static_cast<char>(other.bytes[i] & bytes[i]);
    return other;
  }
  [[nodiscard]] BANKHOOK_INLINE bool all() const { return mask() == 0xFFFF; }
  /// The highest bit of each byte.
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t mask() const { return high(); }
  /// A bit a byte above 0x7F, that continues a form of UTF-8 (10......), that begins one of two bytes (C2 to DF).
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t high() const { return between(0x80, 0xFF); }
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t continuations() const { return between(0x80, 0xBF); }
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t leads_of_two() const { return between(0xC2, 0xDF); }
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t between(unsigned from, unsigned to) const {
    std::uint32_t mask = 0;
    for (std::size_t i = 0; i < sizeof bytes; ++i) {
      const auto c = static_cast<unsigned char>(bytes[i]);
      mask |= std::uint32_t{c >= from && c <= to} << i;
    }
    return mask;
  }
  /// A bit a byte that is a quote, a backslash, a control character or, if `ascii_only`, above 0x7F.
  template <bool ascii_only>
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t special_mask() const {
    std::uint32_t mask = 0;
    for (std::size_t i = 0; i < sizeof bytes; ++i) {
      const auto c = static_cast<unsigned char>(bytes[i]);
      const bool stop = c == '"' || c == '\\' || c < 0x20 || (ascii_only && c > 0x7F);
      mask |= std::uint32_t{stop} << i;
    }
    return mask;
  }
  /// A bit a byte that is white space in JSON.
  [[nodiscard]] BANKHOOK_INLINE std::uint32_t spaces() const {
    std::uint32_t mask = 0;
    for (std::size_t i = 0; i < sizeof bytes; ++i) {
      const char c = bytes[i];
      mask |= std::uint32_t{c == ' ' || c == '\n' || c == '\r' || c == '\t'} << i;
    }
    return mask;
  }
  /// Two words, one after the other.
  template <class Word>
  [[nodiscard]] BANKHOOK_INLINE static Block16 of(Word first, Word second) {
    Block16 block;
    std::memset(block.bytes, ' ', sizeof block.bytes);
    std::memcpy(block.bytes, &first, sizeof first);
    std::memcpy(block.bytes + sizeof first, &second, sizeof second);
    return block;
  }
  /// Not zero in each byte that must be escaped in a JSON string; `|` and `any` look at several blocks at once.
  [[nodiscard]] BANKHOOK_INLINE Block16 escapes() const {
    Block16 marks;
    for (std::size_t i = 0; i < sizeof bytes; ++i) {
      const auto c = static_cast<unsigned char>(bytes[i]);
      marks.bytes[i] = c == '"' || c == '\\' || c < 0x20 ? '\xFF' : '\0';
    }
    return marks;
  }
  [[nodiscard]] BANKHOOK_INLINE Block16 operator|(Block16 other) const {
    for (std::size_t i = 0; i < sizeof bytes; ++i) other.bytes[i] = static_cast<char>(other.bytes[i] | bytes[i]);
    return other;
  }
  [[nodiscard]] BANKHOOK_INLINE bool any() const {
    bool result = false;
    for (const char c : bytes) result = result || c != '\0';
    return result;
  }
};

}  // namespace bankhook::inline BANKHOOK_ABI::simd
