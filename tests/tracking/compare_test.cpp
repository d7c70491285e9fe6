// SPDX-License-Identifier: MIT
// `Tracker::diff`: every difference between two trackers in the terms of the domain, and none where they are equal.
#include <bankhook_catch.hpp>

#include <tracking/random_story.hpp>
#include <tracking/stories.hpp>

#include <bankhook/reflect/equality.hpp>
#include <bankhook/tracking/tracker.hpp>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tracking_compare_test {

using namespace bankhook;
using namespace bankhook::test;

namespace {

/// The ids, with their members, of all that the two give back differently, by their queries.
std::set<std::string> differing_ids(const Tracker& one, const Tracker& other) {
  std::set<std::string> ids;
  const auto compare = [&](std::string_view id, std::string_view member, const auto& left, const auto& right) {
    if (!right || !detail::reflect::equal(left, *right)) ids.insert(std::string(id) + " " + std::string(member));
  };
  for (const auto& [from, to] : {std::pair(&one, &other), std::pair(&other, &one)}) {
    for (const auto& held : from->members()) compare(held.customer.id, "", held, to->member(held.customer.id));
    from->for_each_connection([&](const auto& held) {
      compare(held.connection.id, held.member_id, held, to->connection(held.member_id, held.connection.id));
    });
    from->for_each_transaction([&](const auto& held) {
      auto counterpart = to->transaction(held.customer.id, held.initial_transaction.id);
      if (counterpart) counterpart->customer = held.customer, counterpart->state = held.state;  // its member's; its status
      compare(held.initial_transaction.id, held.customer.id, held, counterpart);
    });
  }
  return ids;
}

/// The same of changes. Accounts are their connection's, whose member they do not name.
std::set<std::string> changed_ids(const Changes& changes, const Tracker& one, const Tracker& other) {
  std::set<std::string> ids;
  for (const Change& change : changes) {
    const bool is_account = change.subject == ChangeSubject::account;
    if (!is_account) ids.insert(std::string(change.id) + " " + std::string(change.parent_id));
    else
      for (const std::string& id : differing_ids(one, other)) {
        if (id.starts_with(std::string(change.parent_id) + " ")) ids.insert(id);
      }
  }
  return ids;
}

}  // namespace

TEST_CASE("what only one of two trackers has is added or missing") {
  const Tracker one = tracker_after({"created t1", "create k1: k1"});
  CHECK(labels(Tracker().diff(one)) == Labels{"member_added", "connection_added", "transaction_added"});
  const Changes missing = one.diff(Tracker());
  REQUIRE(missing.size() == 3);
  CHECK(missing[0] == Change{.kind = ChangeKind::missing, .subject = ChangeSubject::member, .id = "m1"});
  CHECK(missing[1] ==
        Change{.kind = ChangeKind::missing, .subject = ChangeSubject::connection, .id = "k1", .parent_id = "m1"});
  CHECK(missing[2] == Change{ChangeKind::missing, ChangeSubject::transaction, "t1", "m1", "status", "created"});
}

TEST_CASE("a field that differs is named with both values; one that is written otherwise is no difference") {
  const Changes changes = tracker_after({"created t1"}).diff(tracker_after({"created t1=5"}));
  REQUIRE(changes.size() == 1);
  CHECK(changes[0] ==
        Change{ChangeKind::changed, ChangeSubject::transaction, "t1", "m1", "amount", Decimal(1990, 2), Decimal(5)});
  auto other = transaction("t1", TransactionStatus::created);
  other.initial_transaction.amount = Decimal(199, 1);
  Tracker rewritten;
  rewritten.apply(other);
  CHECK(tracker_after({"created t1"}).diff(rewritten).empty());
}

TEST_CASE("a connection differs in its state, its last event, its error and its accounts") {
  const Tracker before = tracker_after({"create k1: k1"});
  const Tracker removed = tracker_after({"create k1: k1", "delete k1: "});
  const Tracker unlisted = tracker_after({"create k1: k1", "create k2: k2"});
  CHECK(labels(before.diff(removed)) == Labels{"counts_changed", "connection_removed", "connection_event_received"});
  CHECK(labels(removed.diff(before)) == Labels{"counts_changed", "connection_added", "connection_event_received"});
  CHECK(labels(before.diff(unlisted)) == Labels{"connection_unlisted", "connection_added"});
  CHECK(labels(before.diff(tracker_after({"create k1be: k1be"}))) ==
        Labels{"error_raised", "error_message_raised", "account_added", "account_added"});
  const Changes other = tracker_after({"create k1a: k1a"}).diff(tracker_after({"create k1h: k1h"}));
  REQUIRE(other.size() == 1);
  CHECK(other[0] == Change{ChangeKind::changed, ChangeSubject::account, "k1-1", "k1", "accountHash", "k1-hash", "other"});
}

TEST_CASE("a member of whom nothing but the ids is known differs in all its counts and its programme") {
  const Tracker before = tracker_after({"created t1"});
  const Tracker after = tracker_after({"created t1", "create k1: k1"});
  CHECK(labels(before.diff(after)) ==
        Labels{"counts_changed", "counts_changed", "programme_changed", "programme_changed", "connection_added"});
  CHECK(labels(after.diff(before)) ==
        Labels{"counts_changed", "counts_changed", "programme_changed", "programme_changed", "connection_missing"});
}

TEST_CASE("options and what is remembered of earlier events are no difference, and neither is the order of events") {
  const Tracker straight = tracker_after({"created t1", "validated t1", "create k1: k1"});
  const Tracker around =
      tracker_after({"create k1: k1", "validated t1", "rejected t1", "validated t1"}, {.take_create = true});
  CHECK(straight.diff(around).empty());
  CHECK_FALSE(straight == around);
}

TEST_CASE("two trackers have differences of exactly those ids that their queries give back differently") {
  std::size_t differing = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    RandomStory stream(seed);
    Story story;
    Tracker all, some;
    for (int number = 0; number < 60; ++number) {
      const AnyEvent event = story.event(stream.next());
      all.apply(event);
      if (stream.below(8) != 0) some.apply(event);
      const auto ids = differing_ids(all, some);
      CAPTURE(seed, number);
      REQUIRE(changed_ids(all.diff(some), all, some) == ids);
      REQUIRE(changed_ids(some.diff(all), all, some) == ids);
      REQUIRE(all.diff(Tracker(all)).empty());
      differing += ids.size();
    }
  }
  CHECK(differing > 500);
}

TEST_CASE("the changes of an outcome are of exactly those ids that the queries give back differently afterwards") {
  RandomStory stream(77);
  Story story;
  Tracker tracker;
  for (int i = 0; i < 500; ++i) {
    const std::string event = stream.next();
    CAPTURE(i, event);
    const Tracker before = tracker;
    const Outcome outcome = tracker.apply(story.event(event));
    REQUIRE(changed_ids(outcome.changes, before, tracker) == differing_ids(before, tracker));
  }
}

}  // namespace tracking_compare_test
