// SPDX-License-Identifier: MIT
// Findings as they are collected: bounded, and in the end in the payload's order with lines and columns.
#pragma once

#include <bankhook/base/error.hpp>
#include <bankhook/events/finding.hpp>
#include <bankhook/events/rules.hpp>
#include <bankhook/json/describe.hpp>
#include <bankhook/json/path.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook {

/// Which rules a payload is held to.
using Wanted = bool (*)(const Rule&);

/// `diagnose` lists so many findings of a payload at most. Behind them stands one more that says so, and before it the
/// first one for which `parse` refuses the payload, if none of the others is such a one.
inline constexpr std::size_t most_findings = 100;

}  // namespace bankhook

namespace bankhook::detail {

/// What a finding says without its place.
struct Statement {
  RuleId rule{};
  std::string_view section{};  ///< that of the rule if empty
  std::string expected{};
  std::string_view found{};
};

class FindingList {
 public:
  FindingList(std::string_view text, Wanted wanted) : text_(text), wanted_(wanted) {}

  /// How many findings for which `parse` refuses a payload there were, listed or not.
  [[nodiscard]] std::size_t refused() const { return refused_; }

  /// Adds a finding at `offset`; `path` makes its path and is called only if there is room.
  template <class Path>
  void add(const Statement& statement, std::size_t offset, Path&& path) {
    const Rule& rule = rule_of(statement.rule);
    const bool is_first_refused = rule.severity == Severity::error && refused_++ == 0;
    if (!wanted_(rule)) return;
    if (findings_.size() >= most_findings) {
      if (!bounded_at_ || offset < *bounded_at_) bounded_at_ = offset;
      if (!is_first_refused) return;
    }
    findings_.push_back({.rule = rule.id(),
                         .evidence = rule.evidence,
                         .section = statement.section.empty() ? rule.section : statement.section,
                         .severity = rule.severity,
                         .path = path(),
                         .offset = offset,
                         .expected = statement.expected,
                         .found = std::string(statement.found)});
  }

  /// All of them in the payload's order.
  [[nodiscard]] std::vector<Finding> finish() {
    sort();
    if (bounded_at_) add_bound();
    place_all();
    return std::move(findings_);
  }

 private:
  /// They are few and nearly in order; what has the same offset stays as it was found.
  void sort() {
    for (auto next = findings_.begin(); next != findings_.end(); ++next) {
      std::rotate(std::ranges::upper_bound(findings_.begin(), next, next->offset, {}, &Finding::offset), next, next + 1);
    }
  }

  void add_bound() {
    const Rule& rule = rule_of(RuleId::findings_are_bounded);
    findings_.push_back({.rule = rule.id(),
                         .evidence = rule.evidence,
                         .section = rule.section,
                         .severity = rule.severity,
                         .path = "$",
                         .offset = std::max(*bounded_at_, findings_.back().offset),
                         .expected = "at most " + json::detail::digits_of(most_findings) + " findings",
                         .found = "more"});
  }

  /// One pass over the text, however many findings there are.
  void place_all() {
    std::size_t at = 0, line = 1, column = 1;
    for (Finding& finding : findings_) {
      for (; at < finding.offset && at < text_.size(); ++at) {
        const bool continues = (static_cast<unsigned char>(text_[at]) & 0xC0) == 0x80;
        if (text_[at] == '\n') ++line, column = 1;
        else if (!continues) ++column;
      }
      finding.line = line;
      finding.column = column;
    }
  }

  std::string_view text_;
  Wanted wanted_;
  std::vector<Finding> findings_{};
  std::size_t refused_ = 0;
  std::optional<std::size_t> bounded_at_{};
};

}  // namespace bankhook::detail
