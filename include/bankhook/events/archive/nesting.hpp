// SPDX-License-Identifier: MIT
// Which brackets are open in a text that may be damaged: what tells where an event ends that lies over several lines.
#pragma once

#include <bankhook/json/read/white_space.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace bankhook::inline BANKHOOK_ABI::detail {

/// Follows a text character by character. A damaged text has an end, too: a string ends with its line, because no line
/// ends within a string of JSON, and a bracket closes those that were left open within it.
class Nesting {
 public:
  /// Takes the next character.
  constexpr void take(char c) {
    if (in_string_) return take_in_string(c);
    if (json::is_space(c)) return;
    if (c == '{' || c == '[') open(c == '{');
    else if (can_close(c)) close(c == '}');
    in_string_ = c == '"';
    last_ = c;
  }

  [[nodiscard]] constexpr bool in_string() const { return in_string_; }
  /// Whether `c` is a bracket that closes one of those that are open.
  [[nodiscard]] constexpr bool can_close(char c) const {
    return (c == '}' && deeper_ + braces_ > 0) || (c == ']' && deeper_ + depth_ - braces_ > 0);
  }
  [[nodiscard]] constexpr std::size_t depth() const { return depth_ + deeper_; }
  /// Whether an object has ended and nothing has followed it: then another one may begin, as in `{}{}`.
  [[nodiscard]] constexpr bool is_closed_object() const { return depth() == 0 && !in_string_ && last_ == '}'; }
  /// The last character that is not white space; a quote after a string.
  [[nodiscard]] constexpr char last() const { return last_; }
  /// Whether JSON allows a value after what was taken, which is not empty: it opens a bracket, or is a comma or a colon.
  [[nodiscard]] constexpr bool expects_value() const {
    if (depth() == 0) return false;
    if (deeper_ == 0 && is_brace(depth_ - 1)) return last_ == ':';
    return last_ == '[' || last_ == ',';
  }

 private:
  static constexpr std::size_t known_depth = 1024;  // deeper text is no event; its brackets are only counted

  constexpr void take_in_string(char c) {
    if (c == '\n' || (c == '"' && !escaped_)) {
      in_string_ = false;
      last_ = '"';
    }
    escaped_ = c == '\\' && !escaped_;
  }

  constexpr void open(bool brace) {
    if (depth_ == known_depth) {
      ++deeper_;
      return;
    }
    const std::uint64_t bit = std::uint64_t{1} << depth_ % 64;
    if (brace) kinds_[depth_ / 64] |= bit;
    else kinds_[depth_ / 64] &= ~bit;
    ++depth_;
    braces_ += brace;
  }

  /// Closes the innermost bracket of this kind and all within it.
  constexpr void close(bool brace) {
    if (deeper_ > 0) {
      --deeper_;
      return;
    }
    for (bool found = false; !found;) {
      found = is_brace(--depth_) == brace;
      braces_ -= is_brace(depth_);
    }
  }

  [[nodiscard]] constexpr bool is_brace(std::size_t level) const { return (kinds_[level / 64] >> level % 64 & 1) != 0; }

  std::array<std::uint64_t, known_depth / 64> kinds_{};  ///< of the open brackets, a bit a level: set for a brace
  std::size_t depth_ = 0;
  std::size_t deeper_ = 0;  ///< levels beyond those
  std::size_t braces_ = 0;  ///< among the levels up to `depth_`
  char last_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;
};

}  // namespace bankhook::inline BANKHOOK_ABI::detail
