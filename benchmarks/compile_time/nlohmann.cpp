// SPDX-License-Identifier: MIT
// nlohmann/json: both events read into structs and written, by the library's own to_json and from_json.
#include "structs.hpp"

#include <nlohmann/json.hpp>

namespace peer {

using nlohmann::json;

template <class T>
void put_nullable(json& j, const char* name, const std::optional<T>& value) {
  if (value) j[name] = *value;
  else j[name] = nullptr;
}
template <class T>
void put_present(json& j, const char* name, const std::optional<T>& value) {
  if (value) j[name] = *value;
}
template <class T>
void get_nullable(const json& j, const char* name, std::optional<T>& value) {
  if (const json& found = j.at(name); !found.is_null()) value = found.get<T>();
}
template <class T>
void get_present(const json& j, const char* name, std::optional<T>& value) {
  if (j.contains(name)) value = j.at(name).get<T>();
}

void to_json(json& j, const Account& a) {
  j = json{{"id", a.id}};
  put_nullable(j, "accountHash", a.account_hash);
}
void from_json(const json& j, Account& a) {
  j.at("id").get_to(a.id);
  get_nullable(j, "accountHash", a.account_hash);
}

void to_json(json& j, const Connection& c) {
  j = json{{"id", c.id},
           {"bank", c.bank},
           {"transactionsEligibleFromDate", c.transactions_eligible_from_date},
           {"accounts", c.accounts}};
  put_nullable(j, "errorCode", c.error_code);
  put_nullable(j, "errorMessage", c.error_message);
  put_present(j, "consentExpiresAt", c.consent_expires_at);
}
void from_json(const json& j, Connection& c) {
  j.at("id").get_to(c.id);
  get_nullable(j, "errorCode", c.error_code);
  get_nullable(j, "errorMessage", c.error_message);
  j.at("bank").get_to(c.bank);
  j.at("transactionsEligibleFromDate").get_to(c.transactions_eligible_from_date);
  get_present(j, "consentExpiresAt", c.consent_expires_at);
  j.at("accounts").get_to(c.accounts);
}

void to_json(json& j, const ConnectedCustomer& c) {
  j = json{{"id", c.id},
           {"externalId", c.external_id},
           {"connectionsOn", c.connections_on},
           {"connectionsOff", c.connections_off},
           {"connections", c.connections}};
}
void from_json(const json& j, ConnectedCustomer& c) {
  j.at("id").get_to(c.id);
  j.at("externalId").get_to(c.external_id);
  j.at("connectionsOn").get_to(c.connections_on);
  j.at("connectionsOff").get_to(c.connections_off);
  j.at("connections").get_to(c.connections);
}

void to_json(json& j, const BankConnectionsUpdateV2& e) {
  j = json{{"event", bank_name},
           {"eventType", e.event_type},
           {"customer", e.customer},
           {"connection", e.connection},
           {"shoppingHubId", e.shopping_hub_id},
           {"shoppingHubExternalId", e.shopping_hub_external_id}};
}
void from_json(const json& j, BankConnectionsUpdateV2& e) {
  j.at("eventType").get_to(e.event_type);
  j.at("customer").get_to(e.customer);
  j.at("connection").get_to(e.connection);
  j.at("shoppingHubId").get_to(e.shopping_hub_id);
  j.at("shoppingHubExternalId").get_to(e.shopping_hub_external_id);
}

void to_json(json& j, const Customer& c) { j = json{{"id", c.id}, {"externalId", c.external_id}}; }
void from_json(const json& j, Customer& c) {
  j.at("id").get_to(c.id);
  j.at("externalId").get_to(c.external_id);
}

void to_json(json& j, const InitialTransaction& t) {
  j = json{
      {"id", t.id}, {"amount", t.amount}, {"status", t.status}, {"transactionDate", t.transaction_date}, {"date", t.date}};
  put_nullable(j, "storeExternalId", t.store_external_id);
  put_present(j, "placeId", t.place_id);
  put_present(j, "storeName", t.store_name);
  put_nullable(j, "rejectionReason", t.rejection_reason);
  put_nullable(j, "transactionId", t.transaction_id);
}
void from_json(const json& j, InitialTransaction& t) {
  j.at("id").get_to(t.id);
  j.at("amount").get_to(t.amount);
  get_nullable(j, "storeExternalId", t.store_external_id);
  get_present(j, "placeId", t.place_id);
  get_present(j, "storeName", t.store_name);
  j.at("status").get_to(t.status);
  get_nullable(j, "rejectionReason", t.rejection_reason);
  j.at("transactionDate").get_to(t.transaction_date);
  get_nullable(j, "transactionId", t.transaction_id);
  j.at("date").get_to(t.date);
}

void to_json(json& j, const InitialTransactionUpdate& e) {
  j = json{{"event", transaction_name},
           {"eventType", e.event_type},
           {"customer", e.customer},
           {"initialTransaction", e.initial_transaction}};
}
void from_json(const json& j, InitialTransactionUpdate& e) {
  j.at("eventType").get_to(e.event_type);
  j.at("customer").get_to(e.customer);
  j.at("initialTransaction").get_to(e.initial_transaction);
}

bool use(std::string_view text, std::string& out) {
  try {
    const json j = json::parse(text);
    const auto& name = j.at("event").get_ref<const std::string&>();
    if (name == bank_name) out += json(j.get<BankConnectionsUpdateV2>()).dump();
    else if (name == transaction_name) out += json(j.get<InitialTransactionUpdate>()).dump();
    return true;
  } catch (const json::exception&) {
    return false;
  }
}

}  // namespace peer
