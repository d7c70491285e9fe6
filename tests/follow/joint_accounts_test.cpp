// SPDX-License-Identifier: MIT
// JointAccounts: 2.3, which ids are one real account, and which rows of transactions stay.
#include <bankhook_catch.hpp>

#include <follow/stories.hpp>

#include <bankhook/follow/joint_accounts.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <list>
#include <ranges>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

using namespace bankhook;
using namespace bankhook::test;

namespace {

constexpr std::array accounts{Account{"acc-2", "hash-1"}, Account{"acc-1", "hash-1"}, Account{"acc-3", std::nullopt},
                              Account{"acc-4", std::nullopt}, Account{"acc-5", "hash-2"}};

struct Row {
  std::string account;
  std::string day;
  int cents = 0;
};

}  // namespace

TEST_CASE("2.3: accounts that share a hash are one real account") {
  const JointAccounts joint(accounts);
  CHECK(joint.canonical("acc-1") == "acc-1");
  CHECK(joint.canonical("acc-2") == "acc-1");
  CHECK(joint.same("acc-1", "acc-2"));
  CHECK_FALSE(joint.same("acc-1", "acc-5"));
  CHECK(joint.groups() == std::vector<std::vector<std::string_view>>{{"acc-1", "acc-2"}});
}

TEST_CASE("2.3: a null hash matches nothing, not even another null") {
  const JointAccounts joint(accounts);
  CHECK_FALSE(joint.same("acc-3", "acc-4"));
  CHECK(joint.canonical("acc-3") == "acc-3");
}

TEST_CASE("an empty hash is a hash, and no null") {
  const JointAccounts joint(std::array{Account{"acc-1", ""}, Account{"acc-2", ""}, Account{"acc-3", std::nullopt}});
  CHECK(joint.same("acc-1", "acc-2"));
  CHECK_FALSE(joint.same("acc-1", "acc-3"));
}

TEST_CASE("an account that is not known stands for itself") {
  const JointAccounts joint(accounts);
  CHECK(joint.canonical("acc-9") == "acc-9");
  CHECK(JointAccounts().canonical("").empty());
}

TEST_CASE("which id stands for an account does not depend on the order in which they came") {
  auto turned = accounts;
  std::ranges::sort(turned, {}, &Account::id);
  do {
    const JointAccounts joint(turned);
    CHECK(joint.canonical("acc-2") == "acc-1");
    CHECK(joint.groups().size() == 1);
  } while (std::ranges::next_permutation(turned, {}, &Account::id).found);
}

TEST_CASE("a hash that comes later counts, the last one wins, and a null takes none away") {
  JointAccounts joint;
  joint.add(Account{"acc-1", std::nullopt});
  joint.add(Account{"acc-2", "hash-1"});
  joint.add(Account{"acc-1", "hash-1"});
  CHECK(joint.same("acc-1", "acc-2"));
  joint.add(Account{"acc-1", std::nullopt});
  CHECK(joint.same("acc-1", "acc-2"));
  joint.add(Account{"acc-1", "hash-2"});
  CHECK_FALSE(joint.same("acc-1", "acc-2"));
  CHECK(joint.groups().empty());
  CHECK(joint.size() == 2);
}

TEST_CASE("accounts are taken from connections, customers and events") {
  const std::array all{connection("conn-1", std::span(accounts).first(1)),
                       connection("conn-2", std::span(accounts).subspan(1))};
  const auto event = bank(ConnectionEventType::update, all[1], all);
  CHECK(JointAccounts(all).groups().size() == 1);
  CHECK(JointAccounts(std::array{event.customer}).groups().size() == 1);
  const std::array<AnyEvent, 3> events{event, transaction("it-1", TransactionStatus::created), UnknownEvent{}};
  CHECK(JointAccounts(events).groups().size() == 1);
}

TEST_CASE("2.3: transactions of a joint account are counted once, the first row stays") {
  const JointAccounts joint(accounts);
  const std::vector<Row> rows{{"acc-1", "2026-05-03", 1990}, {"acc-2", "2026-05-03", 1990}, {"acc-5", "2026-05-03", 1990},
                              {"acc-2", "2026-05-04", 1990}, {"acc-3", "2026-05-03", 1990}, {"acc-4", "2026-05-03", 1990},
                              {"acc-9", "2026-05-03", 1990}, {"acc-1", "2026-05-03", 1990}};
  const auto key = [](const Row& row) { return std::tuple(row.day, row.cents); };
  CHECK(joint.deduplicate(rows, &Row::account, key) == std::vector<std::size_t>{0, 2, 3, 4, 5, 6});
}

TEST_CASE("any range of rows is taken, and any value with a hash, or a value of the kit, is a key") {
  const JointAccounts joint(accounts);
  const std::list<Row> rows{{"acc-1", "a", 1}, {"acc-2", "a", 2}};
  CHECK(joint.deduplicate(rows, &Row::account, &Row::day).size() == 1);
  CHECK(joint.deduplicate(rows, &Row::account, &Row::cents).size() == 2);
  const auto decimal = [](const Row& row) { return std::pair(Decimal(row.cents * 0 + 190, 2), row.day); };
  CHECK(joint.deduplicate(rows, &Row::account, decimal).size() == 1);
  const auto resource = [](const Row&) { return Account{"x", std::nullopt}; };
  CHECK(joint.deduplicate(rows, &Row::account, resource).size() == 1);
  const auto made =
      std::views::iota(0, 4) | std::views::transform([](int i) { return Row{i % 2 == 0 ? "acc-1" : "acc-2", "a", i / 2}; });
  CHECK(joint.deduplicate(made, &Row::account, &Row::cents) == std::vector<std::size_t>{0, 2});
}
