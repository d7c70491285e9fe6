// SPDX-License-Identifier: MIT
// What a verdict rests on: a rule of the catalogue, or a row of a lifecycle.
#pragma once

#include <bankhook/base/evidence.hpp>
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
/// A row of the lifecycle of a bank connection.
using ConnectionTransition = Transition<ConnectionState, ConnectionTrigger>;

/// A rule, or a row of the table that a tracker moves by. Empty only if that table has no row for what happened. It is a
/// variant of pointers: `std::visit` and `std::get_if` take it.
struct Reason : std::variant<std::monostate, const Rule*, const TransactionTransition*, const ConnectionTransition*> {
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

/// What the whole row rests on: it is stated only if the state before is, too.
constexpr Evidence basis_of(const Rule& rule) { return rule.evidence; }
constexpr Evidence basis_of(const auto& row) {
  return row.evidence == Evidence::stated && row.before != StateBefore::stated ? Evidence::assumed : row.evidence;
}

/// The sentence of the row, which distinguishes it from the others.
constexpr std::string_view sentence_of(const Rule& rule) { return rule.sentence; }
constexpr std::string_view sentence_of(const TransactionTransition& row) {
  if (!row.to) return "the specification does not describe a second submission";
  if (!row.from && row.trigger == TransactionTrigger::submitted) return "the first submission leads to created";
  if (!row.from)
    return "the first event of an initial transaction is created; which state precedes the others is not shown";
  if (row.is_expected())
    return "processing leads from created to validated or rejected; the specification does not show which state precedes "
           "them";
  return "the specification shows no state after this status";
}
constexpr std::string_view sentence_of(const ConnectionTransition& row) {
  switch (row.trigger) {
    case ConnectionTrigger::listed:
      if (row.from == ConnectionState::deleted)
        return "a deleted connection stays deleted although it is listed again; what comes after a deletion is not shown";
      return "a member's connections are listed, all of them";
    case ConnectionTrigger::not_listed:
      return "a connection that is no longer listed is gone; why it is missing is not stated";
    case ConnectionTrigger::create:
      if (row.to) return "a create event is sent when a connection is created";
      return "a connection's create comes once, before its other events; the specification does not say whether one may "
             "follow";
    case ConnectionTrigger::update:
    case ConnectionTrigger::delete_: break;
  }
  if (row.from == ConnectionState::deleted) return "the specification shows nothing after a deletion";
  if (row.before == StateBefore::unknown)
    return "the first event of a connection is create; a connection may be older than the first event that was received";
  if (row.trigger == ConnectionTrigger::update) return "an update event is sent when bank accounts are created or updated";
  return "an event is sent when a connection is deleted; the specification does not show its eventType";
}

}  // namespace bankhook::inline BANKHOOK_ABI::detail

namespace bankhook::inline BANKHOOK_ABI {

constexpr std::optional<Evidence> Reason::evidence() const {
  std::optional<Evidence> found;
  detail::read_reason(*this, [&](const auto& row) { found = detail::basis_of(row); });
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
