// SPDX-License-Identifier: MIT
// Both events as a user of another library would write them down: structs of the standard library's types.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace peer {

struct Account {
  std::string id;
  std::optional<std::string> account_hash;
};

struct Connection {
  std::string id;
  std::optional<std::string> error_code;
  std::optional<std::string> error_message;
  std::string bank;
  std::string transactions_eligible_from_date;
  std::optional<std::string> consent_expires_at;  ///< may be absent
  std::vector<Account> accounts;
};

struct ConnectedCustomer {
  std::string id;
  std::string external_id;
  std::uint64_t connections_on{};
  std::uint64_t connections_off{};
  std::vector<Connection> connections;
};

struct BankConnectionsUpdateV2 {
  std::string event_type;
  ConnectedCustomer customer;
  Connection connection;
  std::string shopping_hub_id;
  std::string shopping_hub_external_id;
};

struct Customer {
  std::string id;
  std::string external_id;
};

struct InitialTransaction {
  std::string id;
  double amount{};
  std::optional<std::string> store_external_id;
  std::optional<std::string> place_id;    ///< may be absent
  std::optional<std::string> store_name;  ///< may be absent
  std::string status;
  std::optional<std::string> rejection_reason;
  std::string transaction_date;
  std::optional<std::string> transaction_id;
  std::string date;
};

struct InitialTransactionUpdate {
  std::string event_type;
  Customer customer;
  InitialTransaction initial_transaction;
};

inline constexpr std::string_view bank_name = "bank_connections_update_v2";
inline constexpr std::string_view transaction_name = "initial_transaction_update";

/// What a unit defines: it reads one of the two events and writes it again.
bool use(std::string_view text, std::string& out);

}  // namespace peer
