// SPDX-License-Identifier: MIT
// How wide text is in a terminal, so that a caret is under its place, and sentences broken into lines that fit.
#pragma once

#include <bankhook/text/hidden.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI::text {

/// Marks that share the cell of what precedes them: those of Latin, Greek, Cyrillic, Hebrew, Arabic and Japanese text, and
/// the vowels and finals of Hangul syllables. In order.
inline constexpr auto combining_characters = std::to_array<CharacterRange>({
    {0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},   {0x5BF, 0x5BF},   {0x5C1, 0x5C2},   {0x5C4, 0x5C5},
    {0x5C7, 0x5C7},   {0x610, 0x61A},   {0x64B, 0x65F},   {0x670, 0x670},   {0x6D6, 0x6DC},   {0x6DF, 0x6E4},
    {0x6E7, 0x6E8},   {0x6EA, 0x6ED},   {0x1160, 0x11FF}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x20D0, 0x20F0},
    {0x302A, 0x302D}, {0x3099, 0x309A}, {0xD7B0, 0xD7FF}, {0xFE20, 0xFE2F},
});

/// Characters that take two cells: East Asian ones that are wide, and pictures. In order; ranges go on over what is not
/// assigned.
inline constexpr auto wide_characters = std::to_array<CharacterRange>({
    {0x1100, 0x115E},   {0x2E80, 0x3029},   {0x302E, 0x303E},   {0x3041, 0x3096},   {0x309B, 0x3247},
    {0x3250, 0xA4C6},   {0xA960, 0xA97C},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE10, 0xFE19},
    {0xFE30, 0xFE6B},   {0xFF01, 0xFF60},   {0xFFE0, 0xFFE6},   {0x16FE0, 0x1B2FB}, {0x1F300, 0x1F320},
    {0x1F32D, 0x1F64F}, {0x1F680, 0x1F6FC}, {0x1F90C, 0x1F9FF}, {0x1FA70, 0x1FAFA}, {0x20000, 0x3FFFD},
});

/// How many cells of a terminal a character takes that is not hidden. Terminals differ in what they do with new characters
/// and with sequences that form one picture; here each code point counts for itself. Of scripts whose marks are not listed,
/// each mark counts as a cell.
[[nodiscard]] constexpr std::size_t cells_of(char32_t code_point) {
  if (code_point < combining_characters.front().first) return 1;
  if (is_within(combining_characters, code_point)) return 0;
  return is_within(wide_characters, code_point) ? 2 : 1;
}

/// How many cells a text takes. It has no hidden characters.
[[nodiscard]] constexpr std::size_t count_cells(std::string_view text) {
  std::size_t cells = 0;
  while (!text.empty()) {
    const Character character = first_character(text);
    cells += cells_of(character.code_point);
    text.remove_prefix(character.size);
  }
  return cells;
}

/// How far lines are indented.
struct Indent {
  std::size_t first = 0;  ///< blanks before the first line
  std::size_t rest = 0;   ///< blanks before the others
};

/// Appends words, which have one blank between them, as lines of at most `width` cells, without an end of line after the
/// last one. A word that is longer than a line is broken between two characters, so that nothing is left out.
constexpr void append_wrapped(std::string& out, std::string_view words, std::size_t width, Indent indent) {
  std::size_t column = indent.first;
  out.append(column, ' ');
  const auto start_line = [&] {
    out += '\n';
    out.append(indent.rest, ' ');
    column = indent.rest;
  };
  for (bool is_first = true; is_first || !words.empty(); is_first = false) {
    if (!is_first) words.remove_prefix(1);
    std::string_view word = words.substr(0, words.find(' '));
    words.remove_prefix(word.size());
    if (!is_first && column + 1 + count_cells(word) > width) {
      start_line();
    } else if (!is_first) {
      out += ' ';
      ++column;
    }
    while (!word.empty()) {
      const Character character = first_character(word);
      const std::size_t cells = cells_of(character.code_point);
      if (column + cells > width && column > indent.rest && cells > 0) start_line();
      column += cells;
      out.append(word.substr(0, character.size));
      word.remove_prefix(character.size);
    }
  }
}

}  // namespace bankhook::inline BANKHOOK_ABI::text
