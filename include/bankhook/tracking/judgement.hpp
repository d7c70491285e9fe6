// SPDX-License-Identifier: MIT
// How an event's coming is judged: by the lifecycle of its key, then by the rules that it breaks.
#pragma once

#include <bankhook/base/evidence.hpp>
#include <bankhook/events/rules/check.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/machine/machine.hpp>
#include <bankhook/reflect/open_enum.hpp>
#include <bankhook/tracking/reason.hpp>

#include <cstddef>
#include <optional>

namespace bankhook::tracking {

struct Judgement {
  Verdict verdict = Verdict::unspecified;
  Reason reason{};
};

}  // namespace bankhook::tracking

namespace bankhook::tracking::detail {

/// The judgement of an event that breaks a rule: only a stated rule is contradicted.
[[nodiscard]] constexpr Verdict verdict_of(const Rule& rule) {
  return rule.evidence == Evidence::stated ? Verdict::contradicts : Verdict::unspecified;
}
[[nodiscard]] constexpr Judgement broken(RuleId id) { return {verdict_of(rule_of(id)), &rule_of(id)}; }

/// The judgement of an event that comes as the rule requires.
[[nodiscard]] constexpr Judgement led_by(RuleId id) {
  const Rule& rule = rule_of(id);
  return {rule.evidence == Evidence::stated ? Verdict::specified : Verdict::assumed, &rule};
}

/// A value that is not listed is from the future: open, whatever the rule says about the listed ones.
[[nodiscard]] constexpr Judgement not_listed() { return {Verdict::unspecified, &rule_of(RuleId::values_are_listed)}; }

template <class State, class Trigger>
[[nodiscard]] constexpr Judgement judgement_of(const MachineStep<State, Trigger>& step) {
  if (step.transition != nullptr) return {step.verdict, step.transition};
  if (step.final_state != nullptr) return {step.verdict, step.final_state};
  return {step.verdict, {}};
}

}  // namespace bankhook::tracking::detail

namespace bankhook::tracking {

/// The coming of `trigger` (empty: a value that is not listed) for a key that has not been seen before; what is not how
/// the lifecycle begins breaks the rule `first`.
template <class M>
[[nodiscard]] constexpr Judgement judge_first(const M& machine, std::optional<typename M::Trigger> trigger, RuleId first) {
  if (!trigger) return detail::not_listed();
  const auto step = machine.step(std::nullopt, *trigger);
  return step.to ? detail::judgement_of(step) : detail::broken(first);
}

/// The arrival of `trigger` for a key that is tracked in `state` (empty: a state that is not listed, about which nothing
/// is known).
template <class M>
[[nodiscard]] constexpr Judgement judge_next(const M& machine, std::optional<typename M::State> state,
                                             std::optional<typename M::Trigger> trigger) {
  if (!trigger) return detail::not_listed();
  return state ? detail::judgement_of(machine.step(state, *trigger)) : Judgement();
}

/// The worse of two judgements; the first one if they are equally bad.
[[nodiscard]] constexpr Judgement worse(const Judgement& one, const Judgement& other) {
  return other.verdict > one.verdict ? other : one;
}
/// The judgement of an event that is not applied, because it is late or says nothing new: `unspecified` at best, whatever
/// the lifecycle says.
[[nodiscard]] constexpr Judgement not_taken(const Judgement& by_lifecycle) {
  return by_lifecycle.verdict >= Verdict::unspecified ? by_lifecycle : Judgement();
}

/// Adds the rules that the event breaks within itself: a stated one makes it contradict, any other one leaves it open.
[[nodiscard]] constexpr Judgement with_findings(Judgement judgement, const Findings& findings) {
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Rule& rule = rule_of(findings[i].rule);
    const bool from_the_future = rule.rule == RuleId::values_are_listed || rule.rule == RuleId::event_is_listed;
    const Verdict verdict = from_the_future ? Verdict::unspecified : detail::verdict_of(rule);
    if (verdict > judgement.verdict) judgement = {verdict, &rule};
  }
  return judgement;
}

}  // namespace bankhook::tracking
