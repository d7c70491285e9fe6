// SPDX-License-Identifier: MIT
// How the events of an archive follow each other: on lines, or as elements. Brackets and strings tell, damaged or not.
#pragma once

#include "envelopes.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace bankhook::python {

/// Follows a text character by character. A damaged text has an end, too: a string ends with its line, because no line
/// ends within a string of JSON, and a bracket closes those that were left open within it.
class Nesting {
 public:
  /// Takes the next character.
  constexpr void take(char c) {
    if (in_string_) return take_in_string(c);
    if (detail::json::is_space(c) || (is_closed_object() && detail::json::byte_order_mark.contains(c))) return;
    if (c == '{' || c == '[') {
      open_.push_back(c);
      braces_ += c == '{';
    } else if (can_close(c)) {
      close(c == '}' ? '{' : '[');
    }
    in_string_ = c == '"';
    last_ = c;
  }

  [[nodiscard]] constexpr bool in_string() const { return in_string_; }
  /// Whether a backslash precedes the next character of a string.
  [[nodiscard]] constexpr bool escapes() const { return escaped_; }
  /// Skips characters of a string none of which ends it; `escapes`: the last one is a backslash that escapes the next.
  constexpr void skip(bool escapes) { escaped_ = escapes; }
  /// Whether `c` is a bracket that closes one of those that are open.
  [[nodiscard]] constexpr bool can_close(char c) const {
    return (c == '}' && braces_ > 0) || (c == ']' && open_.size() > braces_);
  }
  [[nodiscard]] constexpr std::size_t depth() const { return open_.size(); }
  /// Whether an object has ended and nothing has followed it: then another one may begin, as in `{}{}`.
  [[nodiscard]] constexpr bool is_closed_object() const { return depth() == 0 && !in_string_ && last_ == '}'; }
  /// The last character that is not white space; a quote after a string.
  [[nodiscard]] constexpr char last() const { return last_; }
  /// Whether JSON allows a value after what was taken, which is not empty: it opens a bracket, or is a comma or a colon.
  [[nodiscard]] constexpr bool expects_value() const {
    if (open_.empty()) return false;
    return open_.back() == '{' ? last_ == ':' : last_ == '[' || last_ == ',';
  }

 private:
  constexpr void take_in_string(char c) {
    if (c == '\n' || (c == '"' && !escaped_)) {
      in_string_ = false;
      last_ = '"';
    }
    escaped_ = c == '\\' && !escaped_;
  }

  /// Closes the innermost bracket of this kind and all within it.
  constexpr void close(char opener) {
    for (bool is_found = false; !is_found; open_.pop_back()) {
      is_found = open_.back() == opener;
      braces_ -= open_.back() == '{';
    }
  }

  std::string open_;        ///< the open brackets
  std::size_t braces_ = 0;  ///< among them
  char last_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;
};

/// How the events of an archive follow each other.
enum class Layout : unsigned char {
  lines,     ///< one event a line
  elements,  ///< as elements of an array, each over several lines, or several on one line
  rows,      ///< as cells of CSV
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
      if (detail::json::is_space(c)) return;
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
    if (detail::json::is_space(c)) return;
    const bool is_open = std::string_view("{[,:").contains(nesting_.last());
    const bool goes_on = c != '{' && (is_open || std::string_view(",:]}").contains(c));
    found_ = goes_on ? Layout::elements : Layout::lines;
  }

  Nesting nesting_;  ///< in the first event
  std::optional<Layout> found_;
  bool begun_ = false;
  bool line_ended_ = false;
};

}  // namespace bankhook::python
