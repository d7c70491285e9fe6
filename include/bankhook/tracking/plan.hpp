// SPDX-License-Identifier: MIT
// How an event is judged, by a row of a lifecycle and by rules; then 6.3, the plan for an initial transaction.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/evidence.hpp>
#include <bankhook/domain/transaction_lifecycle.hpp>
#include <bankhook/events/initial_transaction_update.hpp>
#include <bankhook/events/rules/check.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/machine/machine.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/text/calendar.hpp>
#include <bankhook/tracking/differences.hpp>
#include <bankhook/tracking/digest.hpp>
#include <bankhook/tracking/member.hpp>
#include <bankhook/tracking/outcome.hpp>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <optional>
#include <type_traits>

namespace bankhook::inline BANKHOOK_ABI::tracking {

/// What an event means, and the rule or row that says so.
struct Judgement {
  Verdict verdict = Verdict::specified;
  Reason reason{};
};

/// The judgement of an event that breaks a rule: only a stated rule is contradicted.
[[nodiscard]] constexpr Judgement broken(RuleId id) {
  const Rule& rule = rule_of(id);
  return {rule.evidence == Evidence::stated ? Verdict::contradicts : Verdict::unspecified, &rule};
}
/// The judgement of an event that comes as an assumed rule requires.
[[nodiscard]] constexpr Judgement led_by(RuleId id) { return {Verdict::assumed, &rule_of(id)}; }

/// A value that is not listed is from the future: open, whatever the rule says about the listed ones.
[[nodiscard]] constexpr Judgement not_listed() { return {Verdict::unspecified, &rule_of(RuleId::values_are_listed)}; }

template <class State, class Trigger>
[[nodiscard]] constexpr Judgement judgement_of(const MachineStep<State, Trigger>& step) {
  if (step.transition == nullptr) return {step.verdict, {}};
  return {step.verdict, step.transition};
}

/// The worse of two evaluations; the first one if they are equally bad.
[[nodiscard]] constexpr Judgement worse(const Judgement& one, const Judgement& other) {
  return other.verdict > one.verdict ? other : one;
}

/// Adds the rules that the event breaks within itself: a stated one makes it contradict, any other one leaves it open.
[[nodiscard]] constexpr Judgement with_findings(Judgement judgement, const Findings& findings) {
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const RuleId rule = findings[i].rule;
    const bool from_the_future = rule == RuleId::values_are_listed || rule == RuleId::event_is_listed;
    const Judgement found = broken(rule);
    judgement = worse(judgement, from_the_future ? Judgement{Verdict::unspecified, found.reason} : found);
  }
  return judgement;
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
inline void conclude(Outcome& outcome, Judgement judgement) {
  outcome.repeat = outcome.repeat || (outcome.accepted && outcome.changes.empty());
  if (outcome.repeat) judgement = worse(broken(RuleId::event_is_not_repeated), judgement);
  else if (outcome.seen_before && outcome.accepted) judgement = worse(judgement, broken(RuleId::event_is_not_repeated));
  judgement = with_findings(judgement, outcome.findings);
  outcome.verdict = judgement.verdict;
  outcome.reason = judgement.reason;
  outcome.changes.own_texts();
}

/// The outcome of an event that is not applied because of a rule.
inline void refuse(Outcome& outcome, RuleId rule) {
  outcome.accepted = false;
  conclude(outcome, broken(rule));
}

/// What an event of a transaction means, and its state afterwards; views the event and the member. What is not accepted is
/// not to be taken.
struct TransactionPlan {
  explicit TransactionPlan(const InitialTransactionUpdate& event)
      : key(event.initial_transaction.id), record{event.initial_transaction}, digest(digest_of(event)) {}

  IdKey key;
  TransactionRecord record;
  MemberRecord member{};  ///< after the event, if it changes
  Digest digest;
  bool member_changes = false;
  Outcome outcome{};
};

/// What `event` means for `member`, of which nothing is tracked if it is nullptr; it does not change.
template <std::same_as<Member> M>
BANKHOOK_ENTRY void make_plan(const M* member, const InitialTransactionUpdate& event, const TrackerOptions& options,
                              TransactionPlan& plan) {
  TransactionRecord& next = plan.record;
  Outcome& outcome = plan.outcome;
  Changes& changes = outcome.changes;
  outcome.findings = check(event);
  if (!has_real_dates(event)) return refuse(outcome, RuleId::days_and_times_exist);
  if (event.event_type != event.initial_transaction.status) {
    if (options.status_from == StatusFrom::neither) return refuse(outcome, RuleId::status_equals_event_type);
    if (options.status_from == StatusFrom::event_type) next.initial_transaction.status = event.event_type;
  }
  const InitialTransaction& transaction = next.initial_transaction;
  const auto* const stored = member == nullptr ? nullptr : member->transactions.find(plan.key);
  const TransactionRecord held = stored == nullptr ? TransactionRecord() : **stored;
  outcome.seen_before = contains(held.seen, plan.digest);
  next.state = held.state;
  next.seen = held.seen;
  if (stored != nullptr && reflect::equal(held.initial_transaction, transaction)) {
    outcome.repeat = true;
    next = held;
    return conclude(outcome, {});
  }
  Judgement judgement = not_listed();
  if (const auto status = transaction.status.known()) {
    const auto step = options.transactions.step(held.state ? held.state->known() : std::nullopt, trigger_of(*status));
    judgement = judgement_of(step);
    outcome.accepted = step.to.has_value();
    if (!outcome.accepted) return conclude(outcome, judgement);
    next.state = *step.to;
    if (stored != nullptr && !held.initial_transaction.status.is_known())
      judgement = worse(judgement, broken(RuleId::values_follow_listed_ones));
  }
  const MemberRecord* const known = member == nullptr ? nullptr : &*member->record;
  plan.member_changes = known == nullptr || !reflect::equal(known->customer, event.customer);
  if (plan.member_changes) {
    if (known != nullptr) {
      plan.member = *known;
      judgement = worse(judgement, led_by(RuleId::members_change));
    }
    plan.member.customer = event.customer;
    detail::add_changes(known, plan.member, changes);
  }
  detail::add_changes(stored == nullptr ? nullptr : &held, next, event.customer.id,
                      transaction.status != TransactionStatus::created, changes);
  conclude(outcome, judgement);
}

/// Carries out what was planned and accepted, on the same member.
template <std::same_as<Member> M>
BANKHOOK_ENTRY void take(M& member, TransactionPlan& plan) {
  if (plan.member_changes) member.record = Owned(plan.member);
  if (plan.outcome.repeat && plan.outcome.seen_before) return;
  const Seen seen(plan.digest, plan.record.seen);
  plan.record.seen = seen.text();
  member.transactions.put(plan.key, Encoded<TransactionRecord>(plan.record));
}

BANKHOOK_ONCE(void make_plan(const Member*, const InitialTransactionUpdate&, const TrackerOptions&, TransactionPlan&));
BANKHOOK_ONCE(void take(Member&, TransactionPlan&));

}  // namespace bankhook::inline BANKHOOK_ABI::tracking
