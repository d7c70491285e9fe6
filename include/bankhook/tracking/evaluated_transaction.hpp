// SPDX-License-Identifier: MIT
// 6.3: an initial_transaction_update against what is tracked of its member, looked at first and taken afterwards.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/domain/transaction_lifecycle.hpp>
#include <bankhook/events/initial_transaction_update.hpp>
#include <bankhook/tracking/differences.hpp>
#include <bankhook/tracking/evaluation.hpp>
#include <bankhook/tracking/member.hpp>
#include <bankhook/tracking/options.hpp>

#include <concepts>
#include <optional>

namespace bankhook::inline BANKHOOK_ABI::tracking {

/// The transaction in its state after the event; views the event and the member. What is not accepted is not to be taken.
struct EvaluatedTransaction {
  explicit EvaluatedTransaction(const InitialTransactionUpdate& event)
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
BANKHOOK_ENTRY void evaluate(const M* member, const InitialTransactionUpdate& event, const TrackerOptions& options,
                             EvaluatedTransaction& evaluated) {
  TransactionRecord& next = evaluated.record;
  Outcome& outcome = evaluated.outcome;
  Changes& changes = outcome.changes;
  outcome.findings = check(event);
  if (!has_real_dates(event)) return refuse(outcome, RuleId::days_and_times_exist);
  if (event.event_type != event.initial_transaction.status) {
    if (options.status_from == StatusFrom::neither) return refuse(outcome, RuleId::status_equals_event_type);
    if (options.status_from == StatusFrom::event_type) next.initial_transaction.status = event.event_type;
  }
  const InitialTransaction& transaction = next.initial_transaction;
  const auto* const stored = member == nullptr ? nullptr : member->transactions.find(evaluated.key);
  const TransactionRecord held = stored == nullptr ? TransactionRecord() : **stored;
  outcome.seen_before = contains(held.seen, evaluated.digest);
  next.state = held.state;
  next.seen = held.seen;
  if (stored != nullptr && reflect::equal(held.initial_transaction, transaction)) {
    outcome.repeat = true;
    next = held;
    return conclude(outcome, {});
  }
  Evaluation evaluation = not_listed();
  if (const auto status = transaction.status.known()) {
    const auto step = options.transactions.step(held.state ? held.state->known() : std::nullopt, trigger_of(*status));
    evaluation = evaluation_of(step);
    outcome.accepted = step.to.has_value();
    if (!outcome.accepted) return conclude(outcome, evaluation);
    next.state = *step.to;
    if (stored != nullptr && !held.initial_transaction.status.is_known())
      evaluation = worse(evaluation, broken(RuleId::values_follow_listed_ones));
  }
  const MemberRecord* const known = member == nullptr ? nullptr : &*member->record;
  evaluated.member_changes = known == nullptr || !reflect::equal(known->customer, event.customer);
  if (evaluated.member_changes) {
    if (known != nullptr) {
      evaluated.member = *known;
      evaluation = worse(evaluation, led_by(RuleId::members_change));
    }
    evaluated.member.customer = event.customer;
    detail::add_changes(known, evaluated.member, changes);
  }
  detail::add_changes(stored == nullptr ? nullptr : &held, next, event.customer.id,
                      transaction.status != TransactionStatus::created, changes);
  conclude(outcome, evaluation);
}

/// Takes what was evaluated and accepted into the same member.
template <std::same_as<Member> M>
BANKHOOK_ENTRY void take(M& member, EvaluatedTransaction& evaluated) {
  if (evaluated.member_changes) member.record = Owned(evaluated.member);
  if (evaluated.outcome.repeat && evaluated.outcome.seen_before) return;
  const Seen seen(evaluated.digest, evaluated.record.seen);
  evaluated.record.seen = seen.text();
  member.transactions.put(evaluated.key, Encoded<TransactionRecord>(evaluated.record));
}

BANKHOOK_ONCE(void evaluate(const Member*, const InitialTransactionUpdate&, const TrackerOptions&, EvaluatedTransaction&));
BANKHOOK_ONCE(void take(Member&, EvaluatedTransaction&));

}  // namespace bankhook::inline BANKHOOK_ABI::tracking
