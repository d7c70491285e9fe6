// SPDX-License-Identifier: MIT
// How the events of an archive follow each other, found out from its start, which may come in pieces.
#pragma once

#include <bankhook/events/archive/nesting.hpp>
#include <bankhook/json/read/white_space.hpp>

#include <optional>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI::detail {

/// How the events of an archive follow each other.
enum class Layout : unsigned char {
  lines,     ///< one event a line
  elements,  ///< as elements of an array, each over several lines, or several on one line
};

/// Finds the layout of an archive. The first event decides: it is an element if a `[` precedes it, if another object
/// follows it on its line, or if its line ends in the middle of an object and the next line goes on with it. Each byte is
/// looked at once, and no text is kept.
class LayoutFinder {
 public:
  /// Takes the next piece of the archive's start; what follows the byte that decides is not looked at.
  constexpr void add(std::string_view piece) {
    for (auto c = piece.begin(); c != piece.end() && !found_; ++c) step(*c);
  }

  /// The layout, or nothing if more has to be seen: an archive that ends then is one of lines.
  [[nodiscard]] constexpr std::optional<Layout> found() const { return found_; }

 private:
  constexpr void step(char c) {
    if (line_ended_) return take_of_next_line(c);
    if (!begun_) {
      if (json::is_space(c)) return;
      begun_ = c == '{';
      if (!begun_) found_ = c == '[' ? Layout::elements : Layout::lines;
    } else if (c == '\n') {
      line_ended_ = true;
      if (nesting_.depth() == 0 || nesting_.in_string()) found_ = Layout::lines;
    } else if (c == '{' && nesting_.is_closed_object()) {
      found_ = Layout::elements;
    }
    nesting_.take(c);
  }

  constexpr void take_of_next_line(char c) {
    if (json::is_space(c)) return;
    const bool is_open = std::string_view("{[,:").contains(nesting_.last());
    const bool goes_on = c != '{' && (is_open || std::string_view(",:]}").contains(c));
    found_ = goes_on ? Layout::elements : Layout::lines;
  }

  Nesting nesting_;  ///< in the first event
  std::optional<Layout> found_;
  bool begun_ = false;
  bool line_ended_ = false;
};

}  // namespace bankhook::inline BANKHOOK_ABI::detail
