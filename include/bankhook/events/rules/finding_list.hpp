// SPDX-License-Identifier: MIT
// Findings as they are collected: bounded, and in the end in the payload's order with lines and columns.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/events/rules/finding.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/json/recover/describe.hpp>
#include <bankhook/json/recover/path.hpp>
#include <bankhook/text/utf8.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI {

/// Which rules a payload is checked against: any function of a rule, which is called and not kept. All of them by default.
///
///     const auto findings = diagnose(json, [&](const Rule& rule) { return chosen.contains(rule.rule); });
class RuleFilter {
 public:
  constexpr RuleFilter() = default;
  /// Views `function`, which must live as long as this.
  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, RuleFilter> && std::is_invocable_r_v<bool, F&, const Rule&>)
  // NOLINTNEXTLINE(google-explicit-constructor): a function of a rule is a choice of rules
  RuleFilter(F&& function BANKHOOK_LIFETIMEBOUND) : ask_(ask<std::remove_reference_t<F>>) {
    if constexpr (std::is_function_v<std::remove_reference_t<F>>) plain_ = reinterpret_cast<void (*)()>(&function);
    else object_ = std::addressof(function);
  }

  [[nodiscard]] bool operator()(const Rule& rule) const { return ask_ == nullptr || ask_(*this, rule); }

 private:
  template <class F>
  static bool ask(const RuleFilter& wanted, const Rule& rule) {
    if constexpr (std::is_function_v<F>) return reinterpret_cast<F*>(wanted.plain_)(rule);
    else return (*static_cast<F*>(const_cast<void*>(wanted.object_)))(rule);
  }

  const void* object_ = nullptr;
  void (*plain_)() = nullptr;
  bool (*ask_)(const RuleFilter&, const Rule&) = nullptr;
};

/// `diagnose` lists at most this many findings of a payload. If there are more, one more says so; and if no listed one
/// makes `parse` reject the payload, the first that does is listed before it.
inline constexpr std::size_t max_findings = 100;

}  // namespace bankhook::inline BANKHOOK_ABI

namespace bankhook::inline BANKHOOK_ABI::detail {

/// What a finding says besides its rule and where it is.
struct Statement {
  std::string_view section{};  ///< that of the rule if empty
  std::string expected{};
  std::string_view found{};
};

class FindingList {
 public:
  FindingList(std::string_view text, RuleFilter wanted) : text_(text), wanted_(wanted) {}

  /// How many findings for which `parse` rejects a payload there were, listed or not.
  [[nodiscard]] std::size_t rejected() const { return rejected_; }

  /// Adds a finding at `offset`. Its texts and its path are made only if it is listed, because a hostile payload may break
  /// a rule with every byte.
  template <class MakeStatement, class MakePath>
  void add(RuleId rule, std::size_t offset, MakeStatement&& make_statement, MakePath&& make_path) {
    if (counts(rule_of(rule), offset)) put(rule_of(rule), offset, make_statement(), make_path());
  }

  /// Whether no further finding can be listed, so that there is no need to look for any.
  [[nodiscard]] bool is_complete() const { return bounded_at_ != nowhere && rejected_ > 0; }

  /// All of them in the payload's order.
  [[nodiscard]] std::vector<Finding> finish() {
    sort();
    if (bounded_at_ != nowhere) add_bound();
    locate_all();
    return std::move(findings_);
  }

 private:
  /// Counts a finding and returns whether to list it.
  [[nodiscard]] bool counts(const Rule& rule, std::size_t offset) {
    const bool is_first_rejected = rule.severity == Severity::error && rejected_++ == 0;
    if (offset >= bounded_at_ && !is_first_rejected) return false;
    if (!wanted_(rule)) return false;
    if (findings_.size() < max_findings) return true;
    bounded_at_ = std::min(bounded_at_, offset);
    return is_first_rejected;
  }

  void put(const Rule& rule, std::size_t offset, Statement statement, json::Path path) {
    findings_.push_back({.rule = rule.rule,
                         .evidence = rule.evidence,
                         .section = statement.section.empty() ? rule.section : statement.section,
                         .severity = rule.severity,
                         .steps = std::move(path.steps),
                         .path = std::move(path.text),
                         .offset = offset,
                         .expected = std::move(statement.expected),
                         .found = std::string(statement.found)});
  }

  /// They are few and nearly in order; what has the same offset stays as it was found.
  void sort() {
    for (auto next = findings_.begin(); next != findings_.end(); ++next) {
      const auto place = std::upper_bound(findings_.begin(), next, *next, [](const Finding& one, const Finding& other) {
        return one.offset < other.offset;
      });
      std::rotate(place, next, next + 1);
    }
  }

  void add_bound() {
    const Rule& rule = rule_of(RuleId::findings_are_bounded);
    findings_.push_back({.rule = rule.rule,
                         .evidence = rule.evidence,
                         .section = rule.section,
                         .severity = rule.severity,
                         .offset = std::max(bounded_at_, findings_.back().offset.value_or(0)),
                         .expected = "at most " + json::detail::digits_of(max_findings) + " findings",
                         .found = "more"});
  }

  /// Lines and columns of all of them: one pass over the text, however many findings there are.
  void locate_all() {
    std::size_t at = 0;
    text::LineAndColumn place;
    for (Finding& finding : findings_) {
      const std::size_t next = std::min(*finding.offset, text_.size());
      place.advance(text_.substr(at, next - at));
      at = next;
      finding.line = place.line;
      finding.column = place.column;
    }
  }

  std::string_view text_;
  RuleFilter wanted_;
  std::vector<Finding> findings_{};
  std::size_t rejected_ = 0;
  static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();
  std::size_t bounded_at_ = nowhere;  ///< the first one that is not listed
};

}  // namespace bankhook::inline BANKHOOK_ABI::detail
