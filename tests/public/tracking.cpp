// SPDX-License-Identifier: MIT
// A program that tracks an event, stores what it knows, and joins accounts.
#include <bankhook/tracking.hpp>

#include <chrono>

int main() {
  using namespace bankhook;
  BankConnectionsUpdateV2 event{.event_type = ConnectionEventType::create};
  event.connection = {.id = "k", .bank = "b", .transactions_eligible_from_date = std::chrono::year(2026) / 5 / 4};
  event.customer = {.id = "m", .external_id = "c", .connections_on = 1, .connections = {&event.connection, 1}};
  Tracker tracker;
  if (!tracker.apply(event).accepted) return 1;
  const auto restored = Tracker::restore(tracker.snapshot());
  if (!restored || restored->connection_count() != 1) return 2;
  JointAccounts accounts;
  accounts.add(Account{.id = "a", .account_hash = "h"});
  accounts.add(Account{.id = "b", .account_hash = "h"});
  return accounts.canonical("b") == "a" ? 0 : 3;
}
