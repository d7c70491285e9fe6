// SPDX-License-Identifier: MIT
// RapidJSON: both events read out of a document into structs, and written by its writer.
#include "structs.hpp"

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace peer {
namespace {

namespace rj = rapidjson;
using Value = rj::Value;
using Writer = rj::Writer<rj::StringBuffer>;

const Value* find(const Value& object, const char* name) {
  if (!object.IsObject()) return nullptr;
  const auto found = object.FindMember(name);
  return found == object.MemberEnd() ? nullptr : &found->value;
}
bool get(const Value* value, std::string& out) {
  if (value == nullptr || !value->IsString()) return false;
  out.assign(value->GetString(), value->GetStringLength());
  return true;
}
bool get(const Value* value, std::uint64_t& out) {
  if (value == nullptr || !value->IsUint64()) return false;
  out = value->GetUint64();
  return true;
}
bool get_nullable(const Value* value, std::optional<std::string>& out) {
  return value != nullptr && (value->IsNull() || get(value, out.emplace()));
}
bool get_present(const Value* value, std::optional<std::string>& out) {
  return value == nullptr || get(value, out.emplace());
}
template <class T, class Read>
bool get_all(const Value* value, std::vector<T>& out, Read read) {
  if (value == nullptr || !value->IsArray()) return false;
  for (const Value& element : value->GetArray()) {
    if (!read(element, out.emplace_back())) return false;
  }
  return true;
}

bool read(const Value& v, Account& a) {
  return get(find(v, "id"), a.id) && get_nullable(find(v, "accountHash"), a.account_hash);
}
bool read(const Value& v, Connection& c) {
  return get(find(v, "id"), c.id) && get_nullable(find(v, "errorCode"), c.error_code) &&
         get_nullable(find(v, "errorMessage"), c.error_message) && get(find(v, "bank"), c.bank) &&
         get(find(v, "transactionsEligibleFromDate"), c.transactions_eligible_from_date) &&
         get_present(find(v, "consentExpiresAt"), c.consent_expires_at) &&
         get_all(find(v, "accounts"), c.accounts, [](const Value& e, Account& a) { return read(e, a); });
}
bool read(const Value& v, ConnectedCustomer& c) {
  return get(find(v, "id"), c.id) && get(find(v, "externalId"), c.external_id) &&
         get(find(v, "connectionsOn"), c.connections_on) && get(find(v, "connectionsOff"), c.connections_off) &&
         get_all(find(v, "connections"), c.connections, [](const Value& e, Connection& to) { return read(e, to); });
}
bool read(const Value& v, BankConnectionsUpdateV2& e) {
  const Value* const customer = find(v, "customer");
  const Value* const connection = find(v, "connection");
  return get(find(v, "eventType"), e.event_type) && customer != nullptr && read(*customer, e.customer) &&
         connection != nullptr && read(*connection, e.connection) && get(find(v, "shoppingHubId"), e.shopping_hub_id) &&
         get(find(v, "shoppingHubExternalId"), e.shopping_hub_external_id);
}
bool read(const Value& v, Customer& c) { return get(find(v, "id"), c.id) && get(find(v, "externalId"), c.external_id); }
bool read(const Value& v, InitialTransaction& t) {
  const Value* const amount = find(v, "amount");
  if (amount == nullptr || !amount->IsNumber()) return false;
  t.amount = amount->GetDouble();
  return get(find(v, "id"), t.id) && get_nullable(find(v, "storeExternalId"), t.store_external_id) &&
         get_present(find(v, "placeId"), t.place_id) && get_present(find(v, "storeName"), t.store_name) &&
         get(find(v, "status"), t.status) && get_nullable(find(v, "rejectionReason"), t.rejection_reason) &&
         get(find(v, "transactionDate"), t.transaction_date) && get_nullable(find(v, "transactionId"), t.transaction_id) &&
         get(find(v, "date"), t.date);
}
bool read(const Value& v, InitialTransactionUpdate& e) {
  const Value* const customer = find(v, "customer");
  const Value* const transaction = find(v, "initialTransaction");
  return get(find(v, "eventType"), e.event_type) && customer != nullptr && read(*customer, e.customer) &&
         transaction != nullptr && read(*transaction, e.initial_transaction);
}

void put(Writer& w, std::string_view text) { w.String(text.data(), static_cast<rj::SizeType>(text.size())); }
void put(Writer& w, std::string_view name, std::string_view text) {
  w.Key(name.data(), static_cast<rj::SizeType>(name.size()));
  put(w, text);
}
void put_nullable(Writer& w, std::string_view name, const std::optional<std::string>& text) {
  w.Key(name.data(), static_cast<rj::SizeType>(name.size()));
  if (text) put(w, *text);
  else w.Null();
}
void put_present(Writer& w, std::string_view name, const std::optional<std::string>& text) {
  if (text) put(w, name, *text);
}

void write(Writer& w, const Account& a) {
  w.StartObject();
  put(w, "id", a.id);
  put_nullable(w, "accountHash", a.account_hash);
  w.EndObject();
}
void write(Writer& w, const Connection& c) {
  w.StartObject();
  put(w, "id", c.id);
  put_nullable(w, "errorCode", c.error_code);
  put_nullable(w, "errorMessage", c.error_message);
  put(w, "bank", c.bank);
  put(w, "transactionsEligibleFromDate", c.transactions_eligible_from_date);
  put_present(w, "consentExpiresAt", c.consent_expires_at);
  w.Key("accounts");
  w.StartArray();
  for (const Account& account : c.accounts) write(w, account);
  w.EndArray();
  w.EndObject();
}
void write(Writer& w, const BankConnectionsUpdateV2& e) {
  w.StartObject();
  put(w, "event", bank_name);
  put(w, "eventType", e.event_type);
  w.Key("customer");
  w.StartObject();
  put(w, "id", e.customer.id);
  put(w, "externalId", e.customer.external_id);
  w.Key("connectionsOn");
  w.Uint64(e.customer.connections_on);
  w.Key("connectionsOff");
  w.Uint64(e.customer.connections_off);
  w.Key("connections");
  w.StartArray();
  for (const Connection& connection : e.customer.connections) write(w, connection);
  w.EndArray();
  w.EndObject();
  w.Key("connection");
  write(w, e.connection);
  put(w, "shoppingHubId", e.shopping_hub_id);
  put(w, "shoppingHubExternalId", e.shopping_hub_external_id);
  w.EndObject();
}
void write(Writer& w, const InitialTransactionUpdate& e) {
  const InitialTransaction& t = e.initial_transaction;
  w.StartObject();
  put(w, "event", transaction_name);
  put(w, "eventType", e.event_type);
  w.Key("customer");
  w.StartObject();
  put(w, "id", e.customer.id);
  put(w, "externalId", e.customer.external_id);
  w.EndObject();
  w.Key("initialTransaction");
  w.StartObject();
  put(w, "id", t.id);
  w.Key("amount");
  w.Double(t.amount);
  put_nullable(w, "storeExternalId", t.store_external_id);
  put_present(w, "placeId", t.place_id);
  put_present(w, "storeName", t.store_name);
  put(w, "status", t.status);
  put_nullable(w, "rejectionReason", t.rejection_reason);
  put(w, "transactionDate", t.transaction_date);
  put_nullable(w, "transactionId", t.transaction_id);
  put(w, "date", t.date);
  w.EndObject();
  w.EndObject();
}

template <class T>
bool round(const Value& document, std::string& out) {
  T event;
  if (!read(document, event)) return false;
  rj::StringBuffer buffer;
  Writer writer(buffer);
  write(writer, event);
  out.append(buffer.GetString(), buffer.GetSize());
  return true;
}

}  // namespace

bool use(std::string_view text, std::string& out) {
  rj::Document document;
  document.Parse(text.data(), text.size());
  std::string name;
  if (document.HasParseError() || !get(find(document, "event"), name)) return false;
  if (name == bank_name) return round<BankConnectionsUpdateV2>(document, out);
  return name == transaction_name ? round<InitialTransactionUpdate>(document, out) : true;
}

}  // namespace peer
