// SPDX-License-Identifier: MIT
// Tracker and members: their programme, what moves between them, and what is asked of them all.
#include <bankhook_catch.hpp>

#include <tracking/stories.hpp>

#include <bankhook/tracking/tracker.hpp>

#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace tracking_tracker_members_test {

using namespace bankhook;
using namespace bankhook::test;
using enum ConnectionEventType;

TEST_CASE("a connection that another member's event names has moved") {
  Tracker tracker;
  const std::vector all{connection("conn-1")};
  tracker.apply(bank(create, all[0], all));
  auto event = bank(update, all[0], all);
  event.customer.id = "member-2";
  const Outcome outcome = tracker.apply(event);
  REQUIRE(outcome.changes.size() == 3);
  CHECK(outcome.changes[1].kind == ChangeKind::connection_moved);
  CHECK(outcome.changes[1].field == "customer.id");
  CHECK(std::get<std::string_view>(outcome.changes[1].before) == "member-1");
  CHECK(tracker.connections_of("member-1").empty());
  CHECK(tracker.connections_of("member-2").size() == 1);
}

TEST_CASE("a member that is first named by an event whose list does not count is tracked with its ids only") {
  Tracker tracker;
  const std::vector both{connection("conn-1"), connection("conn-2")};
  const std::span all(both);
  tracker.apply(bank(create, both[0], all));
  tracker.apply(bank(delete_, both[0], all.last(1)));
  auto event = bank(update, both[0], all);
  event.customer.id = "member-2";
  CHECK(tracker.apply(event).changes.contains(ChangeKind::member_added));
  CHECK(tracker.member_count() == 2);
  REQUIRE(tracker.member("member-2").has_value());
  CHECK(tracker.member("member-2")->customer.external_id == "cust-1");
  CHECK_FALSE(tracker.member("member-2")->membership.has_value());
  CHECK(tracker.connection("conn-1")->member_id == "member-2");
  CHECK(tracker.connection("conn-2")->member_id == "member-1");
  const auto restored = Tracker::restore(tracker.snapshot());
  REQUIRE(restored.has_value());
  CHECK(*restored == tracker);
}

TEST_CASE("a member that a transaction made known gets its programme from the first bank event") {
  Tracker tracker;
  tracker.apply(transaction("it-1", TransactionStatus::created));
  CHECK_FALSE(tracker.member("member-1")->membership.has_value());
  const std::vector all{connection("conn-1")};
  const auto event = bank(create, all[0], all);
  CHECK(tracker.apply(event).changes.contains(ChangeKind::programme_changed));
  CHECK(tracker.member("member-1")->membership->shopping_hub_external_id == "programme-1");
  tracker.apply(transaction("it-2", TransactionStatus::created));
  CHECK(tracker.member("member-1")->membership.has_value());
}

}  // namespace tracking_tracker_members_test
