// SPDX-License-Identifier: MIT
// Counts lines and columns along a text, many bytes at once.
#pragma once

#include <bankhook/base/simd.hpp>
#include <bankhook/text/eight_bytes.hpp>
#include <bankhook/text/utf8.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI::text {

/// How many characters start in UTF-8 text; a stray continuation byte counts with what precedes it.
[[nodiscard]] constexpr std::size_t count_characters(std::string_view text) {
  std::size_t continued = 0;
  std::size_t at = 0;
  for (; text.size() - at >= 8; at += 8) {
    const std::uint64_t word = load8(text.data() + at);
    const std::uint64_t marks = (word >> 7) & (~word >> 6) & every_byte;  // the bytes 10xxxxxx
    continued += (marks * every_byte) >> 56;
  }
  for (; at < text.size(); ++at) continued += continues_character(text[at]);
  return text.size() - continued;
}

/// How many ends of lines (LF) are in the text.
[[nodiscard]] constexpr std::size_t count_line_ends(std::string_view text) {
  std::size_t others = 0;
  std::size_t at = 0;
  for (; text.size() - at >= 8; at += 8) {
    const std::uint64_t difference = load8(text.data() + at) ^ every_byte * '\n';
    const std::uint64_t marks = (((difference | high_bits) - every_byte) | difference) & high_bits;  // where it is not zero
    others += ((marks >> 7) * every_byte) >> 56;
  }
  for (; at < text.size(); ++at) others += text[at] != '\n';
  return text.size() - others;
}

/// The position in a text that is walked once: lines and columns (characters, not bytes) count from 1.
struct LineAndColumn {
  std::size_t line = 1;
  std::size_t column = 1;

  /// Walks over `more`, the text that follows.
  constexpr void advance(std::string_view more) {
    if !consteval {
      using Block = simd::Block32;
      for (; more.size() >= sizeof(Block); more.remove_prefix(sizeof(Block))) {
        const Block block = Block::load(more.data());
        // Most text has neither ends of lines nor characters of several bytes.
        if ((block.high() | block.same(Block::repeat('\n')).high()) == 0) column += sizeof(Block);
        else add(more.substr(0, sizeof(Block)));
      }
    }
    add(more);
  }

 private:
  constexpr void add(std::string_view more) {
    const std::size_t ends = count_line_ends(more);
    if (ends > 0) {
      line += ends;
      column = 1;
      more.remove_prefix(more.rfind('\n') + 1);
    }
    column += count_characters(more);
  }
};

}  // namespace bankhook::inline BANKHOOK_ABI::text
