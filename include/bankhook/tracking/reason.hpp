// SPDX-License-Identifier: MIT
// What a verdict rests on: a rule of the catalogue, or a row of a lifecycle.
#pragma once

#include <bankhook/base/evidence.hpp>
#include <bankhook/domain/connection_event_type.hpp>
#include <bankhook/domain/connection_lifecycle.hpp>
#include <bankhook/domain/initial_transaction.hpp>
#include <bankhook/domain/transaction_lifecycle.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/machine/transition.hpp>

#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>

namespace bankhook::inline BANKHOOK_ABI {

/// A row of the lifecycle of an initial transaction.
using TransactionTransition = Transition<TransactionStatus, TransactionTrigger>;
/// A final state of a transaction.
using FinalTransactionState = FinalState<TransactionStatus>;
/// A row of the lifecycle of a bank connection.
using ConnectionTransition = Transition<ConnectionState, ConnectionEventType>;
/// A final state of a bank connection.
using FinalConnectionState = FinalState<ConnectionState>;

/// A row of a table in static storage, or empty if the specification does not cover the event. It is a variant of pointers:
/// `std::visit` and `std::get_if` take it.
struct Reason : std::variant<std::monostate, const Rule*, const TransactionTransition*, const FinalTransactionState*,
                             const ConnectionTransition*, const FinalConnectionState*> {
  using Row = variant;
  using Row::variant;

  /// The evidence of the rule or row; empty if the reason is.
  [[nodiscard]] constexpr std::optional<Evidence> evidence() const;
  /// Its section of the specification, or empty. Static storage.
  [[nodiscard]] constexpr std::string_view section() const;
};

}  // namespace bankhook::inline BANKHOOK_ABI

namespace bankhook::inline BANKHOOK_ABI::detail {

/// Calls `read(row)` with what the reason points to, if it points to anything.
template <class Read>
constexpr void read_reason(const Reason& reason, Read read) {
  std::visit(
      [&]<class Row>(Row row) {
        if constexpr (std::is_pointer_v<Row>) read(*row);
      },
      static_cast<const Reason::Row&>(reason));
}

/// The sentence of the row, which distinguishes it from the others.
constexpr std::string_view sentence_of(const Rule& rule) { return rule.sentence; }
constexpr std::string_view sentence_of(const FinalTransactionState&) {
  return "the specification shows no state after this status";
}
constexpr std::string_view sentence_of(const FinalConnectionState&) {
  return "the specification shows nothing after a deletion";
}
constexpr std::string_view sentence_of(const TransactionTransition& transition) {
  if (!transition.to) return "the specification does not describe a second submission";
  if (!transition.from) return "the first submission leads to created";
  return "processing leads from created to validated or rejected; the specification does not show which state precedes "
         "them";
}
constexpr std::string_view sentence_of(const ConnectionTransition& transition) {
  if (!transition.to) return "create comes before update; the specification does not say whether a create may follow";
  if (!transition.from) return "a create event is sent when a connection is created";
  if (transition.trigger == ConnectionEventType::update)
    return "an update event is sent when bank accounts are created or updated";
  return "an event is sent when a connection is deleted; the specification does not show its eventType";
}

}  // namespace bankhook::inline BANKHOOK_ABI::detail

namespace bankhook::inline BANKHOOK_ABI {

constexpr std::optional<Evidence> Reason::evidence() const {
  std::optional<Evidence> found;
  detail::read_reason(*this, [&](const auto& row) { found = row.evidence; });
  return found;
}
constexpr std::string_view Reason::section() const {
  std::string_view found;
  detail::read_reason(*this, [&](const auto& row) { found = row.section; });
  return found;
}

/// What it says, in a sentence, or empty. Static storage.
[[nodiscard]] constexpr std::string_view to_string(const Reason& reason) {
  std::string_view found;
  detail::read_reason(reason, [&](const auto& row) { found = detail::sentence_of(row); });
  return found;
}

}  // namespace bankhook::inline BANKHOOK_ABI
