// SPDX-License-Identifier: MIT
// The one text of a finding: a line for logs, and `explain` as a good compiler shows it, with a caret under the place.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/events/rules/diagnose.hpp>
#include <bankhook/events/rules/excerpt.hpp>
#include <bankhook/events/rules/finding.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/text/characters.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook { inline namespace BANKHOOK_ABI {

/// Why a payload was rejected: everything that is wrong with it, and which of that is the error.
struct Rejection {
  std::vector<Finding> findings{};
  std::size_t first = 0;  ///< index of the first finding for which the payload is rejected
};

/// What `diagnose_as<T>` says about a payload for which `parse_as<T>` (or `parse`, if T is AnyEvent) gave this error.
template <class T = AnyEvent>
[[nodiscard]] Rejection rejection_of(const Error& error, TransientBytes json) {
  Rejection rejection{diagnose_as<T>(json)};
  auto& findings = rejection.findings;
  const Rule& own = rule_of(rule_of(error.code));  // that of another event is no reason for `parse` to reject
  auto first = std::ranges::find_if(findings, [&](const Finding& finding) {
    const bool is_rejected = finding.severity == Severity::error;
    return error.code != Errc::out_of_memory && (own.severity == Severity::error ? is_rejected : finding.rule == own.rule);
  });
  if (first == findings.end()) {  // memory ran out, or the error belongs to another text: the finding is made from it alone
    detail::FindingList<> only(json, nullptr);
    if (Finding* const finding = only.add(own.rule, (std::min)(error.offset, json.size()))) {
      finding->expected = detail::expected_of(error);
      finding->found = detail::found_of(error, json);
    }
    first = findings.insert(first, only.finish().front());
  }
  rejection.first = static_cast<std::size_t>(first - findings.begin());
  return rejection;
}

BANKHOOK_ONCE(Rejection rejection_of<AnyEvent>(const Error&, TransientBytes));

/// The error of `parse`, or of `parse_as<T>`, as `diagnose` reports it: the first finding for which the payload is
/// rejected.
/// @param json the payload that gave `error`
template <class T = AnyEvent>
[[nodiscard]] Finding finding_of(const Error& error, TransientBytes json) {
  Rejection rejection = rejection_of<T>(error, json);
  return std::move(rejection.findings[rejection.first]);
}

/// One line: `$.connection.errorCode: expected string or null, found number (line 4, column 19)`. A finding of `check` has
/// no line and column. That of an error is `to_string(finding_of(error, json))`.
[[nodiscard]] inline std::string to_string(const Finding& finding) {
  std::string line = finding.path + ": " + detail::sentence(finding.expected, finding.found);
  if (!finding.line || !finding.column) return line;
  line.append(" (line ").append(std::to_string(*finding.line));
  return line.append(", column ").append(std::to_string(*finding.column)).append(")");
}

/// Explains findings of a payload: path, sentence, rule, and the line of the payload with a caret under the place; an empty
/// line between two of them. In the payload's order, as `diagnose` gives them, it goes through the payload once.
///
///     $.connection.errorCode: expected string or null, found number
///       rule: fields_have_their_type (stated, section 2.2)
///      --> line 4, column 19
///       4 |     "errorCode": ··,
///         |                  ^
///
/// Texts and numbers of the payload are redacted by dots of their width unless `redaction` is off: they may be
/// personal. Shown are names of fields, listed values, punctuation, `true`, `false` and `null`. A finding of `check` has no
/// line. UTF-8, ends with an end of line.
/// @param json the payload in which `findings` were found
/// @param width how many cells of a terminal a line takes at most, of which East Asian characters take two: words are
///        wrapped, and the payload's line is cut around the place; a few characters of it are shown however small the
///        width is
template <class = void>
[[nodiscard]] std::string explain(std::span<const Finding> findings, TransientBytes json, std::size_t width = 80,
                                  Redaction redaction = Redaction::on) {
  std::string out;
  Excerpts excerpts(json, redaction);
  const auto add_words = [&](const std::string& words, detail::text::Indent indent) {
    detail::text::append_wrapped(out, words, width, indent);
    out += '\n';
  };
  for (const Finding& finding : findings) {
    if (!out.empty()) out += '\n';
    add_words(finding.path + ": " + detail::sentence(finding.expected, finding.found), {.first = 0, .rest = 4});
    std::string rule = "rule: ";
    rule.append(name_of(finding.rule)).append(" (").append(name_of(finding.evidence));
    add_words(rule.append(", section ").append(finding.section).append(")"), {.first = 2, .rest = 4});
    const std::string line = std::to_string(finding.line.value_or(1));
    const std::size_t gutter = line.size() + 5;
    const auto excerpt = excerpts.of(finding, width > gutter ? width - gutter : 0);
    if (!excerpt) continue;
    add_words("--> line " + line + ", column " + std::to_string(finding.column.value_or(1)),
              {.first = line.size(), .rest = line.size() + 4});
    out.append("  ").append(line).append(" | ").append(excerpt->text).append("\n  ").append(line.size(), ' ').append(" | ");
    out.append(detail::text::count_cells(std::string_view(excerpt->text).substr(0, excerpt->start)), ' ').append("^\n");
  }
  return out;
}

BANKHOOK_ONCE(std::string explain(std::span<const Finding>, TransientBytes, std::size_t, Redaction));

/// The same for one finding.
template <class = void>
[[nodiscard]] std::string explain(const Finding& finding, TransientBytes json, std::size_t width = 80,
                                  Redaction redaction = Redaction::on) {
  return explain(std::span(&finding, 1), json, width, redaction);
}

/// The same for the error of `parse`, or of `parse_as<T>`: of the first finding for which the payload is rejected, so that
/// it says what `diagnose` says.
template <class T = AnyEvent>
[[nodiscard]] std::string explain(const Error& error, TransientBytes json, std::size_t width = 80,
                                  Redaction redaction = Redaction::on) {
  return explain(finding_of<T>(error, json), json, width, redaction);
}

}}  // namespace bankhook::BANKHOOK_ABI
