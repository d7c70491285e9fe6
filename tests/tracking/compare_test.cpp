// SPDX-License-Identifier: MIT
// `Tracker::diff`: every difference between two trackers in the terms of the domain, and none where they are equal.
#include <bankhook_catch.hpp>

#include <tracking/random_events.hpp>
#include <tracking/stories.hpp>

#include <bankhook/reflect/equality.hpp>
#include <bankhook/tracking/tracker.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tracking_compare_test {

using namespace bankhook;
using namespace bankhook::test;

namespace {

/// A tracker that has got these events.
template <class... Events>
Tracker tracker_after(const Events&... events) {
  Tracker tracker;
  (tracker.apply(events), ...);
  return tracker;
}

/// The kinds of the differences, in their order.
std::vector<ChangeKind> kinds_of_differences(const Tracker& before, const Tracker& after) {
  const Changes changes = before.diff(after);
  std::vector<ChangeKind> kinds;
  for (const Change& change : changes) kinds.push_back(change.kind);
  return kinds;
}

using Kinds = std::vector<ChangeKind>;

/// The ids of all that the two give back differently, by their queries.
std::set<std::string> differing_ids(const Tracker& one, const Tracker& other) {
  std::set<std::string> ids;
  const auto compare = [&](std::string_view id, const auto& left, const auto& right) {
    if (!reflect::equal(left, right)) ids.emplace(id);
  };
  for (const auto& [from, to] : {std::pair(&one, &other), std::pair(&other, &one)}) {
    for (const TrackedMember& held : from->members()) {
      const auto counterpart = to->member(held.customer.id);
      if (counterpart) compare(held.customer.id, held, *counterpart);
      else ids.emplace(held.customer.id);
    }
    for (const TrackedConnection& held : from->connections()) {
      const auto counterpart = to->connection(held.connection.id);
      if (counterpart) compare(held.connection.id, held, *counterpart);
      else ids.emplace(held.connection.id);
    }
    for (const TrackedTransaction& held : from->transactions()) {
      auto counterpart = to->transaction(held.initial_transaction.id);
      const bool is_there = counterpart.has_value();
      // The externalId is the member's: it differs there.
      if (is_there && counterpart->customer.id == held.customer.id) counterpart->customer = held.customer;
      if (is_there) compare(held.initial_transaction.id, held, *counterpart);
      else ids.emplace(held.initial_transaction.id);
    }
  }
  return ids;
}

std::set<std::string> changed_ids(const Changes& changes) {
  std::set<std::string> ids;
  for (const Change& change : changes) {
    const bool is_account = change.kind >= ChangeKind::account_added && change.kind <= ChangeKind::accounts_reordered;
    ids.emplace(is_account ? change.parent_id : change.id);
  }
  return ids;
}

}  // namespace

TEST_CASE("what only one of two trackers has is added or missing") {
  const Tracker empty;
  const std::vector all{connection("conn-1")};
  const auto created = transaction("it-1", TransactionStatus::created);
  const Tracker one = tracker_after(created, bank(ConnectionEventType::create, all[0], all));
  using enum ChangeKind;
  CHECK(kinds_of_differences(empty, one) == Kinds{member_added, connection_added, transaction_added});
  CHECK(kinds_of_differences(one, empty) == Kinds{member_missing, connection_missing, transaction_missing});
  const Changes missing = one.diff(empty);
  CHECK(missing[0] == Change{.kind = member_missing, .id = "member-1"});
  CHECK(missing[1] == Change{.kind = connection_missing, .id = "conn-1", .parent_id = "member-1"});
  CHECK(missing[2] == Change{.kind = transaction_missing,
                             .id = "it-1",
                             .parent_id = "member-1",
                             .field = "status",
                             .before = std::string_view("created")});
}

TEST_CASE("a field that differs is named with both values") {
  auto other = transaction("it-1", TransactionStatus::created);
  other.initial_transaction.amount = Decimal(1991, 2);
  const Tracker before = tracker_after(transaction("it-1", TransactionStatus::created));
  const Tracker after = tracker_after(other);
  const Changes changes = before.diff(after);
  REQUIRE(changes.size() == 1);
  CHECK(changes[0] == Change{.kind = ChangeKind::transaction_changed,
                             .id = "it-1",
                             .parent_id = "member-1",
                             .field = "amount",
                             .before = Decimal(1990, 2),
                             .after = Decimal(1991, 2)});
}

TEST_CASE("an amount that is written otherwise is no difference") {
  auto other = transaction("it-1", TransactionStatus::created);
  other.initial_transaction.amount = Decimal(199, 1);
  CHECK(tracker_after(transaction("it-1", TransactionStatus::created)).diff(tracker_after(other)).empty());
}

TEST_CASE("a status that was missed is a difference, and so is the event that brought it") {
  const auto created = transaction("it-1", TransactionStatus::created);
  const Tracker before = tracker_after(created);
  const Tracker after = tracker_after(created, transaction("it-1", TransactionStatus::validated));
  using enum ChangeKind;
  CHECK(kinds_of_differences(before, after) == Kinds{transaction_status_changed, transaction_event_received});
}

TEST_CASE("a connection differs in its state, its member, its error and its accounts") {
  using enum ChangeKind;
  const std::vector listed{connection("conn-1")};
  const std::vector<Connection> none;
  const auto created = bank(ConnectionEventType::create, listed[0], listed);
  const Tracker before = tracker_after(created);
  const Tracker removed = tracker_after(created, bank(ConnectionEventType::delete_, listed[0], none));
  CHECK(kinds_of_differences(before, removed) == Kinds{counts_changed, connection_removed, connection_event_received});
  CHECK(kinds_of_differences(removed, before) == Kinds{counts_changed, connection_listed_again, connection_event_received});
  auto moved = created;
  moved.customer.id = "member-2";
  CHECK(kinds_of_differences(before, tracker_after(moved)) == Kinds{member_missing, member_added, connection_moved});
  std::vector other{connection("conn-1", two_accounts)};
  other[0].error_code = "7";
  CHECK(kinds_of_differences(before, tracker_after(bank(ConnectionEventType::create, other[0], other))) ==
        Kinds{error_raised, account_added, account_added});
}

TEST_CASE("a member of whom nothing but the ids is known differs in all its counts") {
  const auto created = transaction("it-1", TransactionStatus::created);
  const std::vector<Connection> none;
  const auto counted = bank(ConnectionEventType::delete_, connection("conn-1"), none);
  const Tracker before = tracker_after(created);
  const Tracker after = tracker_after(created, counted);
  std::size_t of_the_member = 0;
  for (const Change& change : before.diff(after)) of_the_member += change.id == "member-1";
  for (const Change& change : after.diff(before)) of_the_member += change.id == "member-1" && change.after == ChangeValue();
  CHECK(of_the_member == 8);
}

TEST_CASE("options and what is remembered of earlier events are no difference") {
  const auto created = transaction("it-1", TransactionStatus::created);
  const auto validated = transaction("it-1", TransactionStatus::validated);
  const Tracker straight = tracker_after(created, validated);
  Tracker around({.accept_late = true});
  for (const auto& event : {validated, created, validated}) around.apply(event);
  CHECK(straight.diff(around).empty());
  CHECK_FALSE(straight == around);
}

TEST_CASE("differences are in the order of ids, whatever order the events had") {
  const Tracker empty;
  Tracker up;
  Tracker down;
  for (const std::string_view id : {"it-1", "it-2", "it-3"}) up.apply(transaction(id, TransactionStatus::created));
  for (const std::string_view id : {"it-3", "it-1", "it-2"}) down.apply(transaction(id, TransactionStatus::created));
  CHECK(empty.diff(up) == empty.diff(down));
  CHECK(up.diff(empty) == down.diff(empty));
  CHECK(up.diff(down).empty());
}

TEST_CASE("two trackers have differences of exactly those ids that their queries give back differently") {
  constexpr std::array<std::string_view, 3> members{"m1", "m2", "m3"};
  std::size_t differing = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomEvents events(seed, members);
    std::mt19937_64 random(seed);
    Tracker all({.accept_late = seed % 3 == 0, .unlist = seed % 4 != 0});
    Tracker some;
    for (int number = 0; number < 60; ++number) {
      const AnyEvent event = events.next();
      all.apply(event);
      if (random() % 8 != 0) some.apply(event);
      const auto ids = differing_ids(all, some);
      CAPTURE(seed, number);
      REQUIRE(changed_ids(all.diff(some)) == ids);
      REQUIRE(changed_ids(some.diff(all)) == ids);
      REQUIRE(all.diff(Tracker(all)).empty());
      differing += ids.size();
    }
  }
  CHECK(differing > 1000);
}

}  // namespace tracking_compare_test
