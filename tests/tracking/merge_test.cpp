// SPDX-License-Identifier: MIT
// Merging trackers: what they hold in common keeps them apart, and then nothing has changed.
#include <bankhook_catch.hpp>

#include <tracking/stories.hpp>

#include <bankhook/tracking/tracker.hpp>

#include <string_view>
#include <utility>
#include <vector>

namespace tracking_merge_test {

using namespace bankhook;
using namespace bankhook::test;

namespace {

/// The event as one of another member.
template <class Event>
Event of_member(Event event, std::string_view id) {
  event.customer.id = id;
  return event;
}

}  // namespace

TEST_CASE("a connection or a transaction that two trackers hold keeps them apart, whoever its member is") {
  const std::vector all{connection("conn-1")};
  const auto event = bank(ConnectionEventType::create, all[0], all);
  Tracker one;
  one.apply(transaction("it-1", TransactionStatus::created));
  one.apply(event);
  const Tracker before = one;
  Tracker other;
  other.apply(of_member(transaction("it-1", TransactionStatus::created), "member-2"));
  CHECK(one.merge(other).error() == MergeError::transaction_in_both);
  Tracker another;
  another.apply(of_member(event, "member-2"));
  CHECK(one.merge(another).error() == MergeError::connection_in_both);
  CHECK(one.merge(one).error() == MergeError::member_in_both);
  CHECK(one == before);
  CHECK(one.snapshot() == before.snapshot());
}

TEST_CASE("an empty tracker merges with any, itself too") {
  Tracker empty;
  Tracker one;
  one.apply(transaction("it-1", TransactionStatus::created));
  const Tracker before = one;
  CHECK(empty.merge(empty).has_value());
  CHECK(one.merge(empty).has_value());
  CHECK(one == before);
  CHECK(empty.merge(one).has_value());
  CHECK(empty == one);
}

TEST_CASE("a merged tracker goes on with what either held") {
  const std::vector all{connection("conn-1")};
  Tracker one;
  one.apply(transaction("it-1", TransactionStatus::created));
  Tracker other;
  other.apply(of_member(bank(ConnectionEventType::create, all[0], all), "member-2"));
  REQUIRE(one.merge(other).has_value());
  CHECK(one.peek(of_member(bank(ConnectionEventType::create, all[0], all), "member-2")).repeat);
  CHECK(one.peek(transaction("it-1", TransactionStatus::created)).repeat);
  CHECK(one.connections_of("member-2").size() == 1);
  const Tracker moved = std::move(other);
  CHECK(moved.connection_count() == 1);
}

TEST_CASE("trackers that differ in one text are not equal") {
  Tracker one;
  Tracker other;
  one.apply(transaction("it-1", TransactionStatus::created));
  other.apply(of_member(transaction("it-1", TransactionStatus::created), "member-2"));
  CHECK_FALSE(one == other);
  other = one;
  CHECK(one == other);
  other.apply(transaction("it-2", TransactionStatus::created));
  CHECK_FALSE(one == other);
}

}  // namespace tracking_merge_test
