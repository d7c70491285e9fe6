// SPDX-License-Identifier: MIT
// How an event's coming is evaluated: by a row of a lifecycle, then by the rules that it breaks.
#pragma once

#include <bankhook/base/evidence.hpp>
#include <bankhook/events/rules/check.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/machine/machine.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/text/calendar.hpp>
#include <bankhook/tracking/digest.hpp>
#include <bankhook/tracking/member.hpp>
#include <bankhook/tracking/outcome.hpp>

#include <chrono>
#include <cstddef>
#include <type_traits>

namespace bankhook::inline BANKHOOK_ABI::tracking {

struct Evaluation {
  Verdict verdict = Verdict::specified;
  Reason reason{};
};

/// The evaluation of an event that breaks a rule: only a stated rule is contradicted.
[[nodiscard]] constexpr Evaluation broken(RuleId id) {
  const Rule& rule = rule_of(id);
  return {rule.evidence == Evidence::stated ? Verdict::contradicts : Verdict::unspecified, &rule};
}
/// The evaluation of an event that comes as an assumed rule requires.
[[nodiscard]] constexpr Evaluation led_by(RuleId id) { return {Verdict::assumed, &rule_of(id)}; }

/// A value that is not listed is from the future: open, whatever the rule says about the listed ones.
[[nodiscard]] constexpr Evaluation not_listed() { return {Verdict::unspecified, &rule_of(RuleId::values_are_listed)}; }

template <class State, class Trigger>
[[nodiscard]] constexpr Evaluation evaluation_of(const MachineStep<State, Trigger>& step) {
  if (step.transition == nullptr) return {step.verdict, {}};
  return {step.verdict, step.transition};
}

/// The worse of two evaluations; the first one if they are equally bad.
[[nodiscard]] constexpr Evaluation worse(const Evaluation& one, const Evaluation& other) {
  return other.verdict > one.verdict ? other : one;
}

/// Adds the rules that the event breaks within itself: a stated one makes it contradict, any other one leaves it open.
[[nodiscard]] constexpr Evaluation with_findings(Evaluation evaluation, const Findings& findings) {
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const RuleId rule = findings[i].rule;
    const bool from_the_future = rule == RuleId::values_are_listed || rule == RuleId::event_is_listed;
    const Evaluation found = broken(rule);
    evaluation = worse(evaluation, from_the_future ? Evaluation{Verdict::unspecified, found.reason} : found);
  }
  return evaluation;
}

/// Whether the dates in `value` exist. Those that were parsed do; those of an event that was made by hand need not.
template <class T>
[[nodiscard]] constexpr bool has_real_dates(const T& value) {
  if constexpr (std::is_same_v<T, std::chrono::year_month_day>) return text::is_writable_date(value);
  else if constexpr (!reflect::HasParts<T>) return true;
  else return reflect::for_each_part(value, [](const auto& part) { return has_real_dates(part); });
}

/// Fills in the verdict and its reason. What is not applied is no ordinary event, whatever row it meets; and one that was
/// accepted before and would still change something, or changes nothing, is no news.
inline void conclude(Outcome& outcome, Evaluation evaluation) {
  outcome.repeat = outcome.repeat || (outcome.accepted && outcome.changes.empty());
  if (outcome.repeat) evaluation = worse(broken(RuleId::event_is_not_repeated), evaluation);
  else if (outcome.seen_before && outcome.accepted) evaluation = worse(evaluation, broken(RuleId::event_is_not_repeated));
  evaluation = with_findings(evaluation, outcome.findings);
  outcome.verdict = evaluation.verdict;
  outcome.reason = evaluation.reason;
  outcome.changes.own_texts();
}

/// The outcome of an event that is not applied because of a rule.
inline void refuse(Outcome& outcome, RuleId rule) {
  outcome.accepted = false;
  conclude(outcome, broken(rule));
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking
