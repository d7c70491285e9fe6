// SPDX-License-Identifier: MIT
// Tracker and bank connections: their order, the member's whole picture, errors, consents, accounts, counts.
#include <bankhook_catch.hpp>

#include <tracking/stories.hpp>

#include <bankhook/tracking/tracker.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tracking_tracker_connections_test {

using namespace bankhook;
using namespace bankhook::test;
using enum ConnectionEventType;

TEST_CASE("6.2: create, possibly with empty accounts, then update with accounts is specified") {
  Tracker tracker;
  const std::vector empty{connection("conn-1")};
  const auto first = about_last(create, empty);
  const Outcome creation = tracker.apply(first);
  CHECK(creation.verdict == Verdict::specified);
  CHECK(creation.reason.section() == "6.2");
  CHECK(kinds(creation) == std::vector{ChangeKind::member_added, ChangeKind::connection_added});
  CHECK_FALSE(creation.changes[1].first_event_missing);
  CHECK(tracker.awaiting_accounts().size() == 1);

  const std::vector filled{connection("conn-1", two_accounts)};
  const auto second = about_last(update, filled);
  const Outcome update_ = tracker.apply(second);
  CHECK(update_.verdict == Verdict::specified);
  CHECK(kinds(update_) ==
        std::vector{ChangeKind::connection_event_received, ChangeKind::account_added, ChangeKind::account_added});
  CHECK(update_.changes[1].id == "acc-1");
  CHECK(update_.changes[1].parent_id == "conn-1");
  CHECK(tracker.awaiting_accounts().empty());
  CHECK(tracker.connection("conn-1")->connection == filled[0]);
  CHECK(tracker.connection("conn-1")->state == TrackedState::updated);
  CHECK(tracker.connection("conn-1")->member_id == "member-1");
  CHECK(tracker.accounts_of("member-1").size() == 2);
}

TEST_CASE("6.2: an update for a connection whose create was missed is unspecified and is taken in") {
  Tracker tracker;
  const std::vector all{connection("conn-1", two_accounts)};
  const auto event = about_last(update, all);
  const Outcome outcome = tracker.apply(event);
  CHECK(outcome.verdict == Verdict::unspecified);
  CHECK(rests_on(outcome, RuleId::create_comes_first));
  CHECK(outcome.accepted);
  CHECK(outcome.changes[1].first_event_missing);
  CHECK(tracker.connection("conn-1")->state == TrackedState::updated);
}

TEST_CASE("6.2: a create for a connection that was updated is unspecified and is not taken") {
  Tracker tracker;
  const std::vector empty{connection("conn-1")};
  const std::vector filled{connection("conn-1", two_accounts)};
  tracker.apply(about_last(create, empty));
  tracker.apply(about_last(update, filled));
  const std::string before = tracker.snapshot();
  const auto late = about_last(create, empty);
  const Outcome outcome = tracker.apply(late);
  CHECK(outcome.verdict == Verdict::unspecified);
  CHECK_FALSE(outcome.accepted);
  CHECK(outcome.changes.empty());
  CHECK(std::holds_alternative<const ConnectionTransition*>(outcome.reason));
  CHECK(tracker.snapshot() == before);
  Tracker credulous({.accept_late = true});
  credulous.apply(about_last(update, filled));
  CHECK(credulous.apply(late).changes.contains(ChangeKind::account_removed));
}

TEST_CASE("a connection that flaps is followed: raised, cleared and raised are three changes and no repeat") {
  Tracker tracker;
  std::vector fine{connection("conn-1", two_accounts)};
  std::vector failing = fine;
  failing[0].error_code = "1010";
  failing[0].error_message = "Try again later";
  const auto well = about_last(update, fine);
  const auto ill = about_last(update, failing);
  tracker.apply(about_last(create, fine));
  tracker.apply(well);
  for (int i = 0; i < 2; ++i) {
    const Outcome raised = tracker.apply(ill);
    REQUIRE(kinds(raised) == std::vector{ChangeKind::error_raised, ChangeKind::error_message_changed});
    CHECK(raised.verdict == Verdict::assumed);
    CHECK(rests_on(raised, RuleId::other_changes_come_as_update));
    CHECK(raised.changes[0].field == "errorCode");
    CHECK(std::get<std::string_view>(raised.changes[0].after) == "1010");
    CHECK(tracker.apply(ill).repeat);
    const Outcome cleared = tracker.apply(well);
    REQUIRE(kinds(cleared) == std::vector{ChangeKind::error_cleared, ChangeKind::error_message_changed});
    CHECK(std::get<std::string_view>(cleared.changes[0].before) == "1010");
    CHECK(tracker.apply(well).repeat);
  }
  tracker.apply(ill);
  failing[0].error_message = "Wrong password";
  const auto other = about_last(update, failing);
  const Outcome changed = tracker.apply(other);
  REQUIRE(kinds(changed) == std::vector{ChangeKind::error_changed});
  CHECK(changed.changes[0].field == "errorMessage");
}

TEST_CASE("6.2, rule 2: only an update with accounts is an account update; one without them has another trigger") {
  Tracker tracker;
  std::vector filled{connection("conn-1", two_accounts)};
  std::vector empty{connection("conn-1")};
  tracker.apply(about_last(create, empty));
  CHECK(tracker.apply(about_last(update, filled)).verdict == Verdict::specified);
  const auto without = about_last(update, empty);
  const Outcome gone = tracker.apply(without);
  CHECK(gone.changes.contains(ChangeKind::account_removed));
  CHECK(gone.verdict == Verdict::assumed);
  CHECK(rests_on(gone, RuleId::other_changes_come_as_update));
}

TEST_CASE("the connection of the event wins over its entry in the list") {
  Tracker tracker;
  std::vector all{connection("conn-1"), connection("conn-1")};
  all[1].bank = "Another";
  Connection own = connection("conn-1", two_accounts);
  own.bank = "Own";
  tracker.apply(bank(create, own, all));
  CHECK(tracker.connection_count() == 1);
  CHECK(tracker.connection("conn-1")->connection == own);
}

TEST_CASE("counts, programme, consents, accounts and banks change in their own terms") {
  Tracker tracker;
  std::vector all{connection("conn-1", two_accounts)};
  tracker.apply(about_last(create, all));
  all[0].consent_expires_at = *LocalTimestamp::parse("2027-03-01 09:30:00.0000");
  all[0].bank = "Another";
  const std::array others{Account{"acc-2", "hash-2"}, Account{"acc-3", std::nullopt}};
  all[0].accounts = others;
  auto event = about_last(update, all);
  event.customer.connections_off = 1;
  event.shopping_hub_id = "hub-2";
  const Outcome outcome = tracker.apply(event);
  CHECK(kinds(outcome) == std::vector{ChangeKind::counts_changed, ChangeKind::programme_changed,
                                      ChangeKind::connection_event_received, ChangeKind::connection_changed,
                                      ChangeKind::consent_moved, ChangeKind::account_removed, ChangeKind::account_changed,
                                      ChangeKind::account_added});
  CHECK(outcome.changes[0].field == "connectionsOff");
  CHECK(std::get<std::uint64_t>(outcome.changes[0].after) == 1);
  CHECK(outcome.changes[1].field == "shoppingHubId");
  CHECK(std::holds_alternative<std::monostate>(outcome.changes[4].before));
  CHECK(std::holds_alternative<LocalTimestamp>(outcome.changes[4].after));
  CHECK(tracker.member("member-1")->membership->shopping_hub_id == "hub-2");
}

TEST_CASE("accounts in another order are a change of their own") {
  Tracker tracker;
  std::vector all{connection("conn-1", two_accounts)};
  tracker.apply(about_last(create, all));
  const std::array turned{two_accounts[1], two_accounts[0]};
  all[0].accounts = turned;
  const auto event = about_last(update, all);
  const Outcome outcome = tracker.peek(event);
  REQUIRE(kinds(outcome) == std::vector{ChangeKind::connection_event_received, ChangeKind::accounts_reordered});
  CHECK(outcome.changes[0].field == "eventType");
  CHECK(outcome.changes[1].field == "accounts");
}

TEST_CASE("the order in which connections are listed has no meaning") {
  Tracker tracker;
  const std::vector all{connection("conn-1"), connection("conn-2")};
  const std::vector turned{connection("conn-2"), connection("conn-1")};
  tracker.apply(bank(create, all[0], all));
  CHECK(tracker.peek(bank(create, all[0], turned)).repeat);
}

TEST_CASE("an eventType of the future is kept as text, and the state stays") {
  Tracker tracker;
  const std::vector all{connection("conn-1")};
  tracker.apply(about_last(create, all));
  auto event = about_last(update, all);
  event.event_type = OpenEnum<ConnectionEventType>::of("pause");
  const Outcome outcome = tracker.apply(event);
  CHECK(outcome.verdict == Verdict::unspecified);
  CHECK(rests_on(outcome, RuleId::values_are_listed));
  CHECK(kinds(outcome) == std::vector{ChangeKind::connection_event_received});
  CHECK(tracker.connection("conn-1")->event_type->text() == "pause");
  CHECK(tracker.connection("conn-1")->state == TrackedState::created);
  CHECK(tracker.peek(event).repeat);
}

TEST_CASE("6.2: an event whose connection is not among all of its member is unspecified, and is taken all the same") {
  Tracker tracker;
  const std::vector others{connection("conn-2")};
  const auto event = bank(create, connection("conn-1"), others);
  const Outcome outcome = tracker.apply(event);
  CHECK(outcome.verdict == Verdict::unspecified);
  CHECK(rests_on(outcome, RuleId::connection_is_among_those_of_the_customer));
  CHECK(outcome.accepted);
  CHECK(tracker.connection_count() == 2);
}

TEST_CASE("consents that end before a date of the caller's are found, the earliest first") {
  Tracker tracker;
  std::vector all{connection("conn-1"), connection("conn-2"), connection("conn-3"), connection("conn-4")};
  all[0].consent_expires_at = *LocalTimestamp::parse("2027-03-01 09:30:00.0000");
  all[1].consent_expires_at = *LocalTimestamp::parse("2027-02-01 09:30:00.0000");
  all[2].consent_expires_at = *LocalTimestamp::parse("2027-04-01 00:00:00.0000");
  tracker.apply(bank(create, all[3], all));
  const auto found = tracker.consents_ending_before(*LocalTimestamp::parse("2027-04-01 00:00:00.0"));
  REQUIRE(found.size() == 2);
  CHECK(found[0].connection.id == "conn-2");
  CHECK(found[1].connection.id == "conn-1");
}

}  // namespace tracking_tracker_connections_test
