// SPDX-License-Identifier: MIT
// Events for the tests of the tracker: short to write, and with a tracker that is asked in a line.
#pragma once

#include <bankhook/events/bank_connections_update_v2.hpp>
#include <bankhook/events/initial_transaction_update.hpp>
#include <bankhook/tracking/tracker.hpp>

#include <array>
#include <chrono>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace bankhook::test {

/// A transaction of member-1 that keeps all rules of its status.
[[nodiscard]] inline InitialTransactionUpdate transaction(std::string_view id, TransactionStatus status) {
  using std::chrono::May, std::chrono::year;
  InitialTransactionUpdate event;
  event.event_type = status;
  event.customer = {"member-1", "cust-1"};
  event.initial_transaction = {.id = id,
                               .amount = Decimal(1990, 2),
                               .store_external_id = "store-1",
                               .status = status,
                               .transaction_date = year(2026) / May / 3,
                               .date = *Timestamp::parse("2026-05-04T12:15:30.000+02:00")};
  if (status == TransactionStatus::rejected) {
    event.initial_transaction.rejection_reason = OpenEnum(RejectionReason::purchase_not_found);
  }
  return event;
}

/// Two accounts, the second without a hash.
inline constexpr std::array two_accounts{Account{"acc-1", "hash-1"}, Account{"acc-2", std::nullopt}};

/// A connection without error.
[[nodiscard]] inline Connection connection(std::string_view id, std::span<const Account> accounts = {}) {
  return {.id = id,
          .bank = "Banque Exemple",
          .transactions_eligible_from_date = std::chrono::year(2026) / std::chrono::January / 15,
          .accounts = accounts};
}

/// An event of member-1 about `own`, with `all` connections; the spans must outlive it.
[[nodiscard]] inline BankConnectionsUpdateV2 bank(ConnectionEventType type, const Connection& own,
                                                  std::span<const Connection> all) {
  BankConnectionsUpdateV2 event;
  event.event_type = type;
  event.customer = {"member-1", "cust-1", all.size(), 0, all};
  event.connection = own;
  event.shopping_hub_id = "hub-1";
  event.shopping_hub_external_id = "programme-1";
  return event;
}

/// The same about the last connection of `all`.
[[nodiscard]] inline BankConnectionsUpdateV2 about_last(ConnectionEventType type, std::span<const Connection> all) {
  return bank(type, all.back(), all);
}

/// The kinds of the changes, in their order.
[[nodiscard]] inline std::vector<ChangeKind> kinds(const Outcome& outcome) {
  std::vector<ChangeKind> all;
  for (const Change& change : outcome.changes) all.push_back(change.kind);
  return all;
}

/// Whether the verdict rests on this rule.
[[nodiscard]] inline bool rests_on(const Outcome& outcome, RuleId rule) {
  const auto* const reason = std::get_if<const Rule*>(&outcome.reason);
  return reason != nullptr && (*reason)->rule == rule;
}

}  // namespace bankhook::test
