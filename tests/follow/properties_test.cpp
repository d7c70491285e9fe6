// SPDX-License-Identifier: MIT
// What holds for every stream of events: the tracker against a slow model, peek against apply, snapshots and merges.
#include <bankhook_catch.hpp>

#include <follow/model.hpp>
#include <follow/random_events.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/events/serialize.hpp>
#include <bankhook/follow/tracker.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

using namespace bankhook;
using namespace bankhook::test;

namespace {

constexpr std::array<std::string_view, 3> members{"m1", "m2", "m3"};
constexpr int events_a_stream = 400;

/// All that a tracker gives back, in the model's words.
Model seen_through_queries(const Tracker& tracker) {
  Model model;
  Arena arena;
  for (const auto& [customer, membership] : tracker.members()) {
    Model::Member& member = model.members[std::string(customer.id)];
    member.external_id = customer.external_id;
    if (!membership) continue;
    member.on = std::to_string(membership->connections_on);
    member.off = std::to_string(membership->connections_off);
    member.programme = membership->shopping_hub_id;
    member.programme_external = membership->shopping_hub_external_id;
  }
  for (const HeldTransaction& held : tracker.transactions()) {
    const InitialTransaction& transaction = held.initial_transaction;
    model.transactions[std::string(transaction.id)] = {std::string(held.event_type.text()), serialize(transaction),
                                                       std::string(held.customer.id),
                                                       std::string(transaction.status.text())};
  }
  for (const HeldConnection& held : tracker.connections(arena)) {
    model.connections[std::string(held.connection.id)] = {held.event_type ? std::string(held.event_type->text()) : "",
                                                          serialize(held.connection), std::string(held.member_id),
                                                          held.state ? std::string(held.state->text()) : ""};
  }
  return model;
}

}  // namespace

TEST_CASE("a tracker holds and answers what a slow model does, whatever comes") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    RandomEvents stream(seed, members);
    Tracker tracker;
    Model model;
    for (int i = 0; i < events_a_stream; ++i) {
      const AnyEvent event = stream.next();
      const Answer expected = model.apply(event);
      const Outcome outcome = tracker.apply(event);
      CAPTURE(seed, i);
      REQUIRE(Answer{outcome.accepted, outcome.repeat} == expected);
      REQUIRE(seen_through_queries(tracker) == model);
    }
  }
}

TEST_CASE("peek answers exactly what apply does, and changes nothing") {
  RandomEvents stream(31, members);
  Tracker tracker;
  for (int i = 0; i < 2000; ++i) {
    const AnyEvent event = stream.next();
    const Tracker before = tracker;
    const Outcome peeked = before.peek(event);
    REQUIRE(before == tracker);
    const Outcome applied = tracker.apply(event);
    REQUIRE(peeked == applied);
    const bool is_listed = event.index() + 1 < std::variant_size_v<AnyEvent>;
    REQUIRE(peeked.repeat == (is_listed && peeked.accepted && peeked.changes.empty()));
    REQUIRE((tracker == before) == peeked.changes.empty());
  }
}

TEST_CASE("an accepted event once more is a repeat that changes no byte") {
  RandomEvents stream(32, members);
  Tracker tracker;
  for (int i = 0; i < 1000; ++i) {
    const AnyEvent event = stream.next();
    const bool accepted = tracker.apply(event).accepted;
    const std::string before = tracker.snapshot();
    const Outcome again = tracker.apply(event);
    if (event.index() + 1 < std::variant_size_v<AnyEvent>) REQUIRE(again.repeat == accepted);
    REQUIRE(tracker.snapshot() == before);
  }
}

TEST_CASE("a snapshot restores to an equal tracker that goes on alike, and equal trackers give equal bytes") {
  RandomEvents stream(33, members);
  Tracker tracker;
  Tracker restored;
  for (int i = 0; i < 1000; ++i) {
    const AnyEvent event = stream.next();
    REQUIRE(tracker.apply(event) == restored.apply(event));
    REQUIRE(tracker == restored);
    const std::string bytes = tracker.snapshot();
    REQUIRE(restored.snapshot() == bytes);
    auto next = Tracker::restore(bytes);
    REQUIRE(next.has_value());
    restored = std::move(*next);
  }
}

TEST_CASE("trackers of different members merge to the one that followed them all, in any order") {
  constexpr std::array<std::string_view, 1> first{"m1"};
  constexpr std::array<std::string_view, 2> others{"m2", "m3"};
  RandomEvents one_stream(34, first);
  RandomEvents other_stream(35, others);
  Tracker all;
  Tracker one;
  Tracker other;
  for (int i = 0; i < 500; ++i) {
    const AnyEvent event = one_stream.next();
    one.apply(event);
    all.apply(event);
    const AnyEvent next = other_stream.next();
    other.apply(next);
    all.apply(next);
  }
  Tracker forth = one;
  Tracker back = other;
  REQUIRE(forth.merge(other).has_value());
  REQUIRE(back.merge(one).has_value());
  CHECK(forth == all);
  CHECK(back == all);
  CHECK(forth.snapshot() == all.snapshot());
  CHECK(back.snapshot() == all.snapshot());
  CHECK(seen_through_queries(forth) == seen_through_queries(all));
  CHECK(forth.merge(one).error() == MergeError::member_in_both);
  CHECK(forth == all);
}
