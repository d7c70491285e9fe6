// SPDX-License-Identifier: MIT
// 6: the events have the names, types and fields of the specification; what is read from each sample is what it says.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/reflect/equality.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <events/samples.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>

namespace events_spec_test {

using namespace bankhook;
using namespace std::chrono;
using test::sample;

namespace {

template <std::size_t N>
using Names = std::array<std::string_view, N>;

template <class T>
T parsed(std::string_view name) {
  static Arena arena;
  arena.reset();
  const auto event = parse(sample(name), arena);
  REQUIRE(event.has_value());
  REQUIRE(std::holds_alternative<T>(*event));
  return std::get<T>(*event);
}

}  // namespace

TEST_CASE("6: there are two events, and whatever else comes is kept") {
  STATIC_REQUIRE(std::variant_size_v<AnyEvent> == 3);
  STATIC_REQUIRE(std::is_same_v<std::variant_alternative_t<0, AnyEvent>, BankConnectionsUpdateV2>);
  STATIC_REQUIRE(std::is_same_v<std::variant_alternative_t<1, AnyEvent>, InitialTransactionUpdate>);
  STATIC_REQUIRE(std::is_same_v<std::variant_alternative_t<2, AnyEvent>, UnknownEvent>);
}

TEST_CASE("6.1 and 9: the events' names are those of the specification, the version suffix is a part of the name") {
  STATIC_REQUIRE(BankConnectionsUpdateV2{}.event == "bank_connections_update_v2");
  STATIC_REQUIRE(InitialTransactionUpdate{}.event == "initial_transaction_update");
}

TEST_CASE("6.2: a bank-connection event has the fields of its table") {
  STATIC_REQUIRE(detail::reflect::wire_names<BankConnectionsUpdateV2> ==
                 Names<6>{"event", "eventType", "customer", "connection", "shoppingHubId", "shoppingHubExternalId"});
  STATIC_REQUIRE(std::is_same_v<decltype(BankConnectionsUpdateV2::customer), ConnectedCustomer>);
  STATIC_REQUIRE(std::is_same_v<decltype(BankConnectionsUpdateV2::connection), Connection>);
}

TEST_CASE("6.2: the types of a bank-connection event are create, update and delete") {
  STATIC_REQUIRE(detail::reflect::enumerator_texts<ConnectionEventType> == Names<3>{"create", "update", "delete"});
}

TEST_CASE("6.3: a transaction event has the fields of its table, its customer only ids") {
  STATIC_REQUIRE(detail::reflect::wire_names<InitialTransactionUpdate> ==
                 Names<4>{"event", "eventType", "customer", "initialTransaction"});
  STATIC_REQUIRE(std::is_same_v<decltype(InitialTransactionUpdate::customer), Customer>);
}

TEST_CASE("6.3: the types of a transaction event are the states of 3.1") {
  STATIC_REQUIRE(std::is_same_v<decltype(InitialTransactionUpdate::event_type), OpenEnum<TransactionStatus>>);
}

TEST_CASE("events are trivially copyable") {
  STATIC_REQUIRE(std::is_trivially_copyable_v<BankConnectionsUpdateV2>);
  STATIC_REQUIRE(std::is_trivially_copyable_v<InitialTransactionUpdate>);
  STATIC_REQUIRE(std::is_trivially_copyable_v<UnknownEvent>);
  STATIC_REQUIRE(std::is_trivially_copyable_v<AnyEvent>);
}

TEST_CASE("6.2: on creation a connection's accounts are often an empty array") {
  const auto update = parsed<BankConnectionsUpdateV2>("connection_created");
  CHECK(update.event_type == ConnectionEventType::create);
  CHECK(update.connection.accounts.empty());
  CHECK(update.connection.error_code == std::nullopt);
  CHECK(update.connection.bank == "Banque Exemple");
  CHECK(update.connection.transactions_eligible_from_date == 2026y / January / 15);
  REQUIRE(update.connection.consent_expires_at.has_value());
  CHECK(to_string(*update.connection.consent_expires_at) == "2027-03-01 09:30:00.0000");
  CHECK(update.shopping_hub_id == "hub-0001");
  CHECK(update.shopping_hub_external_id == "programme-1");
}

TEST_CASE("6.2: an update carries the accounts of the connection and all connections of the member") {
  const auto update = parsed<BankConnectionsUpdateV2>("connection_updated_with_accounts");
  CHECK(update.event_type == ConnectionEventType::update);
  REQUIRE(update.connection.accounts.size() == 2);
  CHECK(update.connection.accounts[0] == Account{"acc-0001", "9f2c51c0a7d84be3a0f5d1"});
  CHECK(update.connection.accounts[1] == Account{"acc-0002", {}});
  REQUIRE(update.customer.connections.size() == 1);
  CHECK(update.customer.connections[0] == update.connection);
  CHECK(update.customer.connections_on == 1);
  CHECK(update.customer.connections_off == 0);
}

TEST_CASE("7: a provider's error is reported in errorCode and errorMessage") {
  const auto update = parsed<BankConnectionsUpdateV2>("connection_in_error");
  CHECK(update.connection.error_code == "provider_error_17");
  CHECK(update.connection.error_message == "The bank asks for a new consent");
  CHECK_FALSE(update.connection.consent_expires_at.has_value());
}

TEST_CASE("2.1: a member may have no connection left") {
  const auto update = parsed<BankConnectionsUpdateV2>("connection_deleted");
  CHECK(update.event_type == ConnectionEventType::delete_);
  CHECK(update.customer.connections.empty());
}

TEST_CASE("6.3: a rejected update carries a reason and no matching transaction") {
  const auto update = parsed<InitialTransactionUpdate>("transaction_rejected_purchase_not_found");
  CHECK(update.event_type == TransactionStatus::rejected);
  CHECK(update.initial_transaction.status == TransactionStatus::rejected);
  CHECK(update.initial_transaction.rejection_reason == RejectionReason::purchase_not_found);
  CHECK(update.initial_transaction.transaction_id == std::nullopt);
  CHECK(
      parsed<InitialTransactionUpdate>("transaction_rejected_bank_consent_expired").initial_transaction.rejection_reason ==
      RejectionReason::bank_consent_expired);
}

TEST_CASE("2.4: a validated transaction has an id only if it was matched automatically") {
  CHECK(parsed<InitialTransactionUpdate>("transaction_validated").initial_transaction.transaction_id == "tr-0001");
  CHECK(parsed<InitialTransactionUpdate>("transaction_validated_without_match").initial_transaction.transaction_id ==
        std::nullopt);
}

TEST_CASE("2.4: place and store name are there while the store has no client identifier") {
  const InitialTransaction there =
      parsed<InitialTransactionUpdate>("transaction_of_a_store_without_client_id").initial_transaction;
  CHECK(there.store_external_id == std::nullopt);
  CHECK(there.place_id == "place-77");
  CHECK(there.store_name == "Épicerie \"Exemple\"");
  const InitialTransaction absent = parsed<InitialTransactionUpdate>("transaction_created").initial_transaction;
  CHECK(absent.store_external_id == "store-17");
  CHECK_FALSE(absent.place_id.has_value());
  CHECK_FALSE(absent.store_name.has_value());
}

TEST_CASE("2.4: amount, day and creation time are read exactly") {
  const InitialTransaction transaction = parsed<InitialTransactionUpdate>("transaction_created").initial_transaction;
  CHECK(transaction.amount.unscaled() == 1990);
  CHECK(transaction.amount.scale() == 2);
  CHECK(transaction.transaction_date == 2026y / May / 3);
  CHECK(transaction.date.utc() == sys_days(2026y / May / 4) + 10h + 15min + 30s);
}

}  // namespace events_spec_test
