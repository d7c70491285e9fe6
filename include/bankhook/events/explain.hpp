// SPDX-License-Identifier: MIT
// `explain`: a fault as a good compiler shows it, with the line and a caret under the place.
#pragma once

#include <bankhook/base/error.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/events/codec_event.hpp>
#include <bankhook/events/finding.hpp>
#include <bankhook/events/rules.hpp>
#include <bankhook/json/describe.hpp>
#include <bankhook/json/masked.hpp>
#include <bankhook/json/path.hpp>
#include <bankhook/json/place.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace bankhook {

using json::Values;

}  // namespace bankhook

namespace bankhook::detail {

/// Whether a text is a name or a value that the specification lists, so that it can be shown: it says nothing of anybody.
struct IsListedText {
  [[nodiscard]] constexpr bool operator()(std::string_view text) const {
    return is_name_of<Account>(text) || is_name_of<Connection>(text) || is_name_of<ConnectedCustomer>(text) ||
           is_name_of<InitialTransaction>(text) || is_name_of<BankConnectionsUpdateV2>(text) ||
           is_name_of<InitialTransactionUpdate>(text) || is_value_of<ConnectionEventType>(text) ||
           is_value_of<TransactionStatus>(text) || is_value_of<RejectionReason>(text) || event_index(text) < known_events;
  }

 private:
  template <class T>
  static constexpr bool is_name_of(std::string_view text) {
    return std::ranges::find(reflect::wire_names<T>, text) != reflect::wire_names<T>.end();
  }
  template <class E>
  static constexpr bool is_value_of(std::string_view text) {
    return std::ranges::find(reflect::enumerator_texts<E>, text) != reflect::enumerator_texts<E>.end();
  }
};

/// Bytes that are shown before the place and in all, of a line that is longer.
inline constexpr std::size_t shown_before = 60;
inline constexpr std::size_t shown_of_line = 100;

/// The part of the line around `offset` that is shown. Looks at so many bytes and no further.
struct Window {
  std::size_t from = 0, to = 0;
  bool is_cut_before = false, is_cut_behind = false;

  constexpr Window(std::string_view text, std::size_t offset) : from(offset), to(offset) {
    const auto ends = [&](std::size_t at) { return text[at] == '\n' || text[at] == '\r'; };
    while (from > 0 && !ends(from - 1) && offset - from < shown_of_line) --from;
    while (to < text.size() && !ends(to) && to - offset < shown_of_line) ++to;
    if (to - from > shown_of_line) shorten(text, offset);
    is_cut_before = from > 0 && text[from - 1] != '\n' && text[from - 1] != '\r';
    is_cut_behind = to < text.size() && !ends(to);
  }

 private:
  constexpr void shorten(std::string_view text, std::size_t offset) {
    const auto continues = [&](std::size_t at) {
      return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
    };
    if (offset - from > shown_before) from = offset - shown_before;
    if (to - from > shown_of_line) to = from + shown_of_line;
    while (from < offset && continues(from)) ++from;
    while (to > offset && continues(to)) --to;
  }
};

/// Explains findings of one payload, one after the other.
class Explanation {
 public:
  Explanation(std::string_view json, Values values) : json_(json), masked_(json, values, IsListedText()) {}

  void add(const Finding& finding) {
    text_.append(finding.path).append(": ").append(json::sentence(finding.expected, finding.found)).append("\n");
    text_.append("  rule: ").append(finding.rule).append(" (").append(name_of(finding.evidence));
    text_.append(", section ").append(finding.section).append(")\n");
    if (finding.line > 0) add_line(finding);
  }
  void add_gap() { text_ += '\n'; }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void add_line(const Finding& finding) {
    const std::string line = json::detail::digits_of(finding.line);
    const std::size_t offset = std::min(finding.offset, json_.size());
    const Window window(json_, offset);
    text_.append(line.size(), ' ').append("--> line ").append(line).append(", column ");
    text_.append(json::detail::digits_of(finding.column)).append("\n  ").append(line).append(" | ");
    std::string shown(window.is_cut_before ? "…" : "");
    const std::size_t before = masked_.append(shown, window.from, offset, window.to);
    text_.append(shown).append(window.is_cut_behind ? "…\n  " : "\n  ");
    text_.append(line.size(), ' ').append(" | ");
    add_pad(std::string_view(shown).substr(0, before));
    text_.append("^\n");
  }

  /// As wide as the text before the place: its tabs, and blanks for all else.
  void add_pad(std::string_view before) {
    for (const char c : before) {
      const bool continues = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
      if (!continues) text_ += c == '\t' ? '\t' : ' ';
    }
  }

  std::string_view json_;
  json::MaskedText<IsListedText> masked_;
  std::string text_{};
};

}  // namespace bankhook::detail

namespace bankhook {

/// The error of `parse` as a finding: its rule, with the path of the member where one is missing or repeated.
/// @param json the payload that gave `error`
[[nodiscard]] inline Finding finding_of(const Error& error, std::string_view json) {
  const Rule& rule = rule_of(rule_of(error.code));
  Place place = locate(json, error.offset);
  if (!error.member.empty()) json::append_name(place.path, error.member);
  return {.rule = rule.id(),
          .evidence = rule.evidence,
          .section = rule.section,
          .severity = rule.severity,
          .path = std::move(place.path),
          .offset = error.offset,
          .line = place.line,
          .column = place.column,
          .expected = json::expected_of(error),
          .found = std::string(json::found_of(error, json))};
}

/// One line: `$.connection.errorCode: expected string or null, found number (line 4, column 19)`; without the place for
/// a finding of `check`.
[[nodiscard]] inline std::string describe(const Finding& finding) {
  std::string line = finding.path + ": " + json::sentence(finding.expected, finding.found);
  if (finding.line == 0) return line;
  line.append(" (line ").append(json::detail::digits_of(finding.line));
  return line.append(", column ").append(json::detail::digits_of(finding.column)).append(")");
}

/// Explains a finding: path, sentence, rule, and the line of the payload with a caret under the place.
///
///     $.connection.errorCode: expected string or null, found number
///       rule: fields_have_their_type (stated, section 2.2)
///      --> line 4, column 19
///       4 |     "errorCode": ··,
///         |                  ^
///
/// Texts and numbers of the payload are masked by dots of their width unless `values` says otherwise: they may be
/// personal. Shown are member names, listed values, punctuation, `true`, `false` and `null`. A finding of `check` has no
/// place and no line. Lines of more than 100 bytes are cut around the place. UTF-8, ends with an end of line.
/// @param json the payload in which `finding` was found
[[nodiscard]] inline std::string explain(const Finding& finding, std::string_view json, Values values = Values::masked) {
  detail::Explanation explanation(json, values);
  explanation.add(finding);
  return explanation.take();
}

/// The same for the error of `parse` or `parse_as`.
[[nodiscard]] inline std::string explain(const Error& error, std::string_view json, Values values = Values::masked) {
  return explain(finding_of(error, json), json, values);
}

/// The same for all findings of a payload, with an empty line between two of them. In the payload's order, as `diagnose`
/// gives them, it goes through the payload once.
[[nodiscard]] inline std::string explain(std::span<const Finding> findings, std::string_view json,
                                         Values values = Values::masked) {
  detail::Explanation explanation(json, values);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (i > 0) explanation.add_gap();
    explanation.add(findings[i]);
  }
  return explanation.take();
}

}  // namespace bankhook
