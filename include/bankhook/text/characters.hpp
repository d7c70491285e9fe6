// SPDX-License-Identifier: MIT
// The characters of a text: those that messages never contain, how wide they are in a terminal, and lines that fit there.
#pragma once

#include <bankhook/text/utf8.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace text {

/// Code points from `first` to `last`.
struct CharacterRange {
  char32_t first;
  char32_t last;
};

/// Controls (C0, DEL, C1), ends of lines and paragraphs, format characters (including writing direction), invisible
/// characters (Default_Ignorable_Code_Point), surrogates and noncharacters, as of Unicode 16. In order.
inline constexpr auto hidden_characters = std::to_array<CharacterRange>({
    {0x0, 0x1F},        {0x7F, 0x9F},       {0xAD, 0xAD},       {0x34F, 0x34F},     {0x600, 0x605},
    {0x61C, 0x61C},     {0x6DD, 0x6DD},     {0x70F, 0x70F},     {0x890, 0x891},     {0x8E2, 0x8E2},
    {0x115F, 0x1160},   {0x17B4, 0x17B5},   {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E},
    {0x2060, 0x206F},   {0x3164, 0x3164},   {0xD800, 0xDFFF},   {0xFDD0, 0xFDEF},   {0xFE00, 0xFE0F},
    {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFB},   {0xFFFE, 0xFFFF},   {0x110BD, 0x110BD},
    {0x110CD, 0x110CD}, {0x13430, 0x1343F}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0x1FFFE, 0x1FFFF},
    {0x2FFFE, 0x2FFFF}, {0x3FFFE, 0x3FFFF}, {0x4FFFE, 0x4FFFF}, {0x5FFFE, 0x5FFFF}, {0x6FFFE, 0x6FFFF},
    {0x7FFFE, 0x7FFFF}, {0x8FFFE, 0x8FFFF}, {0x9FFFE, 0x9FFFF}, {0xAFFFE, 0xAFFFF}, {0xBFFFE, 0xBFFFF},
    {0xCFFFE, 0xCFFFF}, {0xDFFFE, 0xE0FFF}, {0xEFFFE, 0xEFFFF}, {0xFFFFE, 0xFFFFF}, {0x10FFFE, 0x10FFFF},
});

/// Whether a code point lies in one of the ranges, which are in order.
[[nodiscard]] constexpr bool is_within(const auto& ranges, char32_t code_point) {
  const auto range = std::lower_bound(ranges.begin(), ranges.end(), code_point,
                                      [](const CharacterRange& one, char32_t sought) { return one.last < sought; });
  return range != ranges.end() && range->first <= code_point;
}

/// Whether a character is hidden.
[[nodiscard]] constexpr bool is_hidden(char32_t code_point) { return is_within(hidden_characters, code_point); }

/// A character of a text: its code point and its size in bytes. A byte that is not part of a well-formed sequence
/// is U+FFFD, of one byte.
struct Character {
  char32_t code_point = 0xFFFD;
  std::size_t size = 1;
};

/// The first character of `text`, which is not empty.
[[nodiscard]] constexpr Character first_character(std::string_view text) {
  const char* const begin = text.data();
  const char* const next = next_sequence(begin, begin + text.size());
  if (next == nullptr) return {};
  const auto size = static_cast<std::size_t>(next - begin);
  constexpr std::array<unsigned, 5> lead_bits{0, 0x7F, 0x1F, 0x0F, 0x07};
  char32_t code_point = static_cast<unsigned char>(*begin) & lead_bits[size];
  for (std::size_t i = 1; i < size; ++i) code_point = code_point << 6 | (static_cast<unsigned char>(begin[i]) & 0x3F);
  return {code_point, size};
}

/// White space, as of Unicode 16, that is not hidden. In order.
inline constexpr auto spaces = std::to_array<CharacterRange>({
    {0x20, 0x20},
    {0xA0, 0xA0},
    {0x1680, 0x1680},
    {0x2000, 0x200A},
    {0x202F, 0x202F},
    {0x205F, 0x205F},
    {0x3000, 0x3000},
});

/// Whether `text` is empty, or has hidden characters and white space only.
[[nodiscard]] constexpr bool shows_nothing(std::string_view text) {
  while (!text.empty()) {
    const Character character = first_character(text);
    if (!is_within(spaces, character.code_point) && !is_hidden(character.code_point)) return false;
    text.remove_prefix(character.size);
  }
  return true;
}

/// At most `limit` characters of `text`, cut between two of them; all of it if it has no more.
[[nodiscard]] constexpr std::string_view first_characters(std::string_view text, std::size_t limit) {
  std::size_t size = 0;
  for (std::size_t count = 0; size < text.size(); ++count) {
    if (count == limit) return text.substr(0, size);
    size += first_character(text.substr(size)).size;
  }
  return text;
}

/// Appends a hidden character as a string literal of RFC 9535 has it.
constexpr void append_escape(std::string& out, char32_t code_point) {
  if (code_point >= 0x10000) {
    append_escape(out, 0xD800 + (code_point - 0x10000) / 0x400);
    return append_escape(out, 0xDC00 + (code_point - 0x10000) % 0x400);
  }
  constexpr std::string_view letters = "btn fr", digits = "0123456789abcdef";  // from U+0008 on; U+000B has none
  const bool has_letter = code_point >= '\b' && code_point <= '\r' && code_point != '\v';
  out.append("\\").append(1, has_letter ? letters[code_point - '\b'] : 'u');
  for (unsigned shift = has_letter ? 0 : 16; shift > 0; shift -= 4) out += digits[code_point >> (shift - 4) & 0xF];
}

/// Appends `text` so that it can stand between single quotes: quote, backslash and hidden characters are escaped as in a
/// string literal of RFC 9535 (`\'`, `\\`, `\n`, `\u001b`, `\ud83d\ude00`); a byte that is not UTF-8 becomes U+FFFD.
constexpr void append_escaped(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const Character character = first_character(text);
    const bool is_ill_formed = character.code_point == 0xFFFD && character.size == 1;
    if (character.code_point == '\'' || character.code_point == '\\') out.append("\\").append(text.substr(0, 1));
    else if (is_hidden(character.code_point)) append_escape(out, character.code_point);
    else if (is_ill_formed) out += "\xEF\xBF\xBD";
    else out.append(text.substr(0, character.size));
    text.remove_prefix(character.size);
  }
}

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

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::text
