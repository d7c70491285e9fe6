// SPDX-License-Identifier: MIT
// Every event, every resource and every field of them says what it is, in a form that can be quoted.
#include <bankhook_catch.hpp>

#include <bankhook/base/members.hpp>
#include <bankhook/domain/customer.hpp>
#include <bankhook/domain/initial_transaction.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/reflect/meaning.hpp>

#include <cstddef>
#include <string_view>

namespace events_meaning_test {

using namespace bankhook;

namespace {

/// A clause: a capital first, no full stop at the end, short enough for a docstring.
constexpr bool is_clause(std::string_view text) {
  return !text.empty() && text.front() >= 'A' && text.front() <= 'Z' && text.back() != '.' && text.size() <= 160;
}

template <class T>
constexpr bool says_what_it_is() {
  return is_clause(detail::reflect::meaning<T>) && !T::section.empty() &&
         detail::reflect::for_each_field<T>([]<std::size_t I>() {
           return is_clause(T::meanings[I].text) && detail::reflect::field_meaning<T, I>.starts_with(T::meanings[I].text);
         });
}

}  // namespace

TEST_CASE("each resource and each of its fields says what it is") {
  STATIC_REQUIRE(says_what_it_is<Account>());
  STATIC_REQUIRE(says_what_it_is<Connection>());
  STATIC_REQUIRE(says_what_it_is<Customer>());
  STATIC_REQUIRE(says_what_it_is<ConnectedCustomer>());
  STATIC_REQUIRE(says_what_it_is<InitialTransaction>());
}

TEST_CASE("each event and each of its fields says what it is") {
  STATIC_REQUIRE(says_what_it_is<BankConnectionsUpdateV2>());
  STATIC_REQUIRE(says_what_it_is<InitialTransactionUpdate>());
  STATIC_REQUIRE(says_what_it_is<UnknownEvent>());
}

TEST_CASE("2.4: each reason of a rejection means what its table says") {
  STATIC_REQUIRE(meaning_of(RejectionReason::purchase_not_found) == "The transaction could not be found in the service");
  STATIC_REQUIRE(meaning_of(RejectionReason::bank_consent_expired) == "The bank consent has expired");
}

TEST_CASE("the two forms of a customer say the same of what they share") {
  STATIC_REQUIRE(detail::reflect::field_meaning<Customer, 0> == detail::reflect::field_meaning<ConnectedCustomer, 0>);
  STATIC_REQUIRE(detail::reflect::field_meaning<Customer, 1> == detail::reflect::field_meaning<ConnectedCustomer, 1>);
}

}  // namespace events_meaning_test
