// SPDX-License-Identifier: MIT
// JointAccounts: 2.3, which ids are one real account, and which rows of transactions stay.
#include <bankhook_catch.hpp>

#include <tracking/stories.hpp>

#include <bankhook/tracking/joint_accounts.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <list>
#include <map>
#include <random>
#include <ranges>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace tracking_joint_accounts_test {

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

constexpr auto day_and_cents = [](const Row& row) { return std::tuple(row.day, row.cents); };

}  // namespace

TEST_CASE("2.3: accounts that share a hash are one real account") {
  const JointAccounts joint(accounts);
  CHECK(joint.canonical("acc-1") == "acc-1");
  CHECK(joint.canonical("acc-2") == "acc-1");
  CHECK(joint.same("acc-1", "acc-2"));
  CHECK_FALSE(joint.same("acc-1", "acc-5"));
  CHECK(joint.groups() == std::vector<std::vector<std::string_view>>{{"acc-1", "acc-2"}});
}

TEST_CASE("what is an account, or becomes one, is added as one") {
  struct Named : Account {
    std::string name;
  };
  JointAccounts joint;
  joint.add(Named{{"acc-1", "hash-1"}, "household"});
  joint.add({"acc-2", "hash-1"});
  CHECK(joint.same("acc-1", "acc-2"));
}

TEST_CASE("a null hash matches nothing, not even another null (assumed)") {
  const JointAccounts joint(accounts);
  CHECK_FALSE(joint.same("acc-3", "acc-4"));
  CHECK(joint.canonical("acc-3") == "acc-3");
}

TEST_CASE("an empty hash matches nothing, as a null one does, and takes no hash away") {
  JointAccounts joint(std::array{Account{"acc-1", ""}, Account{"acc-2", ""}, Account{"acc-3", std::nullopt}});
  CHECK_FALSE(joint.same("acc-1", "acc-2"));
  CHECK_FALSE(joint.same("acc-1", "acc-3"));
  CHECK(joint.groups().empty());
  joint.add(Account{"acc-1", "hash-1"});
  joint.add(Account{"acc-2", "hash-1"});
  joint.add(Account{"acc-1", ""});
  CHECK(joint.same("acc-1", "acc-2"));
}

TEST_CASE("a hash of which nothing can be seen matches nothing, as an empty one does") {
  for (const std::string_view blank :
       std::initializer_list<std::string_view>{" ", "  ", "\t\r\n", "\u00A0", "\u0085", "\u1680", "\u2003 \u3000", "\u2028",
                                               "\u202F\u205F", "\u200B", "\uFEFF", "\u3164", std::string_view("\0", 1)}) {
    CAPTURE(blank);
    JointAccounts joint(std::array{Account{"acc-1", blank}, Account{"acc-2", blank}});
    CHECK(joint.groups().empty());
    CHECK(joint.key("acc-1") == "account:acc-1");
    CHECK(joint.accounts().front().account_hash == std::nullopt);
    joint.add(Account{"acc-1", " a"});
    joint.add(Account{"acc-2", " a"});
    joint.add(Account{"acc-1", blank});
    joint.add(Account{"acc-3", "a"});  // opaque: blanks around it are part of it
    CHECK(joint.groups() == std::vector<std::vector<std::string_view>>{{"acc-1", "acc-2"}});
  }
  const JointAccounts seen(std::array{Account{"acc-1", "\u00AD."}, Account{"acc-2", "\u00AD."}, Account{"acc-3", "\uFFFD"},
                                      Account{"acc-4", "\uFFFD"}});
  CHECK(seen.groups().size() == 2);
}

TEST_CASE("a key stands for the real account and stays when other accounts are added") {
  JointAccounts joint(std::array{Account{"acc-3", "hash-1"}, Account{"acc-2", "hash-1"}, Account{"acc-4", std::nullopt}});
  const std::string key = joint.key("acc-3");
  CHECK(joint.key("acc-2") == key);
  CHECK(joint.canonical("acc-3") == "acc-2");
  const std::string of_null = joint.key("acc-4");
  const std::string of_unknown = joint.key("acc-9");
  joint.add(Account{"acc-1", "hash-1"});
  joint.add(Account{"acc-9", std::nullopt});
  CHECK(joint.canonical("acc-3") == "acc-1");
  CHECK(joint.key("acc-3") == key);
  CHECK(joint.key("acc-1") == key);
  CHECK(joint.key("acc-4") == of_null);
  CHECK(joint.key("acc-9") == of_unknown);
}

TEST_CASE("an account whose id looks like a hash keeps a key of its own") {
  const JointAccounts joint(std::array{Account{"acc-1", "x"}, Account{"x", std::nullopt}, Account{"hash:x", std::nullopt}});
  CHECK(joint.key("acc-1") != joint.key("x"));
  CHECK(joint.key("acc-1") != joint.key("hash:x"));
  CHECK(joint.key("x") != joint.key("hash:x"));
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
                              {"acc-9", "2026-05-03", 1990}, {"acc-1", "2026-05-04", 1990}};
  CHECK(joint.deduplicate(rows, &Row::account, day_and_cents) == std::vector<std::size_t>{0, 2, 3, 4, 5, 6});
}

TEST_CASE("two equal purchases of one account stay two, whether it is joint or not") {
  const JointAccounts joint(accounts);
  const std::vector<Row> rows{{"acc-1", "a", 1}, {"acc-1", "a", 1}, {"acc-5", "a", 1}, {"acc-5", "a", 1},
                              {"acc-3", "a", 1}, {"acc-3", "a", 1}, {"acc-9", "a", 1}, {"acc-9", "a", 1}};
  CHECK(joint.deduplicate(rows, &Row::account, day_and_cents).size() == rows.size());
}

TEST_CASE("the n-th equal row of one id meets the n-th of another, in whatever order they come") {
  const JointAccounts joint(std::array{Account{"acc-1", "h"}, Account{"acc-2", "h"}, Account{"acc-3", "h"}});
  const auto kept = [&](std::vector<std::string_view> ids) {
    std::vector<Row> rows;
    for (const std::string_view id : ids) rows.push_back({std::string(id), "a", 1});
    return joint.deduplicate(rows, &Row::account, day_and_cents);
  };
  using Positions = std::vector<std::size_t>;
  CHECK(kept({"acc-1", "acc-1", "acc-2", "acc-2"}) == Positions{0, 1});
  CHECK(kept({"acc-1", "acc-2", "acc-1", "acc-2"}) == Positions{0, 2});
  CHECK(kept({"acc-1", "acc-2", "acc-2", "acc-3", "acc-1"}) == Positions{0, 2});
  CHECK(kept({"acc-1", "acc-2", "acc-2", "acc-2", "acc-3", "acc-3", "acc-3", "acc-3"}) == Positions{0, 2, 3, 7});
}

TEST_CASE("of each real account as many equal rows stay as its busiest id has") {
  std::mt19937 random(5);
  const std::array ids{"acc-1", "acc-2", "acc-3", "acc-5", "acc-9"};
  const JointAccounts joint(accounts);
  for (int round = 0; round < 200; ++round) {
    std::vector<Row> rows;
    std::map<std::pair<std::string_view, int>, std::map<std::string_view, std::size_t>> counts;  // slow and plain
    for (std::size_t i = 0; i < 30; ++i) {
      const std::string_view id = ids[random() % ids.size()];
      rows.push_back({std::string(id), "a", static_cast<int>(random() % 3)});
      ++counts[{joint.canonical(id), rows.back().cents}][id];
    }
    std::map<std::pair<std::string_view, int>, std::size_t> stayed;
    for (const std::size_t at : joint.deduplicate(rows, &Row::account, day_and_cents)) {
      ++stayed[{joint.canonical(rows[at].account), rows[at].cents}];
    }
    for (const auto& [key, of_each] : counts) {
      REQUIRE(stayed[key] == std::ranges::max(of_each | std::views::values));
    }
  }
}

TEST_CASE("a row without an account id stays") {
  const JointAccounts joint(accounts);
  using Id = nullable<std::string_view>;
  const std::vector<std::pair<Id, int>> rows{{Id(), 1}, {Id(), 1}, {Id("acc-1"), 1}, {Id("acc-2"), 1}};
  const auto id = [](const auto& row) { return row.first; };
  const auto key = [](const auto& row) { return row.second; };
  CHECK(joint.deduplicate(rows, id, key) == std::vector<std::size_t>{0, 1, 2});
}

TEST_CASE("any range of rows is accepted, and any value with an order can be a key") {
  const JointAccounts joint(accounts);
  const std::list<Row> rows{{"acc-1", "a", 1}, {"acc-2", "a", 2}};
  CHECK(joint.deduplicate(rows, &Row::account, &Row::day).size() == 1);
  CHECK(joint.deduplicate(rows, &Row::account, &Row::cents).size() == 2);
  const auto decimal = [](const Row& row) {
    return std::pair(row.cents == 1 ? Decimal(190, 2) : Decimal(19, 1), nullable<std::string_view>());
  };
  CHECK(joint.deduplicate(rows, &Row::account, decimal).size() == 1);
  const auto made =
      std::views::iota(0, 4) | std::views::transform([](int i) { return Row{i % 2 == 0 ? "acc-1" : "acc-2", "a", i / 2}; });
  CHECK(joint.deduplicate(made, &Row::account, &Row::cents) == std::vector<std::size_t>{0, 2});
}

}  // namespace tracking_joint_accounts_test
