// SPDX-License-Identifier: MIT
// The part of a payload's line around a finding, as data: names and punctuation unchanged, values as dots of their width.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/events/rules/finding.hpp>
#include <bankhook/json/field_table.hpp>
#include <bankhook/json/recover/path.hpp>
#include <bankhook/json/recover/recovering_text.hpp>
#include <bankhook/json/tokens.hpp>
#include <bankhook/text/characters.hpp>
#include <bankhook/text/utf8.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail {

/// Whether `text` is the name of a field or a listed value in a struct of this table.
[[nodiscard]] constexpr bool is_listed_in(const json::FieldTable& table, std::string_view text) {
  for (const json::FieldRow& field : table.fields) {
    const json::ValueType& type = field.type->innermost();
    if (field.wire_name() == text || (type.table != nullptr && is_listed_in(*type.table, text))) return true;
    if (std::find(type.values.begin(), type.values.end(), text) != type.values.end()) return true;
  }
  return false;
}

/// Whether one of the events lists a text as a name or a value; it can then be shown, because it is not personal. A
/// template, so that what only includes this has no tables made.
bool is_listed(std::same_as<std::string_view> auto text) {
  const auto lists = [text]<class Event>() { return is_listed_in(json::field_table<Event>, text); };
  return event_index(text) < known_events || find_event(lists) < known_events;
}

/// Appends a character so that it can be shown, one for one: whatever would control a terminal or be invisible, and a byte
/// that is not UTF-8, becomes the replacement character.
inline void append_character(std::string& out, std::string_view text, text::Character character) {
  if (text[0] == '\t') out += ' ';  // however wide: what stands below it keeps its column
  else if (text::is_hidden(character.code_point) || character.code_point == 0xFFFD) out += "�";
  else out.append(text.substr(0, character.size));
}

[[nodiscard]] constexpr bool is_punctuation(char c) { return c > ' ' && c < 0x7F && !json::is_word_character(c); }

/// The part of the line around `offset` that is shown, at most `shown` bytes. Looks no further than these many bytes.
struct Window {
  std::size_t from = 0, to = 0;
  bool is_cut_before = false, is_cut_after = false;

  constexpr Window(std::string_view text, std::size_t offset, std::size_t shown) : from(offset), to(offset) {
    const auto ends = [&](std::size_t at) { return text[at] == '\n' || text[at] == '\r'; };
    const auto continues = [&](std::size_t at) { return at < text.size() && text::continues_character(text[at]); };
    while (from > 0 && !ends(from - 1) && offset - from < shown) --from;
    while (to < text.size() && !ends(to) && to - offset < shown) ++to;
    if (to - from > shown) {
      const std::size_t before = shown * 3 / 5;
      if (offset - from > before) from = offset - before;
      if (to - from > shown) to = from + shown;
      while (from < offset && continues(from)) ++from;
      while (to > offset && continues(to)) --to;
    }
    is_cut_before = from > 0 && !ends(from - 1);
    is_cut_after = to < text.size() && !ends(to);
  }
};

}}}  // namespace bankhook::BANKHOOK_ABI::detail

namespace bankhook { inline namespace BANKHOOK_ABI {

/// Whether the values of a payload, which may be personal, are replaced by dots where it is shown.
enum class Redaction : std::uint8_t { on, off };

/// A line of a payload around a finding, cut to a width. It is UTF-8 with one character for each of the payload's, without
/// control characters (a tab is a blank) and, unless they were asked for, without values.
struct Excerpt {
  std::size_t line = 1;  ///< counted from 1
  std::string text{};
  std::size_t start = 0;  ///< byte in `text` where the marked part starts; the text's size if that lies after the text
  std::size_t end = 0;    ///< byte after the marked part

  bool operator==(const Excerpt&) const = default;
};

/// Makes the excerpts of one payload. If findings come in the payload's order, as `diagnose` gives them, it goes through
/// the payload once, whatever it is: strings are taken to end where the reader of broken text takes them to end. In doubt,
/// something is redacted.
class Excerpts {
 public:
  /// @param json the payload, which must outlive this
  explicit Excerpts(Bytes json BANKHOOK_LIFETIMEBOUND, Redaction redaction = Redaction::on)
      : begin_(detail::json::without_mark(json).data()),
        end_(json.data() + json.size()),
        mark_size_(static_cast<std::size_t>(begin_ - json.data())),
        redaction_(redaction) {}

  /// The excerpt for a finding of this payload; nothing for one without an offset, as `check` gives them.
  /// @param width how many characters it has at most; two are left for the marks of what is cut, or for a caret after the
  ///        text; 4 bytes of the line are shown however small it is
  template <class = void>
  [[nodiscard]] std::optional<Excerpt> of(const Finding& finding, std::size_t width = 102) {
    if (!finding.offset || !finding.line) return std::nullopt;
    const std::string_view text(begin_, end_);
    const std::size_t offset = std::clamp(*finding.offset, mark_size_, mark_size_ + text.size()) - mark_size_;
    const detail::Window window(text, offset, std::max<std::size_t>(width, 6) - 2);
    Excerpt excerpt{.line = *finding.line, .text = window.is_cut_before ? "…" : ""};
    append(excerpt, {begin_ + window.from, begin_ + offset, begin_ + window.to});
    if (window.is_cut_after) excerpt.text += "…";
    return excerpt;
  }

 private:
  struct Token {
    const char* begin = nullptr;
    const char* end = nullptr;
    char before = '\0';  ///< what the last token before it that is no white space began with
    bool is_shown = false;
    /// What it leaves after for the next one.
    [[nodiscard]] char previous() const { return detail::json::is_space(*begin) ? before : *begin; }
  };

  /// What is asked for: the bytes [first, last), which hold no end of line, and a place in [first, last].
  struct Part {
    const char* first;
    const char* place;
    const char* last;
  };

  /// Appends one character for each of the bytes, and marks the token at the place; if the token starts before it, only the
  /// character there. The mark is empty after the last byte. A template, as is what it calls, so that tables are made where
  /// something is shown.
  void append(std::same_as<Excerpt> auto& out, const Part& shown) {
    if (tokens_.empty() || shown.first < tokens_.front().begin) tokens_.assign(1, token(begin_, '\0'));
    const auto next = [&](const Token& one) { return token(one.end, one.previous()); };
    const auto may_show = [&](const Token& one) { return one.end > shown.first || one.end == end_; };
    while (!may_show(tokens_.back())) tokens_.assign(1, next(tokens_.back()));
    tokens_.erase(tokens_.begin(), std::ranges::find_if(tokens_, may_show));
    while (tokens_.back().end < shown.last) tokens_.push_back(next(tokens_.back()));
    for (const Token& part : tokens_) append_token(out, part, shown);
    if (shown.place == shown.last) out.start = out.end = out.text.size();
  }

  [[nodiscard]] Token token(const char* p, std::same_as<char> auto before) const {
    if (p >= end_) return {end_, end_, before, true};
    if (detail::json::is_space(*p)) return {p, std::find_if_not(p, end_, detail::json::is_space), before, true};
    if (*p == '"') return string(p, before);
    if (std::string_view("{}[],:").find(*p) != std::string_view::npos) return {p, p + 1, before, true};
    const char* const after = detail::json::after_junk(p, end_);
    const std::string_view word(p, after);
    const bool is_word = word == "true" || word == "false" || word == "null";
    return {p, after, before, is_word || std::ranges::all_of(word, detail::is_punctuation)};
  }

  /// A name is what stands after `{` or `,` and before a colon.
  [[nodiscard]] Token string(const char* p, std::same_as<char> auto before) const {
    const char* const after = detail::json::after_string(p, end_);
    const bool is_closed = after - p > 1 && after[-1] == '"';
    const std::string_view content(p + 1, is_closed ? after - 1 : after);
    const bool is_name = (before == '{' || before == ',') && content.size() <= detail::json::max_name_characters &&
                         detail::json::colon_follows(after, end_);
    return {p, after, before, is_closed && (is_name || detail::is_listed(content))};
  }

  void append_token(Excerpt& out, const Token& part, const Part& shown) const {
    const bool is_shown = part.is_shown || redaction_ == Redaction::off;
    for (const char* p = (std::max)(part.begin, shown.first); p < (std::min)(part.end, shown.last);) {
      const std::string_view rest(p, part.end);
      const detail::text::Character character = detail::text::first_character(rest);
      const char* const next = p + character.size;
      const bool is_quote = *part.begin == '"' && *p == '"' && (p == part.begin || next == part.end);
      if (p <= shown.place) out.start = out.text.size();
      if (is_shown || is_quote) detail::append_character(out.text, rest, character);
      else out.text += "·";
      const bool is_marked = p <= shown.place || (part.begin == shown.place && !detail::json::is_space(*part.begin));
      if (is_marked) out.end = out.text.size();
      p = next;
    }
  }

  const char* begin_;  ///< after a byte order mark
  const char* end_;
  std::size_t mark_size_;
  Redaction redaction_;
  std::vector<Token> tokens_{};  ///< around the last place: where a long text ends is looked for once, not for each place
};

}}  // namespace bankhook::BANKHOOK_ABI
