// SPDX-License-Identifier: MIT
// Store: a member's chains hold what they should, and no step of a long history walks what is gone.
#include <bankhook_catch.hpp>

#include <tracking/stories.hpp>

#include <bankhook/tracking/store/store.hpp>
#include <bankhook/tracking/tracker.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracking_store_test {

using namespace bankhook;
using namespace bankhook::test;
using tracking::RecordId;

namespace {

constexpr std::size_t many = 3000;

RecordId add_member(tracking::Store& store, std::string_view id) {
  return store.members.add(tracking::id_hash(id), tracking::MemberRecord{.customer = {.id = id}});
}
tracking::ConnectionRecord record(std::string_view id, ConnectionState state) {
  return {.connection = connection(id), .state = OpenEnum(state)};
}
std::vector<RecordId> chain(const auto& table, RecordId first) {
  std::vector<RecordId> numbers;
  tracking::for_each_in_chain(table, first, [&](RecordId number) { numbers.push_back(number); });
  return numbers;
}
/// The same chain forwards and backwards.
bool is_whole(const auto& table, const std::vector<RecordId>& numbers, RecordId member) {
  RecordId previous = tracking::no_record;
  for (const RecordId number : numbers) {
    const tracking::ChainLinks& links = table.links(number);
    if (links.previous != previous || links.member != member) return false;
    previous = number;
  }
  return true;
}

}  // namespace

TEST_CASE("connections that are gone leave the chain that events walk") {
  tracking::Store store;
  const RecordId member = add_member(store, "m");
  std::size_t walked = 0;
  for (std::size_t i = 0; i < many; ++i) {
    const std::string id = "conn-" + std::to_string(i);
    const RecordId number = store.add_connection(tracking::id_hash(id), record(id, ConnectionState::created), member);
    walked += chain(store.connections, store.members.links(member).first_connection).size();
    store.replace_connection(number, record(id, ConnectionState::deleted), member);
    store.release_replaced();
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
  const auto restored = tracking::read_snapshot(tracker.snapshot());
  REQUIRE(restored.has_value());
  const tracking::Store* const store = &restored->store;
  REQUIRE(store->members.size() == 1);
  CHECK(chain(store->connections, store->members.links(0).first_connection).empty());
  CHECK(chain(store->connections, store->members.links(0).first_gone).size() == many);
  CHECK(tracker.connections_of("member-1").size() == many);
  CHECK(tracker.accounts_of("member-1").empty());
}

TEST_CASE("a small repeat takes none of the many connections that a large event listed") {
  const std::vector<Account> accounts(100, Account{.id = "acc", .account_hash = std::nullopt});
  std::vector<std::string> ids(many);
  std::vector<Connection> list;
  for (std::string& id : ids) {
    id = "conn-" + std::to_string(list.size());
    list.push_back(connection(id, accounts));
  }
  const auto taken_by_repeat = [&](std::size_t listed) {
    const std::span all(list.data(), listed);
    tracking::Store store;
    for (const Connection& own : {list[0], list[1]}) {
      const BankConnectionsUpdateV2 event = bank(ConnectionEventType::update, own, all);
      tracking::Workbench bench;
      auto evaluated = tracking::evaluate(store, event, {}, bench);
      tracking::take(store, evaluated);
      store.release_replaced();
    }
    const BankConnectionsUpdateV2 repeat = bank(ConnectionEventType::update, list[0], std::span(list).first(1));
    tracking::Workbench bench;
    const auto evaluated = tracking::evaluate(store, repeat, {}, bench);
    CHECK(evaluated.outcome.accepted);
    CHECK_FALSE(evaluated.others_hold);
    return bench.connections.size();
  };
  CHECK(taken_by_repeat(many) == taken_by_repeat(3));
}

TEST_CASE("chains stay whole, whatever is added, replaced and moved") {
  tracking::Store store;
  const std::vector members{add_member(store, "a"), add_member(store, "b"), add_member(store, "c")};
  std::mt19937 random(3);
  std::vector<RecordId> owner;
  std::vector<bool> is_gone;
  for (int step = 0; step < 4000; ++step) {
    const RecordId member = members[random() % members.size()];
    const ConnectionState state = random() % 2 == 0 ? ConnectionState::deleted : ConnectionState::updated;
    const std::size_t at = random() % 60;
    const std::string id = "conn-" + std::to_string(std::min(at, owner.size()));
    if (at < owner.size()) {
      store.replace_connection(static_cast<RecordId>(at), record(id, state), member);
      store.replace_transaction(static_cast<RecordId>(at), {.initial_transaction = {.id = id}}, member);
      owner[at] = member;
      is_gone[at] = state == ConnectionState::deleted;
    } else {
      store.add_connection(tracking::id_hash(id), record(id, state), member);
      store.add_transaction(tracking::id_hash(id), {.initial_transaction = {.id = id}}, member);
      owner.push_back(member);
      is_gone.push_back(state == ConnectionState::deleted);
    }
    store.release_replaced();
    for (const RecordId each : members) {
      const tracking::MemberLinks& links = store.members.links(each);
      const auto live = chain(store.connections, links.first_connection);
      const auto gone = chain(store.connections, links.first_gone);
      const auto transactions = chain(store.transactions, links.first_transaction);
      REQUIRE(is_whole(store.connections, live, each));
      REQUIRE(is_whole(store.connections, gone, each));
      REQUIRE(is_whole(store.transactions, transactions, each));
      REQUIRE(live.size() + gone.size() == static_cast<std::size_t>(std::ranges::count(owner, each)));
      REQUIRE(transactions.size() == live.size() + gone.size());
      REQUIRE(std::ranges::all_of(live, [&](RecordId number) { return !is_gone[number] && owner[number] == each; }));
      REQUIRE(std::ranges::all_of(gone, [&](RecordId number) { return is_gone[number] && owner[number] == each; }));
    }
  }
}

}  // namespace tracking_store_test
