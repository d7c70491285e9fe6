// SPDX-License-Identifier: MIT
// UTF-8 as RFC 3629 has it: finding what is ill-formed, counting lines and characters, encoding a code point.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/simd.hpp>
#include <bankhook/text/number.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace text {

/// Whether a byte continues a character of several bytes (10......).
[[nodiscard]] constexpr bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; }

/// How many characters start in UTF-8 text; a stray continuation byte counts with what precedes it.
[[nodiscard]] inline std::size_t count_characters(std::string_view text) {
  using simd::Block32;
  std::size_t characters = text.size();
  for (; text.size() >= sizeof(Block32); text.remove_prefix(sizeof(Block32))) {
    const std::uint32_t continuing = Block32::load(text.data()).below(-0x40).high();
    if (continuing != 0) characters -= static_cast<std::size_t>(std::popcount(continuing));
  }
  return characters - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues_character));
}

/// The position in a text that is walked once: lines and columns (characters, not bytes) count from 1.
struct LineAndColumn {
  std::size_t line = 1;
  std::size_t column = 1;

  /// Walks over `more`, the text that follows.
  void advance(std::string_view more) {
    for (std::size_t end = 0; (end = more.find('\n')) != more.npos; more.remove_prefix(end + 1)) {
      ++line;
      column = 1;
    }
    column += count_characters(more);
  }
};

/// After the well-formed sequence at `p`, or nullptr if it is ill-formed. The second byte of the longer forms is where
/// overlong forms, surrogates and what lies above U+10FFFF show (RFC 3629, section 4).
[[nodiscard]] constexpr const char* next_sequence(const char* p, const char* end) {
  const auto lead = static_cast<unsigned char>(*p);
  if (lead < 0x80) return p + 1;
  const int size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (lead < 0xC2 || lead > 0xF4 || end - p < size) return nullptr;
  const int low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const int high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  const auto second = static_cast<unsigned char>(p[1]);
  return second >= low && second <= high && std::all_of(p + 2, p + size, continues_character) ? p + size : nullptr;
}

/// The first byte of the first ill-formed sequence of [begin, end), or `end` if the text is well-formed. Rejected are
/// overlong forms, surrogates, code points above U+10FFFF and sequences that the end cuts off.
[[nodiscard]] constexpr const char* find_invalid_utf8(const char* begin, const char* end) {
  while (begin < end) {
    const bool is_ascii = end - begin >= 8 && (load8(begin) & high_bits) == 0;
    const char* const next = is_ascii ? begin + 8 : next_sequence(begin, end);
    if (next == nullptr) return begin;
    begin = next;
  }
  return end;
}

/// Writes `code_point` to `out`, at most 4 bytes, and returns the position after.
/// It must be a scalar value: not above U+10FFFF and no surrogate.
constexpr char* encode_utf8(char32_t code_point, char* out) {
  if (code_point < 0x80) {
    *out = static_cast<char>(code_point);
    return out + 1;
  }
  int more = code_point < 0x800 ? 1 : code_point < 0x10000 ? 2 : 3;            // bytes after the first
  *out++ = static_cast<char>(0xFF00U >> (more + 1) | code_point >> 6 * more);  // 110....., 1110...., 11110...
  while (more-- > 0) *out++ = static_cast<char>(0x80U | (code_point >> 6 * more & 0x3F));
  return out;
}

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::text
