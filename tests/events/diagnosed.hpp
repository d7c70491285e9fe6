// SPDX-License-Identifier: MIT
// One question about a payload, right or broken: do `parse` and `diagnose` say the same of it?
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/rules/check.hpp>
#include <bankhook/events/rules/diagnose.hpp>

#include <json/guarded.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::test {

/// Whether `parse` rejects a payload for this finding.
[[nodiscard]] inline bool is_rejected(const Finding& finding) { return finding.severity == Severity::error; }

/// `status_equals_event_type@141`, one a finding, with blanks between.
[[nodiscard]] inline std::string summary(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    text +=
        (text.empty() ? "" : " ") + std::string(to_string(finding.rule)) + "@" + std::to_string(finding.offset.value_or(0));
  }
  return text;
}

/// Asks both, where every byte that is read beyond the payload faults.
class Diagnosed {
 public:
  /// Empty if both agree on `payload`, else what is wrong.
  [[nodiscard]] std::string disagreement(std::string_view payload) {
    const ExactCopy copy(payload);
    const std::string_view text = payload.size() <= GuardedPages::size ? pages_.before_the_guard(payload) : copy.view();
    arena_.reset();
    const auto event = parse(text, arena_);
    const std::vector<Finding> findings = diagnose(text);
    const std::string found = findings_fault(findings, payload.size());
    if (!found.empty()) return found;
    if (is_clean(text, quick_) != findings.empty()) return "the quick answer is another: " + summary(findings);
    const auto rejected = std::ranges::find_if(findings, is_rejected);
    if (event && rejected != findings.end()) return "parse takes it: " + summary(findings);
    if (event) return disagreement_of_rules(*event, findings);
    if (rejected == findings.end()) return "parse rejects it: " + summary(findings);
    return rejected->offset <= event.error().offset ? "" : "found too late: " + summary(findings);
  }

 private:
  static std::string findings_fault(const std::vector<Finding>& findings, std::size_t size) {
    if (findings.size() > max_findings + 2) return "too many findings";
    if (!std::ranges::is_sorted(findings, {}, &Finding::offset)) return "not in the payload's order: " + summary(findings);
    for (const Finding& finding : findings) {
      const bool is_complete = finding.line > 0u && finding.column > 0u && finding.offset && *finding.offset <= size &&
                               finding.path.starts_with("$") && !finding.expected.empty() && !finding.found.empty();
      if (!is_complete) return "incomplete: " + summary(findings);
    }
    return "";
  }

  /// Of an event that was read, `diagnose` finds all that `check` finds.
  static std::string disagreement_of_rules(const AnyEvent& event, const std::vector<Finding>& findings) {
    for (const Finding& broken : check(event)) {
      const bool is_bounded = findings.size() > max_findings;
      if (!is_bounded && std::ranges::find(findings, broken.rule, &Finding::rule) == findings.end())
        return "check found " + std::string(to_string(broken.rule)) + ": " + summary(findings);
    }
    for (const Finding& finding : findings) {
      const RuleId rule = finding.rule;
      if (rule >= RuleId::event_is_listed && !check(event).contains(rule)) return "check did not find " + summary(findings);
    }
    return "";
  }

  GuardedPages pages_;
  Arena arena_;
  Arena quick_;
};

}  // namespace bankhook::test
