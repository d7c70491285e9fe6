// SPDX-License-Identifier: MIT
// How Tracker follows the list of a member's connections: listed, unlisted, deleted yet listed, reported by other events.
#include <bankhook_catch.hpp>

#include <tracking/stories.hpp>

#include <bankhook/tracking/tracker.hpp>

#include <array>
#include <string_view>
#include <variant>
#include <vector>

namespace tracking_tracker_lists_test {

using namespace bankhook;
using namespace bankhook::test;
using enum ConnectionEventType;

TEST_CASE("2.1: a connection that is no longer among all connections is unlisted, and comes back as what it was") {
  Tracker tracker;
  const std::vector one{connection("conn-1", two_accounts)};
  const std::vector two{connection("conn-1", two_accounts), connection("conn-2")};
  const std::vector second_only{connection("conn-2")};
  tracker.apply(about_last(create, one));
  tracker.apply(about_last(create, two));
  const auto event = about_last(update, second_only);
  const Outcome outcome = tracker.apply(event);
  CHECK(outcome.verdict == Verdict::assumed);
  CHECK(rests_on(outcome, RuleId::unlisted_connection_is_gone));
  REQUIRE(outcome.changes.contains(ChangeKind::connection_unlisted));
  CHECK(outcome.changes[outcome.changes.size() - 1].id == "conn-1");
  CHECK(tracker.connection("conn-1")->is_unlisted());
  CHECK_FALSE(tracker.connection("conn-1")->is_deleted());
  CHECK(tracker.connections_of("member-1").size() == 2);
  CHECK(tracker.accounts_of("member-1").empty());
  CHECK(tracker.apply(event).repeat);
  const auto back = about_last(update, two);
  const Outcome again = tracker.apply(back);
  CHECK(again.verdict == Verdict::assumed);
  CHECK(again.changes.contains(ChangeKind::connection_listed_again));
  CHECK(tracker.connection("conn-1")->state == TrackedState::created);
  CHECK(tracker.accounts_of("member-1").size() == 2);
}

TEST_CASE("an option switches off that a connection becomes unlisted when it is no longer listed") {
  Tracker tracker({.unlist = false});
  const std::vector one{connection("conn-1")};
  const std::vector two{connection("conn-1"), connection("conn-2")};
  const std::vector second_only{connection("conn-2", two_accounts)};
  tracker.apply(about_last(create, one));
  tracker.apply(about_last(create, two));
  const Outcome outcome = tracker.apply(about_last(update, second_only));
  CHECK(outcome.verdict == Verdict::specified);
  CHECK_FALSE(outcome.changes.contains(ChangeKind::connection_unlisted));
  CHECK(tracker.connection("conn-1")->state == TrackedState::created);
  CHECK(tracker.apply(bank(update, two[0], second_only)).accepted);
  CHECK(tracker.connection("conn-1")->is_listed());
  tracker.apply(bank(delete_, two[0], second_only));
  CHECK(tracker.connection("conn-1")->is_deleted());
}

TEST_CASE("2.1: a connection that is newly listed is added; its create is late then, and any other event its first one") {
  Tracker tracker;
  const std::vector both{connection("conn-1", two_accounts), connection("conn-2")};
  const auto event = about_last(create, both);
  const Outcome outcome = tracker.apply(event);
  CHECK(outcome.verdict == Verdict::specified);
  CHECK(outcome.reason.section() == "6.2");
  REQUIRE(outcome.changes.contains(ChangeKind::connection_added));
  const Change& listed = outcome.changes[2];
  CHECK(listed.id == "conn-1");
  CHECK(listed.first_event_missing);
  CHECK_FALSE(tracker.connection("conn-1")->state.has_value());
  const Outcome late = tracker.peek(bank(create, both[0], both));
  CHECK(late.verdict == Verdict::unspecified);
  CHECK_FALSE(late.accepted);
  const auto next = bank(update, both[0], both);
  const Outcome missed = tracker.peek(next);
  CHECK(missed.verdict == Verdict::unspecified);
  CHECK(rests_on(missed, RuleId::create_comes_first));
  CHECK(missed.accepted);
}

TEST_CASE("6.2: a delete deletes, and neither an older list nor a create undoes it") {
  Tracker tracker;
  const std::vector both{connection("conn-1"), connection("conn-2")};
  const std::vector rest{connection("conn-2")};
  tracker.apply(bank(create, both[0], both));
  tracker.apply(bank(create, both[1], both));
  const auto event = bank(delete_, both[0], rest);
  const Outcome outcome = tracker.apply(event);
  CHECK(outcome.verdict == Verdict::assumed);
  CHECK(outcome.reason.evidence() == Evidence::assumed);
  CHECK(outcome.changes.contains(ChangeKind::connection_removed));
  CHECK(tracker.connection("conn-1")->is_deleted());
  CHECK(tracker.apply(event).repeat);
  const std::vector more{connection("conn-1"), connection("conn-2", two_accounts)};
  tracker.apply(bank(update, more[1], more));
  CHECK(tracker.connection("conn-1")->is_deleted());
  const auto again = bank(create, both[0], both);
  CHECK(tracker.peek(again).verdict == Verdict::unspecified);
  CHECK_FALSE(tracker.apply(again).accepted);
  CHECK(tracker.connection("conn-1")->is_deleted());
}

TEST_CASE("6.2: a delete that still lists its connection is unspecified, and another event's list brings it back") {
  Tracker tracker;
  const std::vector both{connection("conn-1"), connection("conn-2")};
  tracker.apply(bank(create, both[1], both));
  const auto event = bank(delete_, both[0], both);
  const Outcome outcome = tracker.apply(event);
  CHECK(outcome.verdict == Verdict::unspecified);
  CHECK(tracker.connection("conn-1")->is_deleted());
  const Outcome listed = tracker.apply(bank(update, both[1], both));
  CHECK(listed.verdict == Verdict::unspecified);
  CHECK(rests_on(listed, RuleId::changes_have_their_own_event));
  CHECK(listed.changes.contains(ChangeKind::connection_listed_again));
  CHECK(tracker.connection("conn-1")->is_listed());
}

TEST_CASE("what changes of another connection is taken from the list, and is unspecified") {
  Tracker tracker;
  std::vector both{connection("conn-1"), connection("conn-2")};
  tracker.apply(about_last(create, both));
  both[0].accounts = two_accounts;
  both[1].accounts = two_accounts;
  const auto event = about_last(update, both);
  const Outcome outcome = tracker.apply(event);
  CHECK(outcome.verdict == Verdict::unspecified);
  CHECK(rests_on(outcome, RuleId::changes_have_their_own_event));
  CHECK(tracker.accounts_of("member-1").size() == 4);
}

TEST_CASE("7: connections in error are those with a code or a message that are neither deleted nor unlisted") {
  Tracker tracker;
  std::vector all{connection("conn-1"), connection("conn-2"), connection("conn-3"), connection("conn-4")};
  all[0].error_message = "message";
  all[1].error_code = "1010";
  all[2].error_code = "1010";
  tracker.apply(bank(create, all[3], all));
  CHECK(tracker.in_error().size() == 3);
  const std::vector rest{all[0], all[1], all[3]};
  tracker.apply(bank(delete_, all[2], rest));
  const std::vector last{all[0], all[3]};
  tracker.apply(bank(delete_, all[3], last));
  const auto found = tracker.in_error();
  REQUIRE(found.size() == 1);
  CHECK(found[0].connection.id == "conn-1");
}

}  // namespace tracking_tracker_lists_test
