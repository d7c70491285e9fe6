// SPDX-License-Identifier: MIT
// Boost.JSON: both events read into structs and written, by the library's own tag_invoke; its sources are a library apart.
#include "structs.hpp"

#include <boost/json.hpp>

namespace peer {

namespace bj = boost::json;

std::optional<std::string> nullable_text(const bj::value& value) {
  if (value.is_null()) return std::nullopt;
  return bj::value_to<std::string>(value);
}
std::optional<std::string> present_text(const bj::object& object, bj::string_view name) {
  const bj::value* const found = object.if_contains(name);
  return found == nullptr ? std::nullopt : std::optional(bj::value_to<std::string>(*found));
}
bj::value from(const std::optional<std::string>& text) { return text ? bj::value(*text) : bj::value(nullptr); }

void tag_invoke(bj::value_from_tag, bj::value& value, const Account& a) {
  value = {{"id", a.id}, {"accountHash", from(a.account_hash)}};
}
Account tag_invoke(bj::value_to_tag<Account>, const bj::value& value) {
  const bj::object& o = value.as_object();
  return {bj::value_to<std::string>(o.at("id")), nullable_text(o.at("accountHash"))};
}

void tag_invoke(bj::value_from_tag, bj::value& value, const Connection& c) {
  value = {{"id", c.id},
           {"errorCode", from(c.error_code)},
           {"errorMessage", from(c.error_message)},
           {"bank", c.bank},
           {"transactionsEligibleFromDate", c.transactions_eligible_from_date}};
  if (c.consent_expires_at) value.as_object()["consentExpiresAt"] = *c.consent_expires_at;
  value.as_object()["accounts"] = bj::value_from(c.accounts);
}
Connection tag_invoke(bj::value_to_tag<Connection>, const bj::value& value) {
  const bj::object& o = value.as_object();
  return {bj::value_to<std::string>(o.at("id")),
          nullable_text(o.at("errorCode")),
          nullable_text(o.at("errorMessage")),
          bj::value_to<std::string>(o.at("bank")),
          bj::value_to<std::string>(o.at("transactionsEligibleFromDate")),
          present_text(o, "consentExpiresAt"),
          bj::value_to<std::vector<Account>>(o.at("accounts"))};
}

void tag_invoke(bj::value_from_tag, bj::value& value, const ConnectedCustomer& c) {
  value = {{"id", c.id},
           {"externalId", c.external_id},
           {"connectionsOn", c.connections_on},
           {"connectionsOff", c.connections_off},
           {"connections", bj::value_from(c.connections)}};
}
ConnectedCustomer tag_invoke(bj::value_to_tag<ConnectedCustomer>, const bj::value& value) {
  const bj::object& o = value.as_object();
  return {bj::value_to<std::string>(o.at("id")), bj::value_to<std::string>(o.at("externalId")),
          bj::value_to<std::uint64_t>(o.at("connectionsOn")), bj::value_to<std::uint64_t>(o.at("connectionsOff")),
          bj::value_to<std::vector<Connection>>(o.at("connections"))};
}

void tag_invoke(bj::value_from_tag, bj::value& value, const BankConnectionsUpdateV2& e) {
  value = {{"event", bj::string_view(bank_name.data(), bank_name.size())},
           {"eventType", e.event_type},
           {"customer", bj::value_from(e.customer)},
           {"connection", bj::value_from(e.connection)},
           {"shoppingHubId", e.shopping_hub_id},
           {"shoppingHubExternalId", e.shopping_hub_external_id}};
}
BankConnectionsUpdateV2 tag_invoke(bj::value_to_tag<BankConnectionsUpdateV2>, const bj::value& value) {
  const bj::object& o = value.as_object();
  return {bj::value_to<std::string>(o.at("eventType")), bj::value_to<ConnectedCustomer>(o.at("customer")),
          bj::value_to<Connection>(o.at("connection")), bj::value_to<std::string>(o.at("shoppingHubId")),
          bj::value_to<std::string>(o.at("shoppingHubExternalId"))};
}

void tag_invoke(bj::value_from_tag, bj::value& value, const Customer& c) {
  value = {{"id", c.id}, {"externalId", c.external_id}};
}
Customer tag_invoke(bj::value_to_tag<Customer>, const bj::value& value) {
  const bj::object& o = value.as_object();
  return {bj::value_to<std::string>(o.at("id")), bj::value_to<std::string>(o.at("externalId"))};
}

void tag_invoke(bj::value_from_tag, bj::value& value, const InitialTransaction& t) {
  value = {{"id", t.id}, {"amount", t.amount}, {"storeExternalId", from(t.store_external_id)}};
  bj::object& o = value.as_object();
  if (t.place_id) o["placeId"] = *t.place_id;
  if (t.store_name) o["storeName"] = *t.store_name;
  o["status"] = t.status;
  o["rejectionReason"] = from(t.rejection_reason);
  o["transactionDate"] = t.transaction_date;
  o["transactionId"] = from(t.transaction_id);
  o["date"] = t.date;
}
InitialTransaction tag_invoke(bj::value_to_tag<InitialTransaction>, const bj::value& value) {
  const bj::object& o = value.as_object();
  return {bj::value_to<std::string>(o.at("id")),  bj::value_to<double>(o.at("amount")),
          nullable_text(o.at("storeExternalId")), present_text(o, "placeId"),
          present_text(o, "storeName"),           bj::value_to<std::string>(o.at("status")),
          nullable_text(o.at("rejectionReason")), bj::value_to<std::string>(o.at("transactionDate")),
          nullable_text(o.at("transactionId")),   bj::value_to<std::string>(o.at("date"))};
}

void tag_invoke(bj::value_from_tag, bj::value& value, const InitialTransactionUpdate& e) {
  value = {{"event", bj::string_view(transaction_name.data(), transaction_name.size())},
           {"eventType", e.event_type},
           {"customer", bj::value_from(e.customer)},
           {"initialTransaction", bj::value_from(e.initial_transaction)}};
}
InitialTransactionUpdate tag_invoke(bj::value_to_tag<InitialTransactionUpdate>, const bj::value& value) {
  const bj::object& o = value.as_object();
  return {bj::value_to<std::string>(o.at("eventType")), bj::value_to<Customer>(o.at("customer")),
          bj::value_to<InitialTransaction>(o.at("initialTransaction"))};
}

bool use(std::string_view text, std::string& out) {
  try {
    const bj::value value = bj::parse({text.data(), text.size()});
    const bj::string& name = value.as_object().at("event").as_string();
    if (name == bj::string_view(bank_name.data(), bank_name.size())) {
      out += bj::serialize(bj::value_from(bj::value_to<BankConnectionsUpdateV2>(value)));
    } else if (name == bj::string_view(transaction_name.data(), transaction_name.size())) {
      out += bj::serialize(bj::value_from(bj::value_to<InitialTransactionUpdate>(value)));
    }
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace peer
