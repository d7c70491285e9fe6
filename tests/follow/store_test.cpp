// SPDX-License-Identifier: MIT
// Store: a member's chains hold what they should, and no step of a long history walks what is gone.
#include <bankhook_catch.hpp>

#include <follow/stories.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/follow/store.hpp>
#include <bankhook/follow/tracker.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

using namespace bankhook;
using namespace bankhook::test;
using follow::Number;

namespace {

constexpr std::size_t many = 3000;

Number add_member(follow::Store& store, std::string_view id) {
  return store.members.add(follow::tag_of(id), {.customer = {.id = id}}, {});
}
follow::ConnectionRecord record(std::string_view id, ConnectionState state) {
  return {.connection = connection(id), .state = OpenEnum(state)};
}
std::vector<Number> chain(const auto& table, Number first) {
  std::vector<Number> numbers;
  follow::for_each_in_chain(table, first, [&](Number number) { numbers.push_back(number); });
  return numbers;
}
/// The same chain forwards and backwards.
bool is_whole(const auto& table, const std::vector<Number>& numbers, Number member) {
  Number previous = follow::no_number;
  for (const Number number : numbers) {
    const follow::ChainLinks& links = table.links(number);
    if (links.previous != previous || links.member != member) return false;
    previous = number;
  }
  return true;
}

}  // namespace

TEST_CASE("connections that are gone leave the chain that events walk") {
  follow::Store store;
  const Number member = add_member(store, "m");
  std::size_t walked = 0;
  for (std::size_t i = 0; i < many; ++i) {
    const std::string id = "conn-" + std::to_string(i);
    const Number number = store.add_connection(follow::tag_of(id), record(id, ConnectionState::created), member);
    walked += chain(store.connections, store.members.links(member).first_connection).size();
    store.replace_connection(number, record(id, ConnectionState::deleted), member);
    store.settle();
  }
  CHECK(walked == many);
  CHECK(chain(store.connections, store.members.links(member).first_connection).empty());
  CHECK(chain(store.connections, store.members.links(member).first_gone).size() == many);
}

TEST_CASE("a member whose connections come and go one after the other walks none of those that went") {
  Tracker tracker;
  for (std::size_t i = 0; i < many; ++i) {
    const std::string id = "conn-" + std::to_string(i);
    const std::vector one{connection(id)};
    tracker.apply(bank(ConnectionEventType::create, one[0], one));
    tracker.apply(bank(ConnectionEventType::delete_, one[0], {}));
  }
  const auto restored = follow::read_snapshot<TrackerOptions>(tracker.snapshot());
  REQUIRE(restored.has_value());
  const follow::Store* const store = &restored->store;
  REQUIRE(store->members.size() == 1);
  CHECK(chain(store->connections, store->members.links(0).first_connection).empty());
  CHECK(chain(store->connections, store->members.links(0).first_gone).size() == many);
  Arena arena;
  CHECK(tracker.connections_of("member-1", arena).size() == many);
  CHECK(tracker.accounts_of("member-1", arena).empty());
}

TEST_CASE("a small repeat reads none of the many connections that a large event listed") {
  const std::vector<Account> accounts(100, Account{.id = "acc", .account_hash = std::nullopt});
  std::vector<std::string> ids(many);
  std::vector<Connection> list;
  for (std::string& id : ids) {
    id = "conn-" + std::to_string(list.size());
    list.push_back(connection(id, accounts));
  }
  const auto read_by_repeat = [&](std::size_t listed) {
    const std::span all(list.data(), listed);
    follow::Store store;
    for (const Connection& own : {list[0], list[1]}) {
      const BankConnectionsUpdateV2 event = bank(ConnectionEventType::update, own, all);
      follow::Workbench bench;
      auto judged = follow::judge(store, event, {}, bench);
      follow::take(store, judged);
      store.settle();
    }
    const BankConnectionsUpdateV2 repeat = bank(ConnectionEventType::update, list[0], std::span(list).first(1));
    follow::Workbench bench;
    const auto judged = follow::judge(store, repeat, {}, bench);
    CHECK(judged.outcome.accepted);
    CHECK_FALSE(judged.others_hold);
    return bench.arena.capacity();
  };
  CHECK(read_by_repeat(many) == read_by_repeat(3));
}

TEST_CASE("chains stay whole, whatever is added, replaced and moved") {
  follow::Store store;
  const std::vector members{add_member(store, "a"), add_member(store, "b"), add_member(store, "c")};
  std::mt19937 random(3);
  std::vector<Number> owner;
  std::vector<bool> is_gone;
  for (int step = 0; step < 4000; ++step) {
    const Number member = members[random() % members.size()];
    const ConnectionState state = random() % 2 == 0 ? ConnectionState::deleted : ConnectionState::updated;
    const std::size_t at = random() % 60;
    const std::string id = "conn-" + std::to_string(std::min(at, owner.size()));
    if (at < owner.size()) {
      store.replace_connection(static_cast<Number>(at), record(id, state), member);
      store.replace_transaction(static_cast<Number>(at), {.initial_transaction = {.id = id}}, member);
      owner[at] = member;
      is_gone[at] = state == ConnectionState::deleted;
    } else {
      store.add_connection(follow::tag_of(id), record(id, state), member);
      store.add_transaction(follow::tag_of(id), {.initial_transaction = {.id = id}}, member);
      owner.push_back(member);
      is_gone.push_back(state == ConnectionState::deleted);
    }
    store.settle();
    for (const Number each : members) {
      const follow::MemberLinks& links = store.members.links(each);
      const auto live = chain(store.connections, links.first_connection);
      const auto gone = chain(store.connections, links.first_gone);
      const auto transactions = chain(store.transactions, links.first_transaction);
      REQUIRE(is_whole(store.connections, live, each));
      REQUIRE(is_whole(store.connections, gone, each));
      REQUIRE(is_whole(store.transactions, transactions, each));
      REQUIRE(live.size() + gone.size() == static_cast<std::size_t>(std::ranges::count(owner, each)));
      REQUIRE(transactions.size() == live.size() + gone.size());
      REQUIRE(std::ranges::all_of(live, [&](Number number) { return !is_gone[number] && owner[number] == each; }));
      REQUIRE(std::ranges::all_of(gone, [&](Number number) { return is_gone[number] && owner[number] == each; }));
    }
  }
}
