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
#include <string>
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

constexpr Evidence basis_of(const Rule& rule) { return rule.evidence; }
constexpr Evidence basis_of(const auto& row) { return row.basis(); }

constexpr std::string words_of(const Rule& rule) { return std::string(rule.sentence); }
constexpr std::string words_of(const auto& row) {
  const std::string from(row.from ? plain_name(*row.from) : std::string_view("start"));
  const std::string trigger(plain_name(row.trigger));
  if (!row.to) return trigger + " changes nothing after " + from;
  return from + " -> " + std::string(plain_name(*row.to)) + " by " + trigger +
         (row.is_expected() ? "" : ", of which nothing is known");
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

/// What it says: the sentence of the rule, or the row as its table has it, `created -> validated by store_set_up`. Empty if
/// the reason is.
[[nodiscard]] constexpr std::string to_string(const Reason& reason) {
  std::string found;
  detail::read_reason(reason, [&](const auto& row) { found = detail::words_of(row); });
  return found;
}

}  // namespace bankhook::inline BANKHOOK_ABI
