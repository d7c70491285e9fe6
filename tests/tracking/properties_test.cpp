// SPDX-License-Identifier: MIT
// What holds for every stream of events: the tracker against a slow model, peek against apply, snapshots and merges.
#include <bankhook_catch.hpp>

#include <tracking/model_bank.hpp>
#include <tracking/random_events.hpp>
#include <tracking/stories.hpp>

#include <bankhook/events/serialize.hpp>
#include <bankhook/tracking/tracker.hpp>

#include <array>
#include <cstdint>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracking_properties_test {

using namespace bankhook;
using namespace bankhook::test;

namespace {

constexpr std::array<std::string_view, 3> members{"m1", "m2", "m3"};
/// So many that most are new when something of another one moves to them.
constexpr std::array<std::string_view, 24> crowd{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l",
                                                 "m", "n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x"};
constexpr int events_a_stream = 250;

/// All that a tracker gives back, in the model's words.
Model seen_through_queries(const Tracker& tracker) {
  Model model;
  for (const auto& [customer, membership] : tracker.members()) {
    Model::Member& member = model.members[std::string(customer.id)];
    member.external_id = customer.external_id;
    if (!membership) continue;
    member.on = std::to_string(membership->connections_on);
    member.off = std::to_string(membership->connections_off);
    member.programme = membership->shopping_hub_id;
    member.programme_external = membership->shopping_hub_external_id;
  }
  for (const TrackedTransaction& held : tracker.transactions()) {
    const InitialTransaction& transaction = held.initial_transaction;
    model.transactions[std::string(transaction.id)] = {std::string(held.event_type.text()), serialize(transaction),
                                                       std::string(held.customer.id),
                                                       std::string(transaction.status.text())};
  }
  for (const TrackedConnection& held : tracker.connections()) {
    model.connections[std::string(held.connection.id)] = {held.event_type ? std::string(held.event_type->text()) : "",
                                                          serialize(held.connection), std::string(held.member_id),
                                                          held.state ? std::string(held.state->text()) : "", true};
  }
  return model;
}

/// The tracker answers to `event` what the model does, and both have the same afterwards.
void check_alike(Tracker& tracker, Model& model, const AnyEvent& event) {
  const Answer expected = model.apply(event);
  const Outcome outcome = tracker.apply(event);
  Kinds kinds;
  for (const Change& change : outcome.changes) kinds.insert(change.kind);
  REQUIRE(outcome.verdict == expected.verdict);
  REQUIRE(outcome.accepted == expected.accepted);
  REQUIRE(outcome.repeat == expected.repeat);
  REQUIRE(kinds == expected.kinds);
  REQUIRE((outcome.seen_before || !expected.must_be_seen));
  REQUIRE((expected.may_be_seen || !outcome.seen_before));
  const Model known = seen_through_queries(tracker);
  REQUIRE(known.transactions == model.transactions);
  REQUIRE(known.members == model.members);
  REQUIRE(known.connections.size() == model.connections.size());
  for (const auto& [id, one] : model.connections) {
    const Model::Connected& other = known.connections.at(id);
    REQUIRE(other.type == one.type);
    REQUIRE(other.json == one.json);
    REQUIRE(other.member == one.member);
    REQUIRE(other.state == one.shown_state());
  }
}

/// What the histories consist of: two connections that come, fail, are repaired, deleted and enabled again, and a
/// transaction in all its states, one of them with another amount and a store of its own. Static storage.
std::vector<AnyEvent> events_of_histories() {
  static constexpr std::array accounts{Account{"acc-1", "hash-1"}, Account{"acc-2", std::nullopt}};
  static const Connection k1 = connection("k1");
  static const Connection k1_filled = connection("k1", accounts);
  static const Connection k1_failing = [] {
    Connection failing = k1_filled;
    failing.error_code = "1010";
    return failing;
  }();
  static const Connection k2 = connection("k2");
  static const Connection k2_filled = connection("k2", std::span(accounts).subspan(1));
  static const std::array<std::vector<Connection>, 8> lists{
      {{k1}, {k1, k2}, {k1_filled}, {k1_filled, k2}, {k1_failing, k2}, {k2}, {k1_filled, k2_filled}, {k2_filled}}};
  using enum ConnectionEventType;
  std::vector<AnyEvent> events{
      bank(create, k1, lists[0]),         bank(create, k2, lists[1]),         bank(update, k1_filled, lists[2]),
      bank(update, k1_filled, lists[3]),  bank(update, k1_failing, lists[4]), bank(create, k1_filled, lists[3]),
      bank(delete_, k1_filled, lists[5]), bank(update, k2_filled, lists[6]),  bank(update, k2_filled, lists[7]),
      bank(delete_, k1_filled, lists[3]), bank(update, k1_filled, lists[5]),  bank(delete_, k2, lists[2]),
  };
  for (const TransactionStatus status :
       {TransactionStatus::created, TransactionStatus::validated, TransactionStatus::rejected}) {
    auto event = transaction("it-1", status);
    events.emplace_back(event);
    event.initial_transaction.amount = Decimal(5);
    event.initial_transaction.store_external_id = std::nullopt;
    event.initial_transaction.place_id = "place-1";
    event.initial_transaction.store_name = "Store";
    events.emplace_back(event);
  }
  return events;
}

}  // namespace

TEST_CASE("a tracker has and answers what a slow model does, whatever comes") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    RandomEvents stream(seed, seed % 2 == 0 ? std::span<const std::string_view>(members) : crowd);
    const TrackerOptions options{.accept_late = seed % 4 == 0, .unlist = seed % 3 != 0};
    Tracker tracker(options);
    Model model(options.accept_late, options.unlist);
    for (int i = 0; i < events_a_stream; ++i) {
      const AnyEvent event = stream.next();
      CAPTURE(seed, i);
      check_alike(tracker, model, event);
    }
  }
}

TEST_CASE("the histories of retries and late events answer as the model does, in any order and any number of times") {
  const std::vector<AnyEvent> events = events_of_histories();
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    std::mt19937_64 random(seed);
    const TrackerOptions options{.accept_late = seed % 4 == 0, .unlist = seed % 3 != 0};
    Tracker tracker(options);
    Model model(options.accept_late, options.unlist);
    for (int i = 0; i < 120; ++i) {
      CAPTURE(seed, i);
      check_alike(tracker, model, events[random() % events.size()]);
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

TEST_CASE("an accepted event again is a repeat that changes no byte") {
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

  CHECK(forth.merge(one).error() == MergeError::member_in_both);
  CHECK(forth == all);
}

}  // namespace tracking_properties_test
