// SPDX-License-Identifier: MIT
// Parts of a payload that may be shown: names and punctuation as they are, every text and number as dots of its width.
#pragma once

#include <bankhook/json/read/skip.hpp>
#include <bankhook/json/recover/path.hpp>
#include <bankhook/json/recover/recovering_text.hpp>
#include <bankhook/text/hidden.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace bankhook::inline BANKHOOK_ABI {

/// Whether the values of a payload, which may be personal, are replaced by dots where it is shown.
enum class Redaction : std::uint8_t { on, off };

}  // namespace bankhook::inline BANKHOOK_ABI

namespace bankhook::inline BANKHOOK_ABI::json::detail {

/// Appends a character so that it can be shown, one for one: whatever would control a terminal or be invisible, and a byte
/// that is not UTF-8, becomes the replacement character.
constexpr void append_character(std::string& out, std::string_view text, text::Character character) {
  if (text[0] == '\t') out += ' ';  // however wide: what stands below it keeps its column
  else if (text::is_hidden(character.code_point) || character.code_point == 0xFFFD) out += "�";
  else out.append(text.substr(0, character.size));
}

[[nodiscard]] constexpr bool is_punctuation(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char c) { return c > ' ' && c < 0x7F && !is_word_character(c); });
}

}  // namespace bankhook::inline BANKHOOK_ABI::json::detail

namespace bankhook::inline BANKHOOK_ABI::json {

/// What of a text may be shown. Goes through it once where parts are asked for in its order, whatever it is: strings are
/// taken to end where the reader of broken text takes them to end. In doubt, something is redacted.
/// @tparam IsPublic says of a string's content whether it is never personal: a listed name or value
template <class IsPublic>
class RedactedText {
 public:
  constexpr RedactedText(std::string_view text, Redaction redaction, IsPublic is_public)
      : begin_(text.data()), end_(begin_ + text.size()), redaction_(redaction), is_public_(std::move(is_public)) {}

  /// Which part of `out` shows the token at a place; if the token starts before it, only the character there.
  struct Mark {
    std::size_t start = 0, end = 0;
  };

  /// The bytes [from, to), which hold no end of line, one character for each of theirs, appended to `out`.
  /// @param place lies in [from, to]; its mark is empty after the last byte
  constexpr Mark append(std::string& out, std::size_t from, std::size_t place, std::size_t to) {
    const Part shown{begin_ + from, begin_ + place, begin_ + to};
    if (shown.first < at_.begin) at_ = {};
    if (at_.begin == nullptr) at_ = token(begin_, '\0');
    while (at_.end <= shown.first && at_.end < end_) at_ = token(at_.end, at_.previous());
    Mark mark{out.size(), out.size()};
    for (Token part = at_; part.begin < shown.last; part = token(part.end, part.previous())) {
      append_token(out, part, shown, mark);
      if (part.end >= end_) break;
    }
    return place == to ? Mark{out.size(), out.size()} : mark;
  }

 private:
  struct Token {
    const char* begin = nullptr;
    const char* end = nullptr;
    char before = '\0';  ///< what the last token before it that is no white space began with
    bool is_shown = false;
    /// What it leaves after for the next one.
    [[nodiscard]] constexpr char previous() const { return is_space(*begin) ? before : *begin; }
  };

  /// What is asked for.
  struct Part {
    const char* first;
    const char* place;
    const char* last;
  };

  [[nodiscard]] constexpr Token token(const char* p, char before) const {
    if (p >= end_) return {end_, end_, before, true};
    if (is_space(*p)) return {p, after_space(p), before, true};
    if (*p == '"') return string(p, before);
    if (std::string_view("{}[],:").find(*p) != std::string_view::npos) return {p, p + 1, before, true};
    const char* const after = after_junk(p, end_);
    const std::string_view word(p, after);
    const bool is_word = word == "true" || word == "false" || word == "null";
    return {p, after, before, is_word || detail::is_punctuation(word)};
  }

  [[nodiscard]] constexpr const char* after_space(const char* p) const {
    while (p < end_ && is_space(*p)) ++p;
    return p;
  }

  /// A name is what stands after `{` or `,` and before a colon.
  [[nodiscard]] constexpr Token string(const char* p, char before) const {
    const char* const after = after_string(p, end_);
    const bool is_closed = after - p > 1 && after[-1] == '"';
    const std::string_view content(p + 1, is_closed ? after - 1 : after);
    const bool is_name =
        (before == '{' || before == ',') && content.size() <= max_name_characters && colon_follows(after, end_);
    return {p, after, before, is_closed && (is_name || is_public_(content))};
  }

  constexpr void append_token(std::string& out, const Token& part, const Part& shown, Mark& mark) const {
    const bool is_string = *part.begin == '"';
    const bool is_shown = part.is_shown || redaction_ == Redaction::off;
    for (const char* p = std::max(part.begin, shown.first); p < std::min(part.end, shown.last);) {
      const std::string_view rest(p, part.end);
      const text::Character character = text::first_character(rest);
      const char* const next = p + character.size;
      const bool is_quote = is_string && *p == '"' && (p == part.begin || next == part.end);
      if (p <= shown.place) mark.start = out.size();
      if (is_shown || is_quote) detail::append_character(out, rest, character);
      else out += "·";
      const bool is_marked = p <= shown.place || (part.begin == shown.place && !is_space(*part.begin));
      if (is_marked) mark.end = out.size();
      p = next;
    }
  }

  const char* begin_;
  const char* end_;
  Redaction redaction_;
  IsPublic is_public_;
  Token at_{};
};

}  // namespace bankhook::inline BANKHOOK_ABI::json
