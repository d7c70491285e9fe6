// SPDX-License-Identifier: MIT
// How an event's coming is judged: by the lifecycle of its key, then by the rules that it breaks.
#pragma once

#include <bankhook/base/evidence.hpp>
#include <bankhook/events/check.hpp>
#include <bankhook/events/rules.hpp>
#include <bankhook/follow/basis.hpp>
#include <bankhook/machine/machine.hpp>
#include <bankhook/reflect/open_enum.hpp>

#include <cstddef>
#include <optional>

namespace bankhook::follow {

struct Judgement {
  Verdict verdict = Verdict::unspecified;
  Basis basis{};
  /// It comes where a row of the lifecycle says that it never does, whatever that row rests on. To take it would undo what
  /// is known, so the tracker does not (assumed: the specification does not say what a consumer does then);
  /// `TrackerOptions` can choose otherwise.
  bool undoes = false;
};

}  // namespace bankhook::follow

namespace bankhook::follow::detail {

/// What a rule that is broken says about an event: only a stated one is contradicted.
[[nodiscard]] constexpr Verdict verdict_of(const Rule& rule) {
  return rule.evidence == Evidence::stated ? Verdict::contradicts : Verdict::unspecified;
}
[[nodiscard]] constexpr Judgement broken(RuleId id) { return {verdict_of(rule_of(id)), &rule_of(id), false}; }

/// What a rule that is not broken says about an event that comes as the rule has it.
[[nodiscard]] constexpr Judgement led_by(RuleId id) {
  const Rule& rule = rule_of(id);
  return {rule.evidence == Evidence::stated ? Verdict::specified : Verdict::assumed, &rule, false};
}

/// A value that is not listed is from the future: open, whatever the rule says about the listed ones.
[[nodiscard]] constexpr Judgement not_listed() {
  return {Verdict::unspecified, &rule_of(RuleId::values_are_listed), false};
}

template <class State, class Trigger>
[[nodiscard]] constexpr Judgement judgement_of(const Step<State, Trigger>& step) {
  const bool undoes = step.edge != nullptr && !step.edge->to;
  if (step.edge != nullptr) return {step.verdict, step.edge, undoes};
  if (step.final_state != nullptr) return {step.verdict, step.final_state, undoes};
  return {step.verdict, {}, undoes};
}

/// A step from a state that is not known: what all states agree on never to happen holds for it, too.
template <class M>
[[nodiscard]] constexpr Judgement from_unknown_state(const M& machine, typename M::Trigger trigger) {
  Judgement judgement;
  for (const auto state : machine.states()) {
    judgement = judgement_of(machine.step(state, trigger));
    if (!judgement.undoes) return {};
  }
  return judgement;
}

}  // namespace bankhook::follow::detail

namespace bankhook::follow {

/// The coming of `trigger` (empty: a value that is not listed) for a key that has not been seen before; what is not how
/// the lifecycle begins breaks the rule `first`.
template <class M>
[[nodiscard]] constexpr Judgement judge_first(const M& machine, std::optional<typename M::Trigger> trigger, RuleId first) {
  if (!trigger) return detail::not_listed();
  const auto step = machine.step(std::nullopt, *trigger);
  return step.to ? detail::judgement_of(step) : detail::broken(first);
}

/// The coming of `trigger` for a key that is held in `state` (empty: one that is not known).
template <class M>
[[nodiscard]] constexpr Judgement judge_next(const M& machine, std::optional<typename M::State> state,
                                             std::optional<typename M::Trigger> trigger) {
  if (!trigger) return detail::not_listed();
  return state ? detail::judgement_of(machine.step(state, *trigger)) : detail::from_unknown_state(machine, *trigger);
}

/// Adds what the event breaks within itself: it contradicts a stated rule; any other leaves open what was known so far.
[[nodiscard]] constexpr Judgement with_findings(Judgement judgement, const Findings& findings) {
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Rule& rule = rule_of(findings.row(i).rule);
    const bool from_the_future = rule.rule == RuleId::values_are_listed || rule.rule == RuleId::event_is_listed;
    const Verdict verdict = from_the_future ? Verdict::unspecified : detail::verdict_of(rule);
    if (verdict > judgement.verdict) judgement = {verdict, &rule, judgement.undoes};
  }
  return judgement;
}

}  // namespace bankhook::follow
