// SPDX-License-Identifier: MIT
// How an event's coming is evaluated: by the lifecycle of its key, then by the rules that it breaks.
#pragma once

#include <bankhook/base/evidence.hpp>
#include <bankhook/events/rules/check.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/machine/machine.hpp>
#include <bankhook/reflect/open_enum.hpp>
#include <bankhook/tracking/reason.hpp>

#include <cstddef>
#include <optional>

namespace bankhook::inline BANKHOOK_ABI::tracking {

struct Evaluation {
  Verdict verdict = Verdict::unspecified;
  Reason reason{};
};

}  // namespace bankhook::inline BANKHOOK_ABI::tracking

namespace bankhook::inline BANKHOOK_ABI::tracking::detail {

/// The evaluation of an event that breaks a rule: only a stated rule is contradicted.
[[nodiscard]] constexpr Verdict verdict_of(const Rule& rule) {
  return rule.evidence == Evidence::stated ? Verdict::contradicts : Verdict::unspecified;
}
[[nodiscard]] constexpr Evaluation broken(RuleId id) { return {verdict_of(rule_of(id)), &rule_of(id)}; }

/// The evaluation of an event that comes as the rule requires.
[[nodiscard]] constexpr Evaluation led_by(RuleId id) {
  const Rule& rule = rule_of(id);
  return {rule.evidence == Evidence::stated ? Verdict::specified : Verdict::assumed, &rule};
}

/// A value that is not listed is from the future: open, whatever the rule says about the listed ones.
[[nodiscard]] constexpr Evaluation not_listed() { return {Verdict::unspecified, &rule_of(RuleId::values_are_listed)}; }

template <class State, class Trigger>
[[nodiscard]] constexpr Evaluation evaluation_of(const MachineStep<State, Trigger>& step) {
  if (step.transition != nullptr) return {step.verdict, step.transition};
  if (step.final_state != nullptr) return {step.verdict, step.final_state};
  return {step.verdict, {}};
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking::detail

namespace bankhook::inline BANKHOOK_ABI::tracking {

/// The coming of `trigger` (empty: a value that is not listed) for a key that has not been seen before; what is not how
/// the lifecycle begins breaks the rule `first`.
template <class M>
[[nodiscard]] constexpr Evaluation evaluate_first(const M& machine, std::optional<typename M::Trigger> trigger,
                                                  RuleId first) {
  if (!trigger) return detail::not_listed();
  const auto step = machine.step(std::nullopt, *trigger);
  return step.to ? detail::evaluation_of(step) : detail::broken(first);
}

/// The arrival of `trigger` for a key that is tracked in `state` (empty: a state that is not listed, about which nothing
/// is known).
template <class M>
[[nodiscard]] constexpr Evaluation evaluate_next(const M& machine, std::optional<typename M::State> state,
                                                 std::optional<typename M::Trigger> trigger) {
  if (!trigger) return detail::not_listed();
  return state ? detail::evaluation_of(machine.step(state, *trigger)) : Evaluation();
}

/// The worse of two evaluations; the first one if they are equally bad.
[[nodiscard]] constexpr Evaluation worse(const Evaluation& one, const Evaluation& other) {
  return other.verdict > one.verdict ? other : one;
}
/// The evaluation of an event that is not applied, because it is late or contains nothing new: `unspecified` at best,
/// whatever the lifecycle says.
[[nodiscard]] constexpr Evaluation not_taken(const Evaluation& by_lifecycle) {
  return by_lifecycle.verdict >= Verdict::unspecified ? by_lifecycle : Evaluation();
}

/// Adds the rules that the event breaks within itself: a stated one makes it contradict, any other one leaves it open.
[[nodiscard]] constexpr Evaluation with_findings(Evaluation evaluation, const Findings& findings) {
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Rule& rule = rule_of(findings[i].rule);
    const bool from_the_future = rule.rule == RuleId::values_are_listed || rule.rule == RuleId::event_is_listed;
    const Verdict verdict = from_the_future ? Verdict::unspecified : detail::verdict_of(rule);
    if (verdict > evaluation.verdict) evaluation = {verdict, &rule};
  }
  return evaluation;
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking
