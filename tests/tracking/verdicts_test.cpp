// SPDX-License-Identifier: MIT
// How a tracker judges streams: verdicts, repeats, lists, and what is not applied.
#include <bankhook_catch.hpp>

#include <tracking/stories.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <variant>

namespace tracking_verdicts_test {

using namespace bankhook;
using namespace bankhook::test;

TEST_CASE("specified: a stated row or rule leads here, and everything that the event changes rests on it") {
  for (const Outcome& outcome : {last_outcome({"create k1: k1"}), last_outcome({"create k1: k1", "update k1a: k1a"}),
                                 last_outcome({"created t1"}), last_outcome({"create k1: k1 k2", "create k2: k1 k2"})}) {
    CHECK(words(outcome) == "specified");
    CHECK(outcome.reason.evidence() == Evidence::stated);
    CHECK_FALSE(outcome.reason.section().empty());
  }
}

TEST_CASE("assumed: an assumed row leads here, such as the ordinary way of a transaction from created to validated") {
  const Outcome outcome = last_outcome({"created t1", "validated t1"});
  CHECK(words(outcome) == "assumed");
  const auto* const* const row = std::get_if<const TransactionTransition*>(&outcome.reason);
  REQUIRE(row != nullptr);
  CHECK((*row)->evidence == Evidence::stated);  // the trigger leads to the state; which state comes before is not shown
  CHECK((*row)->before == StateBefore::assumed);
  CHECK(labels(outcome) == Labels{"transaction_status_changed"});
}

TEST_CASE("unspecified: an unknown event changes nothing") {
  Tracker tracker;
  const Outcome outcome = tracker.apply(UnknownEvent{"points_update", "{}"});
  CHECK(words(outcome) == "unspecified");
  CHECK(rests_on(outcome, RuleId::event_is_listed));
  CHECK(tracker == Tracker());
}

TEST_CASE("unspecified: an unknown value is kept as text, and what follows it is as open") {
  for (const auto& events : {std::pair("released t1", "created t1"), std::pair("pause k1: k1", "create k1: k1")}) {
    const Outcome outcome = last_outcome({events.first});
    CHECK(words(outcome) == "unspecified");
    CHECK(rests_on(outcome, RuleId::values_are_listed));
    CHECK(words(last_outcome({events.first, events.first})) == "unspecified repeat seen");
    const Outcome follower = last_outcome({events.first, events.second});
    CHECK(follower.verdict == Verdict::unspecified);
    CHECK(rests_on(follower, RuleId::values_follow_listed_ones));
  }
  const Tracker tracker = tracker_after({"create k1: k1", "pause k1: k1", "released t1"});
  CHECK(tracker.connection("m1", "k1")->event_type->text() == "pause");
  CHECK(tracker.connection("m1", "k1")->state == ConnectionState::created);
  CHECK(tracker.transaction("m1", "t1")->initial_transaction.status.text() == "released");
  CHECK_FALSE(tracker.transaction("m1", "t1")->state.has_value());
}

TEST_CASE("contradicts: the event breaks a stated rule within itself, and is applied") {
  Story story;
  auto event = std::get<InitialTransactionUpdate>(story.event("created t1"));
  event.initial_transaction.store_name = "Store";
  Tracker tracker;
  const Outcome outcome = tracker.apply(event);
  CHECK(words(outcome) == "contradicts");
  CHECK(rests_on(outcome, RuleId::store_name_exactly_without_store_external_id));
  CHECK(tracker.transaction_count() == 1);
}

TEST_CASE("a rule that is assumed, or seen in an example only, leaves open what was specified") {
  Story story;
  auto event = std::get<InitialTransactionUpdate>(story.event("created t1"));
  event.initial_transaction.rejection_reason = OpenEnum(RejectionReason::bank_consent_expired);
  const Outcome outcome = Tracker().apply(event);
  CHECK(words(outcome) == "unspecified");
  CHECK(rests_on(outcome, RuleId::reason_only_when_rejected));
}

TEST_CASE("a repeat contains nothing new about its connection or transaction") {
  for (const std::string_view event : {"create k1: k1", "delete k1: ", "update k1: k1", "created t1", "validated t1"}) {
    const Outcome outcome = last_outcome({event, event});
    CHECK(words(outcome) == "unspecified repeat seen");
    CHECK(rests_on(outcome, RuleId::event_is_not_repeated));
  }
}

TEST_CASE(
    "an update without news of its own connection is not one of rule 2, and not a repeat if something else is taken") {
  const Outcome outcome = last_outcome({"create k1: k1", "update k1a: k1a", "update k1a: k1a k2"});
  CHECK(words(outcome) == "unspecified");
  CHECK(rests_on(outcome, RuleId::event_is_not_repeated));
  CHECK(words(last_outcome({"create k1: k1 k2", "create k2: k1 k2", "update k1a: k1a", "update k2: k1a k2"})) ==
        "unspecified");
}

TEST_CASE("a value that is spelled otherwise is the same value: a repeat that was not seen, and the first spelling stays") {
  Tracker tracker;
  auto event = transaction("t1", TransactionStatus::created);
  tracker.apply(event);
  event.initial_transaction.amount = Decimal(199, 1);
  event.initial_transaction.date = *Timestamp::parse("2026-05-04T10:15:30Z");
  CHECK(words(tracker.apply(event)) == "unspecified repeat");
  CHECK(to_string(tracker.transaction("m1", "t1")->initial_transaction.amount) == "19.90");
}

TEST_CASE("events that were seen are recognised from a bounded number of digests: eight of a transaction") {
  Tracker tracker;
  Story story;
  for (int amount = 1; amount <= 9; ++amount) tracker.apply(story.event("validated t1=" + std::to_string(amount)));
  CHECK_FALSE(tracker.peek(story.event("validated t1=1")).seen_before);
  for (int amount = 2; amount <= 9; ++amount)
    CHECK(tracker.peek(story.event("validated t1=" + std::to_string(amount))).seen_before);
}

TEST_CASE("another connection that becomes unlisted is unspecified") {
  const Outcome outcome = last_outcome({"create k1: k1", "create k2: k1 k2", "update k2a: k2a"});
  CHECK(words(outcome) == "unspecified");
  CHECK(rests_on(outcome, RuleId::unlisted_connection_is_gone));
  CHECK(outcome.changes.contains("connection_unlisted"));
}

TEST_CASE("a list that shows another connection otherwise than its last own event is unspecified") {
  const Outcome outcome = last_outcome({"create k1: k1", "create k2: k1e k2"});
  CHECK(words(outcome) == "unspecified");
  CHECK(rests_on(outcome, RuleId::changes_have_their_own_event));
  CHECK(outcome.changes.contains("error_raised"));
}

TEST_CASE("an event that was seen before and would change something is unspecified") {
  const Outcome outcome = last_outcome({"create k1a: k1a", "update k1ae: k1ae", "update k1a: k1a", "update k1ae: k1ae"});
  CHECK(words(outcome) == "unspecified seen");
  CHECK(rests_on(outcome, RuleId::event_is_not_repeated));
  CHECK(outcome.changes.contains("error_raised"));
}

TEST_CASE("a deleted connection that is listed again stays deleted, and the outcome says so") {
  const Outcome outcome = last_outcome({"create k1: k1", "create k2: k1 k2", "delete k1: k2", "update k2a: k1 k2a"});
  CHECK(words(outcome) == "unspecified");
  const auto* const* const row = std::get_if<const ConnectionTransition*>(&outcome.reason);
  REQUIRE(row != nullptr);
  CHECK((*row)->from == ConnectionState::deleted);
  CHECK((*row)->trigger == ConnectionTrigger::listed);
  CHECK((*row)->evidence == Evidence::assumed);
}

TEST_CASE("accounts that disappear are unspecified") {
  const Outcome outcome = last_outcome({"create k1: k1", "update k1b: k1b", "update k1a: k1a"});
  CHECK(words(outcome) == "unspecified");
  CHECK(rests_on(outcome, RuleId::accounts_stay));
  CHECK(outcome.changes.contains("account_removed"));
}

TEST_CASE("a connection that a list names for the first time is no such news") {
  const Outcome outcome = last_outcome({"create k1: k1", "update k1a: k1a k2"});
  CHECK(words(outcome) == "specified");
  CHECK(labels(outcome) == Labels{"counts_changed", "connection_event_received", "account_added", "connection_added"});
}

TEST_CASE(
    "the create of a connection that is known from a list only is its first event: state and type are taken from it") {
  for (const std::string_view create : {"create k2: k1 k2", "create k2a: k1 k2a"}) {
    const Tracker tracker = tracker_after({"create k1: k1 k2", create});
    CHECK(tracker.connection("m1", "k2")->state == ConnectionState::created);
    CHECK(tracker.connection("m1", "k2")->event_type == ConnectionEventType::create);
  }
}

TEST_CASE(
    "such a create is specified if its content is what the list showed, else unspecified, and what was listed stays") {
  CHECK(words(last_outcome({"create k1: k1 k2", "create k2: k1 k2"})) == "specified");
  const Outcome outcome = last_outcome({"create k1: k1 k2a", "create k2e: k1 k2e"});
  CHECK(words(outcome) == "unspecified");
  CHECK(rests_on(outcome, RuleId::create_differs_from_list));
  CHECK(words(tracker_after({"create k1: k1 k2a", "create k2e: k1 k2e"})) == "k1 created, k2a created, on 2");
}

TEST_CASE("such a create brings a connection back that lists named and then did not: unspecified") {
  const auto events = {std::string_view("create k1: k1 k2"), std::string_view("update k1a: k1a"),
                       std::string_view("create k2: k1a k2")};
  CHECK(rests_on(last_outcome(events), RuleId::unlisted_connection_is_gone));
  CHECK(last_outcome(events).changes.contains("connection_listed_again"));
}

TEST_CASE("an option takes what the create says") {
  CHECK(words(tracker_after({"create k1: k1 k2a", "create k2e: k1 k2e"}, {.take_create = true})) ==
        "k1 created, k2e created, on 2");
}

TEST_CASE("the list and counts of such a create are taken only if they lack nothing that is tracked") {
  const Tracker tracker = tracker_after({"create k1: k1 k2 k3"});
  Tracker lacking = tracker, complete = tracker;
  Story story;
  CHECK(words(lacking.apply(story.event("create k2: k2"))) == "specified");
  CHECK(words(lacking) == "k1 created, k2 created, k3 listed, on 3");
  CHECK(words(complete.apply(story.event("create k2: k1 k2 k3 k4"))) == "specified");
  CHECK(words(complete) == "k1 created, k2 created, k3 listed, k4 listed, on 4");
}

TEST_CASE("only an event of its own that is not a create says that the first event is missing") {
  const auto is_missed = [](const Outcome& outcome) {
    return std::any_of(outcome.changes.begin(), outcome.changes.end(),
                       [](const Change& change) { return change.first_event_missing; });
  };
  CHECK_FALSE(is_missed(last_outcome({"create k1: k1 k2"})));
  CHECK_FALSE(is_missed(last_outcome({"create k1: k1 k2", "create k2: k1 k2"})));
  CHECK(is_missed(last_outcome({"create k1: k1 k2", "update k2: k1 k2"})));
  CHECK(is_missed(last_outcome({"update k1: k1"})));
  CHECK(is_missed(last_outcome({"delete k1: "})));
  const Outcome removed = last_outcome({"delete k1: "});  // where it is added, not where it is removed
  CHECK(std::ranges::count_if(removed.changes, &Change::first_event_missing) == 1);
  CHECK(is_missed(last_outcome({"validated t1"})));
  CHECK_FALSE(is_missed(last_outcome({"created t1"})));
}

TEST_CASE("a create or created after an event of its own is not applied and changes nothing else; it has a reason") {
  for (const auto& [first, late] :
       {std::pair("create k1: k1", "create k1a: k1a k2"), std::pair("update k1a: k1a", "create k1: k1 k2"),
        std::pair("delete k1: ", "create k1: k1 k2"), std::pair("created t1", "created t1=5"),
        std::pair("validated t1", "created t1"), std::pair("rejected t1", "created t1")}) {
    Tracker tracker = tracker_after({first});
    const std::string before = tracker.snapshot();
    Story story;
    AnyEvent event = story.event(late);
    if (auto* const known = std::get_if<InitialTransactionUpdate>(&event)) known->customer.external_id = "another";
    const Outcome outcome = tracker.apply(event);
    CHECK(words(outcome) == "unspecified refused");
    CHECK(outcome.reason.evidence() == Evidence::assumed);
    CHECK(outcome.changes.empty());
    CHECK(tracker.snapshot() == before);
  }
}

TEST_CASE("where status and eventType differ, nothing of the event is applied, membership included") {
  const Outcome outcome = last_outcome({"rejected/validated t1"});
  CHECK(words(outcome) == "contradicts refused");
  CHECK(rests_on(outcome, RuleId::status_equals_event_type));
  CHECK_FALSE(outcome.became(TransactionStatus::validated));
  CHECK(words(tracker_after({"rejected/validated t1"})) == "nobody");
}

TEST_CASE("an option takes status or eventType") {
  for (const auto& [from, held] :
       {std::pair(StatusFrom::status, "t1 validated, on -"), std::pair(StatusFrom::event_type, "t1 rejected, on -")}) {
    const TrackerOptions options{.status_from = from};
    CHECK(words(last_outcome({"created t1", "rejected/validated t1"}, options)) == "contradicts");
    CHECK(words(tracker_after({"created t1", "rejected/validated t1"}, options)) == held);
  }
}

TEST_CASE("rejected, then validated, or the other way, is applied and unspecified") {
  const Outcome outcome = last_outcome({"created t1", "rejected t1", "validated t1"});
  CHECK(words(outcome) == "unspecified");
  CHECK(outcome.became(TransactionStatus::validated));
  CHECK(words(last_outcome({"created t1", "validated t1", "rejected t1"})) == "unspecified");
}

TEST_CASE("specified by rule 2 means accounts created or updated, and nothing else; errors and reordering are assumed") {
  for (const std::string_view update : {"update k1b: k1b", "update k1h: k1h"})
    CHECK(words(last_outcome({"create k1a: k1a", update})) == "specified");
  for (const std::string_view update : {"update k1be: k1be", "update k1bn: k1bn", "update k1ae: k1ae", "update k1a: k1a"}) {
    const Outcome outcome = last_outcome({"create k1a: k1a", update});
    CHECK(words(outcome) == "assumed");
    CHECK(rests_on(outcome, RuleId::other_changes_come_as_update));
  }
  const Outcome reordered = last_outcome({"create k1b: k1b", "update k1c: k1c"});
  CHECK(words(reordered) == "assumed");
  CHECK(labels(reordered) == Labels{"connection_event_received", "accounts_reordered"});
}

TEST_CASE("a connection that is no longer listed is unlisted, which is not deleted, and comes back when it is listed") {
  Tracker tracker = tracker_after({"create k1a: k1a", "create k2: k1a k2", "update k2a: k2a"});
  CHECK(tracker.connection("m1", "k1")->is_unlisted());
  CHECK_FALSE(tracker.connection("m1", "k1")->is_deleted());
  CHECK(tracker.accounts_of("m1").size() == 1);
  Story story;
  const Outcome outcome = tracker.apply(story.event("update k2b: k1a k2b"));
  CHECK(words(outcome) == "unspecified");
  CHECK(outcome.changes.contains("connection_listed_again"));
  CHECK(tracker.connection("m1", "k1")->is_listed());
  CHECK(tracker.accounts_of("m1").size() == 3);
}

TEST_CASE("the order in which connections are listed has no meaning") {
  CHECK(last_outcome({"create k1: k1 k2", "create k1: k2 k1"}).repeat);
}

}  // namespace tracking_verdicts_test
