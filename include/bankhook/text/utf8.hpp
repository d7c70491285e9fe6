// SPDX-License-Identifier: MIT
// UTF-8 as RFC 3629 has it: finding what is ill-formed, and encoding a code point.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/text/eight_bytes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace bankhook::inline BANKHOOK_ABI::text {

/// Whether a byte continues a character of several bytes (10......).
[[nodiscard]] constexpr bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; }

}  // namespace bankhook::inline BANKHOOK_ABI::text

namespace bankhook::inline BANKHOOK_ABI::text::detail {

/// Whether all eight bytes are ASCII or whole two-byte forms; one more form may begin at the last byte.
[[nodiscard]] BANKHOOK_INLINE constexpr bool has_short_forms_only(std::uint64_t word) {
  const std::uint64_t high = word & high_bits;
  const std::uint64_t leads = high & word << 1;                                             // 11......
  const std::uint64_t continuations = high & ~(word << 1);                                  // 10......
  const std::uint64_t longer = leads & word << 2;                                           // 111.....
  const std::uint64_t overlong = leads & ~(word << 3 | word << 4 | word << 5 | word << 6);  // 1100000.
  return (longer | overlong | (continuations ^ leads << 8)) == 0;
}

[[nodiscard]] constexpr bool is_between(char c, int low, int high) {
  return static_cast<unsigned char>(c) >= low && static_cast<unsigned char>(c) <= high;
}

/// After the well-formed sequence at `p`, or nullptr if it is ill-formed. The second byte of the longer forms is where
/// overlong forms, surrogates and what lies above U+10FFFF show (RFC 3629, section 4).
[[nodiscard]] constexpr const char* next_sequence(const char* p, const char* end) {
  const auto lead = static_cast<unsigned char>(*p);
  if (lead < 0x80) return p + 1;
  const int size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (lead < 0xC2 || lead > 0xF4 || end - p < size) return nullptr;
  const int low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const int high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (!is_between(p[1], low, high)) return nullptr;
  for (int i = 2; i < size; ++i) {
    if (!is_between(p[i], 0x80, 0xBF)) return nullptr;
  }
  return p + size;
}

}  // namespace bankhook::inline BANKHOOK_ABI::text::detail

namespace bankhook::inline BANKHOOK_ABI::text {

/// The first byte of the first ill-formed sequence of [begin, end), or `end` if the text is well-formed. Rejected are
/// overlong forms, surrogates, code points above U+10FFFF and sequences that the end cuts off. Eight bytes a step
/// over ASCII and two-byte forms (Latin, Greek, Cyrillic).
[[nodiscard]] constexpr const char* find_invalid_utf8(const char* begin, const char* end) {
  const char* p = begin;
  while (p < end) {
    const std::uint64_t word = load_up_to_8(p, end);
    if (detail::has_short_forms_only(word)) [[likely]] {
      const auto cut_off = static_cast<std::ptrdiff_t>(word >> 63 & word >> 62);  // a form that begins at the last byte
      p += std::min<std::ptrdiff_t>(8 - cut_off, end - p);
      continue;
    }
    const char* const after_word = p + std::min<std::ptrdiff_t>(8, end - p);
    while (p < after_word) {
      const char* const next = detail::next_sequence(p, end);
      if (next == nullptr) [[unlikely]]
        return p;
      p = next;
    }
  }
  return end;
}

/// Writes `code_point` to `out`, at most 4 bytes, and returns the position after.
/// It must be a scalar value: not above U+10FFFF and no surrogate.
constexpr char* encode_utf8(char32_t code_point, char* out) {
  const auto six_bits = [&](unsigned shift) { return static_cast<char>(0x80 | (code_point >> shift & 0x3F)); };
  if (code_point < 0x80) {
    *out++ = static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    *out++ = static_cast<char>(0xC0 | code_point >> 6);
    *out++ = six_bits(0);
  } else if (code_point < 0x10000) {
    *out++ = static_cast<char>(0xE0 | code_point >> 12);
    *out++ = six_bits(6);
    *out++ = six_bits(0);
  } else {
    *out++ = static_cast<char>(0xF0 | code_point >> 18);
    *out++ = six_bits(12);
    *out++ = six_bits(6);
    *out++ = six_bits(0);
  }
  return out;
}

}  // namespace bankhook::inline BANKHOOK_ABI::text
