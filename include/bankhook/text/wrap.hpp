// SPDX-License-Identifier: MIT
// Sentences broken into lines of a given width.
#pragma once

#include <bankhook/text/cells.hpp>
#include <bankhook/text/hidden.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI::text {

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
