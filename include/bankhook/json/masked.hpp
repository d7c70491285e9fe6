// SPDX-License-Identifier: MIT
// Parts of a payload that may be shown: names and punctuation as they are, every text and number as dots of its width.
#pragma once

#include <bankhook/json/mended_text.hpp>
#include <bankhook/json/path.hpp>
#include <bankhook/json/skip.hpp>
#include <bankhook/text/utf8.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace bankhook::json {

/// Whether values of a payload are shown, which may be personal.
enum class Values : bool { masked, shown };

}  // namespace bankhook::json

namespace bankhook::json::detail {

/// Behind the character at `p`; an ill-formed byte is one, too.
[[nodiscard]] constexpr const char* behind_character(const char* p, const char* end) {
  const char* const next = text::detail::next_sequence(p, end);
  return next != nullptr ? next : p + 1;
}

/// The character [p, next) where it can be shown; an ill-formed or control character shows itself as the replacement.
constexpr void append_character(std::string& out, const char* p, const char* next) {
  const auto c = static_cast<unsigned char>(*p);
  const bool is_control = c < 0x20 || c == 0x7F || (c == 0xC2 && static_cast<unsigned char>(p[1]) < 0xA0);
  const bool is_ill_formed = c >= 0x80 && next - p == 1;
  if (*p == '\t') out += '\t';
  else if (is_control || is_ill_formed) out += "�";
  else out.append(p, next);
}

[[nodiscard]] constexpr bool is_punctuation(std::string_view word) {
  return std::ranges::all_of(word, [](char c) { return c > ' ' && c < 0x7F && !is_plain({&c, 1}); });
}

}  // namespace bankhook::json::detail

namespace bankhook::json {

/// What of a text may be shown. Goes through it once where parts are asked for in its order, whatever it is: strings are
/// taken to end where the reader of broken text takes them to end. In doubt, something is masked.
/// @tparam IsPublic says of a string's content whether it is never personal: a listed name or value
template <class IsPublic>
class MaskedText {
 public:
  constexpr MaskedText(std::string_view text, Values values, IsPublic is_public)
      : begin_(text.data()), end_(begin_ + text.size()), values_(values), is_public_(std::move(is_public)) {}

  /// The bytes [from, to), which hold no end of line, one character for each of theirs, appended to `out`.
  /// @return the size of `out` before the character at `mark`, which lies in [from, to]
  constexpr std::size_t append(std::string& out, std::size_t from, std::size_t mark, std::size_t to) {
    const Part shown{begin_ + from, begin_ + mark, begin_ + to};
    if (shown.first < at_.begin) at_ = {};
    if (at_.begin == nullptr) at_ = token(begin_, '\0');
    while (at_.end <= shown.first && at_.end < end_) at_ = token(at_.end, at_.previous());
    std::size_t marked = out.size();
    for (Token part = at_; part.begin < shown.last; part = token(part.end, part.previous())) {
      append_token(out, part, shown, marked);
      if (part.end >= end_) break;
    }
    return mark == to ? out.size() : marked;
  }

 private:
  struct Token {
    const char* begin = nullptr;
    const char* end = nullptr;
    char before = '\0';  ///< what the last token before it that is no white space began with
    bool is_shown = false;
    /// What it leaves behind for the next one.
    [[nodiscard]] constexpr char previous() const { return is_space(*begin) ? before : *begin; }
  };

  /// What is asked for.
  struct Part {
    const char* first;
    const char* mark;
    const char* last;
  };

  [[nodiscard]] constexpr Token token(const char* p, char before) const {
    if (p >= end_) return {end_, end_, before, true};
    if (is_space(*p)) return {p, behind_space(p), before, true};
    if (*p == '"') return string(p, before);
    if (std::string_view("{}[],:").find(*p) != std::string_view::npos) return {p, p + 1, before, true};
    const char* const behind = behind_junk(p, end_);
    const std::string_view word(p, behind);
    const bool is_word = word == "true" || word == "false" || word == "null";
    return {p, behind, before, is_word || detail::is_punctuation(word)};
  }

  [[nodiscard]] constexpr const char* behind_space(const char* p) const {
    while (p < end_ && is_space(*p)) ++p;
    return p;
  }

  /// A name is what stands behind `{` or `,` and before a colon.
  [[nodiscard]] constexpr Token string(const char* p, char before) const {
    const char* const behind = behind_string(p, end_);
    const bool is_closed = behind - p > 1 && behind[-1] == '"';
    const std::string_view content(p + 1, is_closed ? behind - 1 : behind);
    const bool is_name =
        (before == '{' || before == ',') && content.size() <= most_of_a_name && colon_follows(behind, end_);
    return {p, behind, before, is_closed && (is_name || is_public_(content))};
  }

  constexpr void append_token(std::string& out, const Token& part, const Part& shown, std::size_t& marked) const {
    const bool is_string = *part.begin == '"';
    const bool is_shown = part.is_shown || values_ == Values::shown;
    for (const char* p = std::max(part.begin, shown.first); p < std::min(part.end, shown.last);) {
      const char* const next = detail::behind_character(p, part.end);
      const bool is_quote = is_string && *p == '"' && (p == part.begin || next == part.end);
      if (p <= shown.mark) marked = out.size();
      if (is_shown || is_quote) detail::append_character(out, p, next);
      else out += "·";
      p = next;
    }
  }

  const char* begin_;
  const char* end_;
  Values values_;
  IsPublic is_public_;
  Token at_{};
};

}  // namespace bankhook::json
