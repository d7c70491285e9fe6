// SPDX-License-Identifier: MIT
// 2.1 to 2.4: the resources have the members of their tables, in their order, under their names on the wire.
#include <bankhook_catch.hpp>

#include <bankhook/base/members.hpp>
#include <bankhook/domain/account.hpp>
#include <bankhook/domain/connection.hpp>
#include <bankhook/domain/customer.hpp>
#include <bankhook/domain/initial_transaction.hpp>
#include <bankhook/reflect/equality.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

namespace domain_resources_test {

using namespace bankhook;

namespace {

template <std::size_t N>
using Names = std::array<std::string_view, N>;

template <class T, std::size_t I>
using Field = detail::reflect::FieldType<T, I>;

using Text = std::string_view;
using Day = std::chrono::year_month_day;

}  // namespace

TEST_CASE("2.1: a customer of a transaction has an id and an external id, both text") {
  STATIC_REQUIRE(detail::reflect::wire_names<Customer> == Names<2>{"id", "externalId"});
  STATIC_REQUIRE(std::is_same_v<Field<Customer, 0>, Text>);
  STATIC_REQUIRE(std::is_same_v<Field<Customer, 1>, Text>);
}

TEST_CASE("2.1: a customer of a bank connection has two counts and all connections, too") {
  STATIC_REQUIRE(detail::reflect::wire_names<ConnectedCustomer> ==
                 Names<5>{"id", "externalId", "connectionsOn", "connectionsOff", "connections"});
  STATIC_REQUIRE(std::is_same_v<Field<ConnectedCustomer, 2>, std::uint64_t>);
  STATIC_REQUIRE(std::is_same_v<Field<ConnectedCustomer, 3>, std::uint64_t>);
  STATIC_REQUIRE(std::is_same_v<Field<ConnectedCustomer, 4>, std::span<const Connection>>);
}

TEST_CASE("2.2: a connection has the fields of its table") {
  STATIC_REQUIRE(detail::reflect::wire_names<Connection> == Names<7>{"id", "errorCode", "errorMessage", "bank",
                                                                     "transactionsEligibleFromDate", "consentExpiresAt",
                                                                     "accounts"});
  STATIC_REQUIRE(std::is_same_v<Field<Connection, 0>, Text>);
  STATIC_REQUIRE(std::is_same_v<Field<Connection, 3>, Text>);
  STATIC_REQUIRE(std::is_same_v<Field<Connection, 4>, Day>);
  STATIC_REQUIRE(std::is_same_v<Field<Connection, 6>, std::span<const Account>>);
}

TEST_CASE("2.2: the error code and message of a connection are text or null") {
  STATIC_REQUIRE(std::is_same_v<Field<Connection, 1>, nullable<Text>>);
  STATIC_REQUIRE(std::is_same_v<Field<Connection, 2>, nullable<Text>>);
}

TEST_CASE("2.2: the end of consent is optional and has no zone") {
  STATIC_REQUIRE(std::is_same_v<Field<Connection, 5>, maybe_absent<LocalTimestamp>>);
}

TEST_CASE("2.3: an account has an id and a hash that is text or null") {
  STATIC_REQUIRE(detail::reflect::wire_names<Account> == Names<2>{"id", "accountHash"});
  STATIC_REQUIRE(std::is_same_v<Field<Account, 0>, Text>);
  STATIC_REQUIRE(std::is_same_v<Field<Account, 1>, nullable<Text>>);
}

TEST_CASE("2.4: an initial transaction has the fields of its table") {
  STATIC_REQUIRE(detail::reflect::wire_names<InitialTransaction> == Names<10>{"id", "amount", "storeExternalId", "placeId",
                                                                              "storeName", "status", "rejectionReason",
                                                                              "transactionDate", "transactionId", "date"});
  STATIC_REQUIRE(std::is_same_v<Field<InitialTransaction, 0>, Text>);
  STATIC_REQUIRE(std::is_same_v<Field<InitialTransaction, 1>, Decimal>);
  STATIC_REQUIRE(std::is_same_v<Field<InitialTransaction, 7>, Day>);
  STATIC_REQUIRE(std::is_same_v<Field<InitialTransaction, 9>, Timestamp>);
}

TEST_CASE("2.4: store, rejection reason and matching transaction of an initial transaction are null or a value") {
  STATIC_REQUIRE(std::is_same_v<Field<InitialTransaction, 2>, nullable<Text>>);
  STATIC_REQUIRE(std::is_same_v<Field<InitialTransaction, 6>, nullable<OpenEnum<RejectionReason>>>);
  STATIC_REQUIRE(std::is_same_v<Field<InitialTransaction, 8>, nullable<Text>>);
}

TEST_CASE("2.4: place and store name of an initial transaction are optional") {
  STATIC_REQUIRE(std::is_same_v<Field<InitialTransaction, 3>, maybe_absent<Text>>);
  STATIC_REQUIRE(std::is_same_v<Field<InitialTransaction, 4>, maybe_absent<Text>>);
}

TEST_CASE("2.4 and 3.1: the states of an initial transaction are created, validated and rejected") {
  STATIC_REQUIRE(detail::reflect::enumerator_texts<TransactionStatus> == Names<3>{"created", "validated", "rejected"});
  STATIC_REQUIRE(std::is_same_v<Field<InitialTransaction, 5>, OpenEnum<TransactionStatus>>);
}

TEST_CASE("2.4: the reasons of a rejection are purchaseNotFound and bankConsentExpired") {
  STATIC_REQUIRE(detail::reflect::enumerator_texts<RejectionReason> == Names<2>{"purchaseNotFound", "bankConsentExpired"});
}

TEST_CASE("resources are trivially copyable and small: they view, they do not own") {
  STATIC_REQUIRE(std::is_trivially_copyable_v<Account>);
  STATIC_REQUIRE(std::is_trivially_copyable_v<Connection>);
  STATIC_REQUIRE(std::is_trivially_copyable_v<Customer>);
  STATIC_REQUIRE(std::is_trivially_copyable_v<ConnectedCustomer>);
  STATIC_REQUIRE(std::is_trivially_copyable_v<InitialTransaction>);
  STATIC_REQUIRE(sizeof(Customer) == 2 * sizeof(Text));
  STATIC_REQUIRE(sizeof(Account) <= 5 * sizeof(void*));
  STATIC_REQUIRE(sizeof(Connection) <= 20 * sizeof(void*));
  STATIC_REQUIRE(sizeof(InitialTransaction) <= 32 * sizeof(void*));
}

TEST_CASE("resources are plain structs that are made member by member and compare by value") {
  using namespace std::chrono;
  static constexpr std::array accounts{Account{"acc-1", "hash-1"}, Account{"acc-2", {}}};
  static constexpr std::array same_accounts{Account{"acc-1", "hash-1"}, Account{"acc-2", std::nullopt}};
  constexpr Connection connection{.id = "conn-1",
                                  .error_code = {},
                                  .error_message = {},
                                  .bank = "Banque Exemple",
                                  .transactions_eligible_from_date = 2026y / January / 15,
                                  .consent_expires_at = {},
                                  .accounts = accounts};
  Connection same = connection;
  same.accounts = same_accounts;
  CHECK(connection == same);
  CHECK(detail::reflect::hash(connection) == detail::reflect::hash(same));
  same.accounts = same.accounts.first(1);
  CHECK(connection != same);
  CHECK(Account{"acc-1", {}} != Account{"acc-1", ""});
}

TEST_CASE("an amount counts by its value, however it is written") {
  InitialTransaction one{}, same{};
  one.amount = Decimal(199, 1);
  same.amount = Decimal(1990, 2);
  CHECK(one == same);
  CHECK(detail::reflect::hash(one) == detail::reflect::hash(same));
}

}  // namespace domain_resources_test
