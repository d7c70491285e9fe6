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
  TransactionRecord record{};
  Digest digest{};
  bool member_changes = false;
  Outcome outcome{};
};

/// What `event` means for `member`, of which nothing is tracked if it is nullptr; it does not change.
template <std::same_as<Member> M>
[[nodiscard]] BANKHOOK_ENTRY EvaluatedTransaction evaluate(const M* member, const InitialTransactionUpdate& event,
                                                           const TrackerOptions& options) {
  EvaluatedTransaction evaluated{.record = {.initial_transaction = event.initial_transaction}};
  TransactionRecord& next = evaluated.record;
  Outcome& outcome = evaluated.outcome;
  Changes& changes = outcome.changes;
  outcome.findings = check(event);
  if (!has_real_dates(event)) return refuse(outcome, RuleId::days_and_times_exist), evaluated;
  if (event.event_type != event.initial_transaction.status) {
    if (options.status_from == StatusFrom::neither) return refuse(outcome, RuleId::status_equals_event_type), evaluated;
    if (options.status_from == StatusFrom::event_type) next.initial_transaction.status = event.event_type;
  }
  const InitialTransaction& transaction = next.initial_transaction;
  const auto* const stored = member == nullptr ? nullptr : member->transactions.find(transaction.id);
  const TransactionRecord held = stored == nullptr ? TransactionRecord() : **stored;
  evaluated.digest = digest_of(event);
  outcome.seen_before = Seen::contains(held.seen, evaluated.digest);
  next.state = held.state;
  next.seen = held.seen;
  if (stored != nullptr && reflect::equal(held.initial_transaction, transaction)) {
    outcome.repeat = true;
    next = held;
    return conclude(outcome, {}), evaluated;
  }
  Evaluation evaluation = not_listed();
  if (const auto status = transaction.status.known()) {
    const auto step = options.transactions.step(held.state ? held.state->known() : std::nullopt, trigger_of(*status));
    evaluation = evaluation_of(step);
    outcome.accepted = step.to.has_value();
    if (!outcome.accepted) return conclude(outcome, evaluation), evaluated;
    next.state = *step.to;
    if (stored != nullptr && !held.initial_transaction.status.is_known())
      evaluation = worse(evaluation, broken(RuleId::values_follow_listed_ones));
  }
  if (member == nullptr) changes.add({ChangeKind::added, ChangeSubject::member, event.customer.id});
  else detail::add_differences(&member->record->customer, &event.customer, event.customer.id, {}, changes);
  evaluated.member_changes = !changes.empty();
  if (member != nullptr && evaluated.member_changes) evaluation = worse(evaluation, led_by(RuleId::members_change));
  if (stored != nullptr) {
    detail::add_differences(&held.initial_transaction, &transaction, transaction.id, event.customer.id, changes);
  } else {
    changes.add({.kind = ChangeKind::added,
                 .subject = ChangeSubject::transaction,
                 .id = transaction.id,
                 .parent_id = event.customer.id,
                 .field = detail::field_name<&InitialTransaction::status>,
                 .after = transaction.status.text(),
                 .first_event_missing = transaction.status != TransactionStatus::created});
  }
  conclude(outcome, evaluation);
  return evaluated;
}

/// Takes what was evaluated and accepted into the same member.
template <std::same_as<Member> M>
BANKHOOK_ENTRY void take(M& member, const InitialTransactionUpdate& event, EvaluatedTransaction& evaluated) {
  if (evaluated.member_changes) {
    MemberRecord record = *member.record;
    record.customer = event.customer;
    member.record = Owned(record);
  }
  if (evaluated.outcome.repeat && evaluated.outcome.seen_before) return;
  const Seen seen(evaluated.digest, evaluated.record.seen);
  evaluated.record.seen = seen.text();
  member.transactions.put(Encoded<TransactionRecord>(evaluated.record));
}

BANKHOOK_ONCE(EvaluatedTransaction evaluate(const Member*, const InitialTransactionUpdate&, const TrackerOptions&));
BANKHOOK_ONCE(void take(Member&, const InitialTransactionUpdate&, EvaluatedTransaction&));

}  // namespace bankhook::inline BANKHOOK_ABI::tracking
