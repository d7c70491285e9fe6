// SPDX-License-Identifier: MIT
// One thing that is wrong with a payload, as data; how it is worded, and how findings are collected.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/evidence.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/json/recover/path.hpp>
#include <bankhook/json/recover/recovering_text.hpp>
#include <bankhook/text/utf8.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook { inline namespace BANKHOOK_ABI {

/// One thing that is wrong with a payload. Holds none of its values: `found` is a kind (`number`, `text of another form`),
/// never an id, a hash or a name. The path may hold the names of unlisted fields. Owns what it does not view; the views
/// have static storage.
struct Finding {
  RuleId rule{};               ///< `rule_of` has its sentence, `to_string` its stable id: `status_equals_event_type`
  Evidence evidence{};         ///< what the rule rests on
  std::string_view section{};  ///< of the specification
  Severity severity{};         ///< `error` if `parse` rejects the payload for it
  /// The path to the value as data: decoded names, indices from 0. At most 32 steps are kept, and 64 characters of a name:
  /// an ellipsis replaces the rest of a name, as in `path`, and deeper steps are left out.
  std::vector<PathStep> steps{};
  /// The same as text, as in RFC 9535: `$.connection.accounts[2].id`, `$['a\n']`. It is safe to print and to log: control,
  /// format and invisible characters are escaped.
  std::string path = "$";
  /// Bytes from the start of the payload, of the byte order mark if it has one; empty after `check`, as are the next two.
  std::optional<std::size_t> offset{};
  std::optional<std::size_t> line{};  ///< counted from 1
  /// Characters (not bytes) from the start of the line, counted from 1, without a byte order mark.
  std::optional<std::size_t> column{};
  std::string expected{};  ///< `string or null`
  std::string found{};     ///< `number`

  bool operator==(const Finding&) const = default;
};

/// Which rules a payload is checked against: those for which the function is true; all of them without a function.
///
///     const auto stated = diagnose(json, [](const Rule& rule) { return rule.evidence == Evidence::stated; });
using RuleFilter = bool (*)(const Rule& rule);

/// `diagnose` lists at most this many findings of a payload. If there are more, one more says so; and if no listed one
/// makes `parse` reject the payload, the first that does is listed before it.
inline constexpr std::size_t max_findings = 100;

}}  // namespace bankhook::BANKHOOK_ABI

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail {

/// The kind of the JSON value that begins with this character; empty if none does.
[[nodiscard]] constexpr std::string_view kind_of(char first) {
  switch (first) {
    case '"': return "string";
    case '{': return "object";
    case '[': return "array";
    case 't':
    case 'f': return "boolean";
    case 'n': return "null";
    default: return first == '-' || (first >= '0' && first <= '9') ? "number" : "";
  }
}

/// What is at `offset`, by its kind: `number`, `','`, `the end of the text`.
[[nodiscard]] constexpr std::string_view token_at(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return "the end of the text";
  if (text.substr(offset).starts_with(json::byte_order_mark)) return "a byte order mark";
  if (text[offset] == '\xFF' || text[offset] == '\xFE') return "a byte order mark of another encoding";
  for (const std::string_view mark : {"','", "':'", "']'", "'}'"}) {
    if (text[offset] == mark[1]) return mark;
  }
  const char* const begin = text.data();
  return json::begins_value(begin + offset, begin + text.size()) ? kind_of(text[offset]) : "text that is not JSON";
}

/// What was expected: `string or null`.
[[nodiscard]] constexpr std::string expected_of(const Error& error) {
  std::string expected(words_of(error.code).expected);
  if (error.code == Errc::missing_field) expected += error.field;
  if (error.or_null) expected += " or null";
  return expected;
}

/// What was found instead, by its kind: `number`.
[[nodiscard]] constexpr std::string_view found_of(const Error& error, std::string_view text) {
  const std::string_view always = words_of(error.code).found, found = token_at(text, error.offset);
  if (!always.empty()) return always;
  const auto is_one_of = [&](auto... codes) { return ((error.code == codes) || ...); };
  // A text of another form is reported after its quote, any other value at its start.
  if (is_one_of(Errc::expected_string, Errc::expected_date, Errc::expected_local_timestamp, Errc::expected_timestamp) &&
      error.offset > 0 && error.offset <= text.size() && text[error.offset - 1] == '"') {
    return "text of another form";
  }
  const bool is_number = is_one_of(Errc::expected_number, Errc::expected_integer, Errc::expected_count);
  return is_number && found == "number" ? "another number" : found;
}

/// The one wording of every finding: `expected string or null, found number`; what happens most has words of its own.
[[nodiscard]] constexpr std::string sentence(std::string_view expected, std::string_view found) {
  if (found == "another field") return "unknown field";
  if (expected == "the rest of the value") return "the payload ends inside this value (is it cut off?)";
  return std::string("expected ").append(expected).append(", found ").append(found);
}

/// Findings as they are collected: bounded, and in the end in the payload's order with lines and columns. A template, so
/// that what only includes this has no vectors of findings made.
template <class = void>
class FindingList {
 public:
  FindingList(std::string_view text, RuleFilter wanted) : text_(text), wanted_(wanted) {}

  /// How many findings for which `parse` rejects a payload there were, listed or not.
  [[nodiscard]] std::size_t rejected() const { return rejected_; }
  /// Whether no further finding can be listed, so that there is no need to look for any.
  [[nodiscard]] bool is_complete() const { return bounded_at_ != nowhere && rejected_ > 0; }

  /// Adds a finding at `offset` with the rule's own section. The caller gives it its texts and its path before the next
  /// one; if it is not to be listed, nullptr: a hostile payload may break a rule with every byte.
  [[nodiscard]] Finding* add(RuleId id, std::size_t offset) {
    const Rule& rule = rule_of(id);
    const bool is_first_rejected = rule.severity == Severity::error && rejected_++ == 0;
    if ((offset >= bounded_at_ && !is_first_rejected) || (wanted_ != nullptr && !wanted_(rule))) return nullptr;
    if (findings_.size() >= max_findings) {
      bounded_at_ = (std::min)(bounded_at_, offset);
      if (!is_first_rejected) return nullptr;
    }
    const auto comes_before = [](std::size_t at, const Finding& one) { return at < *one.offset; };
    const auto next = std::upper_bound(findings_.begin(), findings_.end(), offset, comes_before);
    return &*findings_.insert(next, finding_at(rule, offset));
  }

  /// All of them in the payload's order; what has the same offset stays as it was found.
  [[nodiscard]] std::vector<Finding> finish() {
    std::vector<Finding> all = std::move(findings_);
    if (bounded_at_ != nowhere) {
      all.push_back(
          finding_at(rule_of(RuleId::findings_are_bounded), (std::max)(bounded_at_, all.back().offset.value_or(0))));
      all.back().expected = "at most " + std::to_string(max_findings) + " findings";
      all.back().found = "more";
    }
    std::size_t at = text_.size() - json::without_mark(text_).size();  // no editor shows it
    text::LineAndColumn place;
    for (Finding& finding : all) {  // one pass over the text
      const std::size_t next = std::clamp(*finding.offset, at, text_.size());
      place.advance(text_.substr(at, next - at));
      at = next;
      finding.line = place.line;
      finding.column = place.column;
    }
    return all;
  }

 private:
  [[nodiscard]] static Finding finding_at(const Rule& rule, std::size_t offset) {
    return {
        .rule = rule.rule, .evidence = rule.evidence, .section = rule.section, .severity = rule.severity, .offset = offset};
  }

  static constexpr std::size_t nowhere = (std::numeric_limits<std::size_t>::max)();
  std::string_view text_;
  RuleFilter wanted_;
  std::vector<Finding> findings_{};  ///< in the payload's order
  std::size_t rejected_ = 0;
  std::size_t bounded_at_ = nowhere;  ///< the first one that is not listed
};

}}}  // namespace bankhook::BANKHOOK_ABI::detail
