// SPDX-License-Identifier: MIT
// One row about an account is asked wherever an account stands, by check and by diagnose.
#include <bankhook_catch.hpp>

#include <bankhook/events/rules/rule_table.hpp>

/// A rule for this program: a hash is not empty. The id is borrowed; no other row of an account has it.
template <>
inline constexpr std::array bankhook::detail::checks<bankhook::Account>{
    bankhook::detail::Check<bankhook::Account>{
        {bankhook::RuleId::error_code_and_message_agree,
         "2.3",
         bankhook::detail::path<&bankhook::Account::account_hash>,
         {},
         "not empty",
         "an empty text"},
        [](const bankhook::Account& account) { return account.account_hash && account.account_hash->empty(); }},
};

#include <bankhook/events/rules/check.hpp>
#include <bankhook/events/rules/diagnose.hpp>
#include <bankhook/events/serialize.hpp>

#include <array>
#include <string>
#include <vector>

using namespace bankhook;

namespace {

constexpr std::array good{Account{"acc-1", "hash-1"}, Account{"acc-2", std::nullopt}};
constexpr std::array bad{Account{"acc-1", "hash-1"}, Account{"acc-2", ""}};

constexpr BankConnectionsUpdateV2 event_with(std::span<const Account> own, std::span<const Connection> listed) {
  using namespace std::chrono_literals;
  BankConnectionsUpdateV2 event;
  event.event_type = ConnectionEventType::update;
  event.connection.id = "conn-1";
  event.connection.transactions_eligible_from_date = 2026y / 1 / 15;
  event.connection.accounts = own;
  event.customer.connections = listed;
  return event;
}
constexpr Connection listed_with(std::span<const Account> accounts) { return event_with(accounts, {}).connection; }

constexpr std::array fine_list{listed_with(good)};
constexpr std::array broken_list{listed_with(good), listed_with(bad)};

std::vector<std::string> texts(const auto& findings) {
  std::vector<std::string> all;
  for (const Finding& finding : findings) all.push_back(finding.path + ": " + finding.expected);
  return all;
}

}  // namespace

TEST_CASE("2.3: a rule of an account is asked of the accounts of the event's connection") {
  constexpr BankConnectionsUpdateV2 event = event_with(bad, fine_list);
  STATIC_REQUIRE(check(event).size() == 1);
  CHECK(texts(check(event)) == std::vector<std::string>{"$.connection.accounts: in each of them accountHash not empty"});
  CHECK(texts(diagnose(serialize(event))) == std::vector<std::string>{"$.connection.accounts[1].accountHash: not empty"});
}

TEST_CASE("2.3: and of the accounts of every listed connection, an array in an array") {
  constexpr BankConnectionsUpdateV2 event = event_with(good, broken_list);
  STATIC_REQUIRE(check(event).size() == 1);
  CHECK(texts(check(event)) ==
        std::vector<std::string>{"$.customer.connections: in each of them accounts in each of them accountHash not empty"});
  CHECK(texts(diagnose(serialize(event))) ==
        std::vector<std::string>{"$.customer.connections[1].accounts[1].accountHash: not empty"});
}

TEST_CASE("an event whose accounts keep the rule has no finding") {
  constexpr BankConnectionsUpdateV2 event = event_with(good, fine_list);
  STATIC_REQUIRE(check(event).empty());
  CHECK(diagnose(serialize(event)).empty());
}
