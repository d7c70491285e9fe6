// SPDX-License-Identifier: MIT
// 3.1 Initial transaction: its states, what leads to them, and which of that is stated.
#pragma once

#include <bankhook/domain/initial_transaction.hpp>
#include <bankhook/machine/machine.hpp>
#include <bankhook/machine/transition.hpp>

#include <algorithm>
#include <cstdint>

namespace bankhook { inline namespace BANKHOOK_STRUCTS {

/// Spec 3.1: what leads to a status. The names are ours; a payload never holds them.
enum class TransactionTrigger : std::uint8_t {
  submitted,         ///< the consumer submits it through "Send an initial transaction", first submission
  store_set_up,      ///< service processing: the store is properly set up in the service
  store_not_set_up,  ///< service processing: the service cannot set up the store; how that goes together with the
                     ///< reasons of 2.4, which name other causes, is not shown
};

}}  // namespace bankhook::BANKHOOK_STRUCTS

namespace bankhook { inline namespace BANKHOOK_ABI {

/// The machines that a tracker can move transactions by.
using TransactionLifecycle = CompleteMachine<TransactionStatus, TransactionTrigger>;

/// The rows of `transaction_lifecycle`, each with its section and its evidence (spec 3.1).
inline constexpr auto transaction_transitions = [] {
  using enum TransactionStatus;
  using enum TransactionTrigger;
  using enum Evidence;
  using namespace table_words;
  // clang-format off
  return transitions<TransactionStatus, TransactionTrigger>(
      {
          {begin, submitted, created, stated, "3.1"},  // "first submission", resulting state "created"
          // "Which state precedes validated and rejected: not shown." Created is the only one known to come first.
          {created, store_set_up, validated, stated, "3.1", before_is_assumed},
          {created, store_not_set_up, rejected, stated, "3.1", before_is_assumed},
          // "First submission" is the condition of the first row; the specification does not say what a second one does.
          {created, submitted, never, assumed, "3.1"},
          {validated, submitted, never, assumed, "3.1"},
          {rejected, submitted, never, assumed, "3.1"},
          // Its created is missing or late.
          {begin, store_set_up, validated, stated, "3.1", unexpected},
          {begin, store_not_set_up, rejected, stated, "3.1", unexpected},
          // No row of the specification leaves validated and rejected.
          {validated, store_set_up, validated, stated, "3.1", unexpected},
          {validated, store_not_set_up, rejected, stated, "3.1", unexpected},
          {rejected, store_set_up, validated, stated, "3.1", unexpected},
          {rejected, store_not_set_up, rejected, stated, "3.1", unexpected},
      },
      {
          // No row of the specification leaves them, and none says that they are the last.
          {validated, assumed, "3.1"},
          {rejected, assumed, "3.1"},
      });
  // clang-format on
}();

/// Spec 3.1, proven at compile time. That the store's set-up leads to validated or rejected is stated; that created comes
/// before is assumed, because the specification does not show which state precedes them. A second submission is not
/// applied.
inline constexpr TransactionLifecycle transaction_lifecycle = machine<transaction_transitions>;

/// What leads to `status`. "Each status change produces an initial_transaction_update event whose eventType equals the new
/// status" (3.1), so this is the trigger that an event's eventType stands for.
[[nodiscard]] constexpr TransactionTrigger trigger_of(TransactionStatus status) {
  switch (status) {
    case TransactionStatus::created: return TransactionTrigger::submitted;
    case TransactionStatus::validated: return TransactionTrigger::store_set_up;
    case TransactionStatus::rejected: break;
  }
  return TransactionTrigger::store_not_set_up;
}

static_assert(std::all_of(transaction_transitions.transitions.begin(), transaction_transitions.transitions.end(),
                          [](const auto& row) { return !row.to || trigger_of(*row.to) == row.trigger; }),
              "each status has the trigger that leads to it");

}}  // namespace bankhook::BANKHOOK_ABI
