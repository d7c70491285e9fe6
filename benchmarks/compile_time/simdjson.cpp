// SPDX-License-Identifier: MIT
// simdjson, which only reads in this version: both events into structs, on demand. Its own sources are a library apart.
#include "structs.hpp"

#include <simdjson.h>

namespace peer {
namespace {

namespace od = simdjson::ondemand;
using Result = simdjson::simdjson_result<od::value>;

std::string text(Result value) { return std::string(std::string_view(value)); }
std::optional<std::string> nullable_text(Result value) {
  if (value.is_null()) return std::nullopt;
  return text(value);
}
std::optional<std::string> present_text(Result value) {
  if (value.error() == simdjson::NO_SUCH_FIELD) return std::nullopt;
  return text(value);
}

Account account(od::object o) { return {text(o["id"]), nullable_text(o["accountHash"])}; }
Connection connection(od::object o) {
  Connection c{.id = text(o["id"]),
               .error_code = nullable_text(o["errorCode"]),
               .error_message = nullable_text(o["errorMessage"]),
               .bank = text(o["bank"]),
               .transactions_eligible_from_date = text(o["transactionsEligibleFromDate"]),
               .consent_expires_at = present_text(o["consentExpiresAt"]),
               .accounts = {}};
  for (od::object element : o["accounts"]) c.accounts.push_back(account(element));
  return c;
}
ConnectedCustomer connected_customer(od::object o) {
  ConnectedCustomer c{.id = text(o["id"]),
                      .external_id = text(o["externalId"]),
                      .connections_on = o["connectionsOn"],
                      .connections_off = o["connectionsOff"],
                      .connections = {}};
  for (od::object element : o["connections"]) c.connections.push_back(connection(element));
  return c;
}
BankConnectionsUpdateV2 bank_connections_update(od::object o) {
  return {text(o["eventType"]), connected_customer(o["customer"]), connection(o["connection"]), text(o["shoppingHubId"]),
          text(o["shoppingHubExternalId"])};
}
Customer customer(od::object o) { return {text(o["id"]), text(o["externalId"])}; }
InitialTransaction transaction(od::object o) {
  return {text(o["id"]),
          double(o["amount"]),
          nullable_text(o["storeExternalId"]),
          present_text(o["placeId"]),
          present_text(o["storeName"]),
          text(o["status"]),
          nullable_text(o["rejectionReason"]),
          text(o["transactionDate"]),
          nullable_text(o["transactionId"]),
          text(o["date"])};
}
InitialTransactionUpdate transaction_update(od::object o) {
  return {text(o["eventType"]), customer(o["customer"]), transaction(o["initialTransaction"])};
}

}  // namespace

bool read(std::string_view payload, BankConnectionsUpdateV2& bank, InitialTransactionUpdate& update) {
  try {
    od::parser parser;
    const simdjson::padded_string padded(payload);
    od::document document = parser.iterate(padded);
    od::object object = document.get_object();
    const std::string_view name = object["event"];
    if (name == bank_name) bank = bank_connections_update(object);
    else if (name == transaction_name) update = transaction_update(object);
    return true;
  } catch (const simdjson::simdjson_error&) {
    return false;
  }
}

}  // namespace peer
