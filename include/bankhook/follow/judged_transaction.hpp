// SPDX-License-Identifier: MIT
// 6.3: an initial_transaction_update against what is held, looked at first and taken afterwards.
#pragma once

#include <bankhook/domain/transaction_lifecycle.hpp>
#include <bankhook/events/check.hpp>
#include <bankhook/events/initial_transaction_update.hpp>
#include <bankhook/follow/differences.hpp>
#include <bankhook/follow/judgement.hpp>
#include <bankhook/follow/outcome.hpp>
#include <bankhook/follow/store.hpp>

#include <optional>
#include <string_view>

namespace bankhook::follow {

/// An event, where its key and its member are held, and what it means.
struct JudgedTransaction {
  const InitialTransactionUpdate& event;
  Tag tag;         ///< of the transaction's id
  Tag member_tag;  ///< of the member's id
  Number number = no_number;
  Number member = no_number;
  bool member_changes = false;
  Outcome outcome{};

  [[nodiscard]] TransactionRecord record() const { return {event.initial_transaction, event.event_type}; }
};

}  // namespace bankhook::follow

namespace bankhook::follow::detail {

/// 3.1: the trigger that a status stands for; nothing for a status that is not listed.
[[nodiscard]] constexpr std::optional<TransactionTrigger> trigger_of_status(const OpenEnum<TransactionStatus>& status) {
  return status.known().transform([](TransactionStatus known) { return trigger_of(known); });
}

inline void compare_member(const Store& store, JudgedTransaction& judged) {
  Changes& changes = judged.outcome.changes;
  const Customer& customer = judged.event.customer;
  if (judged.member == no_number) {
    changes.add({ChangeKind::member_added, customer.id});
  } else {
    add_differences(store.read_member(judged.member).customer, customer, customer.id, {}, changes);
  }
  judged.member_changes = !changes.empty();
}

/// The transaction itself against the held one.
inline void compare_transaction(const Store& store, const TransactionRecord& held, JudgedTransaction& judged) {
  Changes& changes = judged.outcome.changes;
  const std::string_view id = judged.event.initial_transaction.id;
  const std::string_view member = judged.event.customer.id;
  if (const Number owner = store.transactions.links(judged.number).member; owner != judged.member) {
    changes.add({ChangeKind::transaction_moved, id, member, {}, store.members.id_of(owner), member});
  }
  add_changes(held, judged.record(), member, changes);
}

/// What holds for a transaction that was not seen before.
[[nodiscard]] inline Judgement judge_new(JudgedTransaction& judged) {
  const InitialTransaction& transaction = judged.event.initial_transaction;
  judged.outcome.changes.add({.kind = ChangeKind::transaction_added,
                              .id = transaction.id,
                              .owner = judged.event.customer.id,
                              .first_event_missing = transaction.status != TransactionStatus::created});
  return judge_first(transaction_lifecycle, trigger_of_status(transaction.status), RuleId::created_comes_first);
}

[[nodiscard]] inline Judgement judge_held(const Store& store, JudgedTransaction& judged) {
  const TransactionRecord held = store.transactions.read(judged.number);
  compare_transaction(store, held, judged);
  judged.outcome.repeat = judged.outcome.changes.empty();
  if (judged.outcome.repeat) return {};
  return judge_next(transaction_lifecycle, held.initial_transaction.status.known(),
                    trigger_of_status(judged.event.initial_transaction.status));
}

}  // namespace bankhook::follow::detail

namespace bankhook::follow {

/// Fills in the rest of the outcome. What is not accepted changes nothing.
inline void conclude(Outcome& outcome, const Judgement& by_order, bool take_contradictions) {
  const Judgement judgement = with_findings(by_order, outcome.findings);
  outcome.verdict = judgement.verdict;
  outcome.basis = judgement.basis;
  outcome.accepted = !by_order.undoes || take_contradictions;
  if (!outcome.accepted) outcome.changes.clear();
}

/// What `event` means for `store`, which stays as it is.
[[nodiscard]] inline JudgedTransaction judge(const Store& store, const InitialTransactionUpdate& event,
                                             bool take_contradictions) {
  JudgedTransaction judged{event, tag_of(event.initial_transaction.id), tag_of(event.customer.id)};
  store.transactions.prefetch(judged.tag);
  store.members.prefetch(judged.member_tag);
  judged.outcome.findings = check(event);
  judged.member = store.members.find(judged.member_tag, event.customer.id);
  judged.number = store.transactions.find(judged.tag, event.initial_transaction.id);
  detail::compare_member(store, judged);
  const Judgement judgement = judged.number == no_number ? detail::judge_new(judged) : detail::judge_held(store, judged);
  conclude(judged.outcome, judgement, take_contradictions);
  return judged;
}

/// Takes what was judged, accepted and no repeat, into the same store.
inline void take(Store& store, const JudgedTransaction& judged) {
  Number member = judged.member;
  if (member == no_number) {
    member = store.members.add(judged.member_tag, {judged.event.customer}, {});
  } else if (judged.member_changes) {
    store.members.replace(member, {judged.event.customer, store.read_member(member).membership});
  }
  if (judged.number == no_number) store.add_transaction(judged.tag, judged.record(), member);
  else store.replace_transaction(judged.number, judged.record(), member);
}

}  // namespace bankhook::follow
