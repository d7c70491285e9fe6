// SPDX-License-Identifier: MIT
// Characters that a terminal, a log or a reader would take for something other than text: messages never contain them.
#pragma once

#include <bankhook/text/utf8.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI::text {

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
[[nodiscard]] constexpr bool is_within(std::span<const CharacterRange> ranges, char32_t code_point) {
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

/// At most `limit` characters of `text`, cut between two of them; all of it if it has no more.
[[nodiscard]] constexpr std::string_view first_characters(std::string_view text, std::size_t limit) {
  std::size_t size = 0;
  for (std::size_t count = 0; size < text.size(); ++count) {
    if (count == limit) return text.substr(0, size);
    size += first_character(text.substr(size)).size;
  }
  return text;
}

}  // namespace bankhook::inline BANKHOOK_ABI::text

namespace bankhook::inline BANKHOOK_ABI::text::detail {

constexpr void append_four_digits(std::string& out, char32_t unit) {
  constexpr std::string_view digits = "0123456789abcdef";
  out += "\\u";
  for (unsigned shift = 16; shift > 0; shift -= 4) out += digits[unit >> (shift - 4) & 0xF];
}

constexpr void append_escape(std::string& out, char32_t code_point) {
  switch (code_point) {
    case '\b': out += "\\b"; return;
    case '\t': out += "\\t"; return;
    case '\n': out += "\\n"; return;
    case '\f': out += "\\f"; return;
    case '\r': out += "\\r"; return;
    default: break;
  }
  if (code_point < 0x10000) return append_four_digits(out, code_point);
  append_four_digits(out, 0xD800 + (code_point - 0x10000) / 0x400);
  append_four_digits(out, 0xDC00 + (code_point - 0x10000) % 0x400);
}

}  // namespace bankhook::inline BANKHOOK_ABI::text::detail

namespace bankhook::inline BANKHOOK_ABI::text {

/// Appends `text` so that it can stand between single quotes: quote, backslash and hidden characters are escaped as in a
/// string literal of RFC 9535 (`\'`, `\\`, `\n`, `\u001b`, `\ud83d\ude00`); a byte that is not UTF-8 becomes U+FFFD.
constexpr void append_escaped(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const Character character = first_character(text);
    const bool is_ill_formed = character.code_point == 0xFFFD && character.size == 1;
    if (character.code_point == '\'' || character.code_point == '\\') out.append("\\").append(text.substr(0, 1));
    else if (is_hidden(character.code_point)) detail::append_escape(out, character.code_point);
    else if (is_ill_formed) out += "\xEF\xBF\xBD";
    else out.append(text.substr(0, character.size));
    text.remove_prefix(character.size);
  }
}

}  // namespace bankhook::inline BANKHOOK_ABI::text
