// SPDX-License-Identifier: MIT
// 6.3: an initial_transaction_update against what is tracked, looked at first and taken afterwards.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/domain/transaction_lifecycle.hpp>
#include <bankhook/events/initial_transaction_update.hpp>
#include <bankhook/events/rules/check.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/text/calendar.hpp>
#include <bankhook/tracking/differences.hpp>
#include <bankhook/tracking/evaluation.hpp>
#include <bankhook/tracking/options.hpp>
#include <bankhook/tracking/outcome.hpp>
#include <bankhook/tracking/store/seen.hpp>
#include <bankhook/tracking/store/store.hpp>

#include <chrono>
#include <optional>
#include <string_view>
#include <type_traits>

namespace bankhook::inline BANKHOOK_ABI::tracking {

/// An event, where its key and its member are tracked, and what it means.
struct EvaluatedTransaction {
  const InitialTransactionUpdate& event;
  IdHash hash;         ///< of the transaction's id
  IdHash member_hash;  ///< of the member's id
  RecordId number = no_record;
  RecordId member = no_record;
  bool member_changes = false;
  TransactionRecord held{};  ///< what is tracked; views the store
  Outcome outcome{};

  [[nodiscard]] TransactionRecord record(std::string_view seen) const {
    return {event.initial_transaction, event.event_type, seen};
  }
};

}  // namespace bankhook::inline BANKHOOK_ABI::tracking

namespace bankhook::inline BANKHOOK_ABI::tracking::detail {

/// 3.1: the trigger that a status stands for; nothing for a status that is not listed.
[[nodiscard]] constexpr std::optional<TransactionTrigger> trigger_of_status(const OpenEnum<TransactionStatus>& status) {
  return status.known().transform([](TransactionStatus known) { return trigger_of(known); });
}

/// Whether the dates in `value` exist. Those that were parsed do; those of an event that was made by hand need not.
template <class T>
[[nodiscard]] constexpr bool has_real_dates(const T& value) {
  if constexpr (std::is_same_v<T, std::chrono::year_month_day>) return text::is_writable_date(value);
  else if constexpr (!reflect::HasParts<T>) return true;
  else return reflect::for_each_part(value, [](const auto& part) { return has_real_dates(part); });
}

template <class = void>
inline void compare_member(const Store& store, EvaluatedTransaction& evaluated) {
  Changes& changes = evaluated.outcome.changes;
  const Customer& customer = evaluated.event.customer;
  if (evaluated.member == no_record) {
    changes.add({ChangeKind::member_added, customer.id});
  } else {
    add_differences(store.members.read(evaluated.member).customer, customer, customer.id, {}, changes);
  }
  evaluated.member_changes = !changes.empty();
}

/// The transaction itself against the tracked one.
template <class = void>
BANKHOOK_INLINE void compare_transaction(const Store& store, EvaluatedTransaction& evaluated) {
  Changes& changes = evaluated.outcome.changes;
  const InitialTransactionUpdate& event = evaluated.event;
  if (const RecordId owner = store.transactions.links(evaluated.number).member; owner != evaluated.member) {
    changes.add({ChangeKind::transaction_moved, event.initial_transaction.id, event.customer.id, customer_id,
                 store.members.id(owner), event.customer.id});
  }
  add_changes(evaluated.held, event, changes);
}

/// Whether this very event is the last one of its transaction, or an earlier one. The last one is tracked in full; earlier
/// ones have hashes, and most transactions have none.
template <class = void>
[[nodiscard]] inline bool was_seen(const EvaluatedTransaction& evaluated, bool is_the_last) {
  if (is_the_last || evaluated.held.seen.empty()) return is_the_last;
  return Seen::contains(evaluated.held.seen, hash_of(evaluated.event.initial_transaction, evaluated.event.event_type));
}

/// What holds for a transaction that was not seen before.
template <class = void>
[[nodiscard]] inline Evaluation evaluate_new(const Store& store, EvaluatedTransaction& evaluated) {
  const InitialTransaction& transaction = evaluated.event.initial_transaction;
  compare_member(store, evaluated);
  evaluated.outcome.changes.add({.kind = ChangeKind::transaction_added,
                                 .id = transaction.id,
                                 .parent_id = evaluated.event.customer.id,
                                 .field = field_name<&InitialTransaction::status>,
                                 .after = transaction.status.text(),
                                 .first_event_missing = transaction.status != TransactionStatus::created});
  return evaluate_first(transaction_lifecycle, trigger_of_status(transaction.status), RuleId::created_comes_first);
}

/// 3.1: a `created` for a known transaction is late or a repeat. Any other event is news if it contains something new about
/// its transaction; otherwise nothing that it says about its member counts either.
template <class = void>
[[nodiscard]] inline Evaluation evaluate_held(const Store& store, EvaluatedTransaction& evaluated, bool accept_late) {
  const TransactionRecord& held = evaluated.held;
  const InitialTransactionUpdate& event = evaluated.event;
  const auto trigger = trigger_of_status(event.initial_transaction.status);
  Outcome& outcome = evaluated.outcome;
  evaluated.held = store.transactions.read(evaluated.number);
  const bool is_the_last =
      held.event_type == event.event_type && reflect::equal(held.initial_transaction, event.initial_transaction);
  outcome.seen_before = was_seen(evaluated, is_the_last);
  outcome.repeat = is_the_last && store.transactions.links(evaluated.number).member == evaluated.member;
  if (outcome.repeat) return {};
  const auto evaluation = evaluate_next(transaction_lifecycle, held.initial_transaction.status.known(), trigger);
  outcome.accepted = accept_late || trigger != TransactionTrigger::submitted;
  if (!outcome.accepted) return not_taken(evaluation);
  compare_member(store, evaluated);
  compare_transaction(store, evaluated);
  return evaluation;
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking::detail

namespace bankhook::inline BANKHOOK_ABI::tracking {

/// Fills in the verdict and its reason.
template <class = void>
inline void conclude(Outcome& outcome, const Evaluation& by_order) {
  const Evaluation evaluation = with_findings(by_order, outcome.findings);
  outcome.verdict = evaluation.verdict;
  outcome.reason = evaluation.reason;
}

/// The evaluation of an event that has a date which does not exist: it is not applied, as no payload can have such a date
/// and no snapshot could be read with it.
template <class = void>
inline void conclude_unreal(Outcome& outcome) {
  outcome.accepted = false;
  conclude(outcome, detail::broken(RuleId::fields_have_their_form));
}

/// What `event` means for `store`, which does not change.
template <class = void>
[[nodiscard]] BANKHOOK_ENTRY EvaluatedTransaction evaluate(const Store& store, const InitialTransactionUpdate& event,
                                                           const TrackerOptions& options) {
  EvaluatedTransaction evaluated{event, id_hash(event.initial_transaction.id), id_hash(event.customer.id)};
  store.transactions.prefetch(evaluated.hash);
  store.members.prefetch(evaluated.member_hash);
  evaluated.outcome.findings = check(event);
  if (!detail::has_real_dates(event)) {
    conclude_unreal(evaluated.outcome);
    return evaluated;
  }
  evaluated.member = store.members.find(evaluated.member_hash, event.customer.id);
  evaluated.number = store.transactions.find(evaluated.hash, event.initial_transaction.id);
  const bool is_new = evaluated.number == no_record;
  conclude(evaluated.outcome,
           is_new ? detail::evaluate_new(store, evaluated) : detail::evaluate_held(store, evaluated, options.accept_late));
  return evaluated;
}

/// Takes what was evaluated, accepted and is not a repeat, into the same store.
template <class = void>
BANKHOOK_ENTRY void take(Store& store, const EvaluatedTransaction& evaluated) {
  RecordId member = evaluated.member;
  if (member == no_record) {
    member = store.members.add(evaluated.member_hash, MemberRecord{evaluated.event.customer});
  } else if (evaluated.member_changes) {
    MemberRecord record = store.members.read(member);
    record.customer = evaluated.event.customer;
    store.members.replace(member, record);
  }
  if (evaluated.number == no_record) {
    store.add_transaction(evaluated.hash, evaluated.record({}), member);
    return;
  }
  const TransactionRecord& held = evaluated.held;
  const Seen seen(hash_of(held.initial_transaction, held.event_type), held.seen);
  store.replace_transaction(evaluated.number, evaluated.record(seen.text()), member);
}

BANKHOOK_ONCE(EvaluatedTransaction evaluate(const Store&, const InitialTransactionUpdate&, const TrackerOptions&));
BANKHOOK_ONCE(void take(Store&, const EvaluatedTransaction&));

}  // namespace bankhook::inline BANKHOOK_ABI::tracking
