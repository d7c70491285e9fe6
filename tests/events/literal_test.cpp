// SPDX-License-Identifier: MIT
// Event literals: payloads that the compiler reads; that these tests compile is most of what they say.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/events/literal.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/serialize.hpp>
#include <bankhook/json/write/sink.hpp>
#include <bankhook/reflect/equality.hpp>

#include <chrono>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace events_literal_test {

using namespace bankhook;
using namespace bankhook::literals;
using namespace std::chrono;

namespace {

constexpr auto created = R"({
  "event": "bank_connections_update_v2",
  "eventType": "create",
  "customer": {"id": "field-1", "externalId": "cust-1", "connectionsOn": 1, "connectionsOff": 0, "connections": [
    {"id": "conn-1", "errorCode": null, "errorMessage": null, "bank": "Cr\u00e9dit \"Exemple\"",
     "transactionsEligibleFromDate": "2024-02-29", "consentExpiresAt": "2027-03-01 09:30:00.0000",
     "accounts": [{"id": "acc-1", "accountHash": "hash-1"}, {"id": "acc-2", "accountHash": null}]},
    {"id": "conn-2", "errorCode": "e", "errorMessage": "\ud83d\ude00", "bank": "b", "accounts": [],
     "transactionsEligibleFromDate": "2024-02-29"}]},
  "connection": {"id": "conn-1", "errorCode": null, "errorMessage": null, "bank": "Cr\u00e9dit \"Exemple\"",
     "transactionsEligibleFromDate": "2024-02-29", "accounts": [{"id": "acc-1", "accountHash": "hash-1"}]},
  "shoppingHubId": "hub-1",
  "shoppingHubExternalId": "programme-1"
})"_event;

constexpr FixedString purchase(
    R"({"eventType":"rejected","customer":{"id":"m","externalId":"c"},"initialTransaction":{"id":"t","amount":19.90,)"
    R"("storeExternalId":null,"placeId":"p","storeName":"s\n","status":"rejected","rejectionReason":"purchaseNotFound",)"
    R"("transactionDate":"2026-05-03","transactionId":null,"date":"2026-05-04T10:15:30.000Z"},"event":"initial_transaction_update"})");

template <class T>
consteval bool is_written_as(const T& value, std::string_view expected) {
  char out[200]{};
  json::Sink sink(out, out + sizeof out);
  return json::write(value, sink) && std::string_view(out, sink.position()) == expected;
}

}  // namespace

TEST_CASE("a literal has the type of its event") {
  STATIC_REQUIRE(std::is_same_v<decltype(created), const BankConnectionsUpdateV2>);
  STATIC_REQUIRE(std::is_same_v<std::remove_cvref_t<decltype(event_literal<purchase>)>, InitialTransactionUpdate>);
}

TEST_CASE("every value of a literal can be asked for at compile time") {
  STATIC_REQUIRE(created.event_type == ConnectionEventType::create);
  STATIC_REQUIRE(created.customer.connections_on == 1);
  STATIC_REQUIRE(created.customer.connections.size() == 2);
  STATIC_REQUIRE(created.customer.connections[0].accounts[1].id == "acc-2");
  STATIC_REQUIRE(!created.customer.connections[0].accounts[1].account_hash.has_value());
  STATIC_REQUIRE(created.customer.connections[0].consent_expires_at->date() == 2027y / March / 1);
  STATIC_REQUIRE(created.connection.transactions_eligible_from_date == 2024y / February / 29);
  STATIC_REQUIRE(created.connection.accounts.size() == 1);
  STATIC_REQUIRE(event_literal<purchase>.initial_transaction.amount == Decimal(199, 1));
  STATIC_REQUIRE(event_literal<purchase>.initial_transaction.rejection_reason == RejectionReason::purchase_not_found);
  STATIC_REQUIRE(!event_literal<purchase>.initial_transaction.transaction_id.has_value());
}

TEST_CASE("escapes in a literal are decoded") {
  STATIC_REQUIRE(created.connection.bank == "Crédit \"Exemple\"");
  STATIC_REQUIRE(created.customer.connections[1].error_message == "😀");
  STATIC_REQUIRE(event_literal<purchase>.initial_transaction.store_name == "s\n");
}

TEST_CASE("a literal of an event that is not listed keeps name and text") {
  constexpr auto unknown = R"({"points":[1,2],"event":"loyalty\u005fpoints"})"_event;
  STATIC_REQUIRE(std::is_same_v<decltype(unknown), const UnknownEvent>);
  STATIC_REQUIRE(unknown.event == "loyalty_points");
  STATIC_REQUIRE(unknown.raw == R"({"points":[1,2],"event":"loyalty\u005fpoints"})");
}

TEST_CASE("an unknown value in a literal is kept as text") {
  constexpr auto& update = event_literal<
      R"({"event":"initial_transaction_update","eventType":"paused","customer":{"id":"m","externalId":"c"},)"
      R"("initialTransaction":{"id":"t","amount":1,"storeExternalId":"s","status":"paused","rejectionReason":"new",)"
      R"("transactionDate":"2026-05-03","transactionId":null,"date":"2026-05-04T10:15:30Z"}})">;
  STATIC_REQUIRE(update.event_type.text() == "paused");
  STATIC_REQUIRE(update.initial_transaction.rejection_reason->text() == "new");
}

TEST_CASE("a literal is equal to what parse gives of the same text") {
  Arena arena;
  const auto parsed = parse(purchase.view(), arena);
  REQUIRE(parsed.has_value());
  CHECK(std::get<InitialTransactionUpdate>(*parsed) == event_literal<purchase>);
  const std::string written = serialize(created);
  const auto again = parse(written, arena);
  REQUIRE(again.has_value());
  CHECK(std::get<BankConnectionsUpdateV2>(*again) == created);
}

TEST_CASE("a literal is written in a constant expression") {
  STATIC_REQUIRE(is_written_as(R"({"event":"x","a":[ 1 ]})"_event, R"({"event":"x","a":[1]})"));
  constexpr auto account = json::literal<Account, R"({ "id":"acc-1","accountHash":null })">;
  STATIC_REQUIRE(is_written_as(account, R"({"id":"acc-1","accountHash":null})"));
}

}  // namespace events_literal_test
