// SPDX-License-Identifier: MIT
// Tracker and initial transactions: first events, steps, repeats, what is not taken, and what changes.
#include <bankhook_catch.hpp>

#include <tracking/stories.hpp>

#include <bankhook/tracking/tracker.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tracking_tracker_transactions_test {

using namespace bankhook;
using namespace bankhook::test;
using enum TransactionStatus;

TEST_CASE("3.1: the first submission of a transaction is specified and taken in") {
  Tracker tracker;
  const auto event = transaction("it-1", created);
  const Outcome outcome = tracker.apply(event);
  CHECK(outcome.verdict == Verdict::specified);
  CHECK(outcome.accepted);
  CHECK_FALSE(outcome.repeat);
  CHECK(outcome.findings.empty());
  CHECK(outcome.reason.evidence() == Evidence::stated);
  CHECK(outcome.reason.section() == "3.1");
  CHECK(std::holds_alternative<const TransactionTransition*>(outcome.reason));
  CHECK(kinds(outcome) == std::vector{ChangeKind::member_added, ChangeKind::transaction_added});
  CHECK_FALSE(outcome.changes[1].first_event_missing);
  REQUIRE(tracker.transaction("it-1").has_value());
  CHECK(tracker.transaction("it-1")->initial_transaction == event.initial_transaction);
  CHECK(tracker.transaction("it-1")->customer == event.customer);
}

TEST_CASE("3.1: which state precedes validated is not shown, so the step is assumed and taken") {
  Tracker tracker;
  tracker.apply(transaction("it-1", created));
  const auto event = transaction("it-1", validated);
  const Outcome outcome = tracker.apply(event);
  CHECK(outcome.verdict == Verdict::assumed);
  CHECK(outcome.reason.evidence() == Evidence::assumed);
  CHECK(outcome.accepted);
  REQUIRE(kinds(outcome) == std::vector{ChangeKind::transaction_status_changed});
  CHECK(outcome.changes[0].id == "it-1");
  CHECK(outcome.changes[0].parent_id == "member-1");
  CHECK(outcome.changes[0].field == "status");
  CHECK(std::get<std::string_view>(outcome.changes[0].before) == "created");
  CHECK(std::get<std::string_view>(outcome.changes[0].after) == "validated");
  CHECK(tracker.transaction("it-1")->initial_transaction.status == validated);
}

TEST_CASE("a transaction whose created was missed is taken in, and the verdict says so") {
  Tracker tracker;
  const auto event = transaction("it-1", rejected);
  const Outcome outcome = tracker.apply(event);
  CHECK(outcome.verdict == Verdict::unspecified);
  CHECK(rests_on(outcome, RuleId::created_comes_first));
  CHECK(outcome.accepted);
  CHECK(outcome.changes[1].first_event_missing);
  CHECK(tracker.transaction_count() == 1);
}

TEST_CASE("the last accepted event again is a repeat and changes no byte") {
  Tracker tracker;
  for (const TransactionStatus status : {created, validated}) {
    tracker.apply(transaction("it-1", status));
    const std::string before = tracker.snapshot();
    const auto again = transaction("it-1", status);
    const Outcome outcome = tracker.apply(again);
    CHECK(outcome.repeat);
    CHECK(outcome.accepted);
    CHECK(outcome.verdict == Verdict::unspecified);
    CHECK(std::holds_alternative<std::monostate>(outcome.reason));
    CHECK(outcome.changes.empty());
    CHECK(tracker.snapshot() == before);
  }
}

TEST_CASE("a value that is spelled otherwise is the same value: a repeat, and the first spelling stays") {
  Tracker tracker;
  auto event = transaction("it-1", created);
  tracker.apply(event);
  event.initial_transaction.amount = Decimal(199, 1);
  event.initial_transaction.date = *Timestamp::parse("2026-05-04T10:15:30Z");
  CHECK(tracker.apply(event).repeat);
  CHECK(to_string(tracker.transaction("it-1")->initial_transaction.amount) == "19.90");
}

TEST_CASE("3.1: only the first submission creates: a created for a known transaction is unspecified and not taken") {
  for (const TransactionStatus status : {validated, rejected}) {
    Tracker tracker;
    tracker.apply(transaction("it-1", created));
    tracker.apply(transaction("it-1", status));
    const std::string before = tracker.snapshot();
    const auto late = transaction("it-1", created);
    const Outcome outcome = tracker.apply(late);
    CHECK(outcome.verdict == Verdict::unspecified);
    CHECK_FALSE(outcome.accepted);
    CHECK_FALSE(outcome.repeat);
    CHECK(outcome.changes.empty());
    CHECK(outcome.reason.evidence() == Evidence::assumed);
    CHECK(tracker.snapshot() == before);
  }
  Tracker tracker;
  tracker.apply(transaction("it-1", created));
  auto other = transaction("it-1", created);
  other.initial_transaction.amount = Decimal(5);
  CHECK_FALSE(tracker.apply(other).accepted);
  CHECK(tracker.transaction("it-1")->initial_transaction.amount == Decimal(1990, 2));
}

TEST_CASE("whether a second submission is taken is the user's choice") {
  Tracker tracker({.accept_late = true});
  tracker.apply(transaction("it-1", created));
  tracker.apply(transaction("it-1", validated));
  const auto late = transaction("it-1", created);
  const Outcome outcome = tracker.apply(late);
  CHECK(outcome.verdict == Verdict::unspecified);
  CHECK(outcome.accepted);
  CHECK(outcome.changes.contains(ChangeKind::transaction_status_changed));
  CHECK(tracker.transaction("it-1")->initial_transaction.status == created);
}

TEST_CASE("a transaction that flaps is followed: there and back are two changes") {
  Tracker tracker;
  tracker.apply(transaction("it-1", validated));
  for (const TransactionStatus status : {rejected, validated, rejected}) {
    const auto event = transaction("it-1", status);
    CHECK_FALSE(tracker.peek(event).repeat);
    CHECK(tracker.apply(event).changes.contains(ChangeKind::transaction_status_changed));
  }
}

TEST_CASE("6.3: where status and eventType differ, the event contradicts and the status is followed") {
  Tracker tracker;
  tracker.apply(transaction("it-1", created));
  auto event = transaction("it-1", validated);
  event.event_type = rejected;
  const Outcome outcome = tracker.apply(event);
  CHECK(outcome.verdict == Verdict::contradicts);
  CHECK(rests_on(outcome, RuleId::status_equals_event_type));
  CHECK(outcome.findings.contains(RuleId::status_equals_event_type));
  CHECK(outcome.accepted);
  CHECK(tracker.transaction("it-1")->initial_transaction.status == validated);
  CHECK(tracker.transaction("it-1")->event_type == rejected);
  event.event_type = validated;
  const Outcome mended = tracker.apply(event);
  CHECK(kinds(mended) == std::vector{ChangeKind::transaction_event_received});
  CHECK(tracker.peek(event).repeat);
}

TEST_CASE("a rule that is only seen in an example leaves open what was specified") {
  Tracker tracker;
  auto event = transaction("it-1", created);
  event.initial_transaction.rejection_reason = OpenEnum(RejectionReason::bank_consent_expired);
  const Outcome outcome = tracker.apply(event);
  CHECK(outcome.verdict == Verdict::unspecified);
  CHECK(rests_on(outcome, RuleId::reason_only_when_rejected));
  CHECK(outcome.accepted);
}

TEST_CASE("a status of the future is kept as text, unspecified, and nothing creates it again") {
  Tracker tracker;
  auto event = transaction("it-1", created);
  event.initial_transaction.status = OpenEnum<TransactionStatus>::of("released");
  event.event_type = OpenEnum<TransactionStatus>::of("released");
  const Outcome outcome = tracker.apply(event);
  CHECK(outcome.verdict == Verdict::unspecified);
  CHECK(rests_on(outcome, RuleId::values_are_listed));
  CHECK(outcome.accepted);
  CHECK(tracker.transaction("it-1")->initial_transaction.status.text() == "released");
  CHECK(tracker.peek(event).repeat);
  CHECK_FALSE(tracker.peek(transaction("it-1", created)).accepted);
  CHECK(tracker.peek(transaction("it-1", validated)).accepted);
}

TEST_CASE("an event of another name is unspecified, changes nothing and never fails") {
  Tracker tracker;
  const Outcome outcome = tracker.apply(UnknownEvent{"points_update", "{}"});
  CHECK(outcome.verdict == Verdict::unspecified);
  CHECK(rests_on(outcome, RuleId::event_is_listed));
  CHECK(outcome.changes.empty());
  CHECK(outcome.accepted);
  CHECK(tracker == Tracker());
}

TEST_CASE("each member of a transaction that differs is a change with its name and both values") {
  Tracker tracker;
  auto event = transaction("it-1", validated);
  tracker.apply(event);
  event.initial_transaction.amount = Decimal(25);
  event.initial_transaction.transaction_id = "tr-1";
  const Outcome outcome = tracker.apply(event);
  REQUIRE(kinds(outcome) == std::vector(2, ChangeKind::transaction_changed));
  CHECK(outcome.changes[0].field == "amount");
  CHECK(std::get<Decimal>(outcome.changes[0].before) == Decimal(1990, 2));
  CHECK(outcome.changes[1].field == "transactionId");
  CHECK(std::holds_alternative<std::monostate>(outcome.changes[1].before));
  CHECK(std::get<std::string_view>(outcome.changes[1].after) == "tr-1");
}

TEST_CASE("what was before a change can be read until the tracker changes again") {
  Tracker tracker;
  auto event = transaction("it-1", validated);
  event.initial_transaction.transaction_id = "a text of its own";
  tracker.apply(event);
  event.initial_transaction.transaction_id = "another text, longer than the one before";
  const Outcome outcome = tracker.apply(event);
  CHECK(std::get<std::string_view>(outcome.changes[0].before) == "a text of its own");
}

TEST_CASE("what a transaction's event says of its member counts for the member") {
  Tracker tracker;
  auto event = transaction("it-1", created);
  tracker.apply(event);
  event.customer.external_id = "cust-2";
  event.initial_transaction.id = "it-2";
  const Outcome outcome = tracker.apply(event);
  REQUIRE(outcome.changes[0].kind == ChangeKind::member_changed);
  CHECK(outcome.changes[0].field == "externalId");
  CHECK(tracker.transaction("it-1")->customer.external_id == "cust-2");
  event.customer.id = "member-2";
  event.initial_transaction.status = validated;
  event.event_type = validated;
  CHECK(tracker.apply(event).changes.contains(ChangeKind::transaction_moved));
  CHECK(tracker.transactions_of("member-2").size() == 1);
  CHECK(tracker.transactions_of("member-1").size() == 1);
}

TEST_CASE("transactions are asked for by state, and of a member in the order of their creation") {
  Tracker tracker;
  auto event = transaction("it-2", created);
  tracker.apply(event);
  event.initial_transaction.id = "it-1";
  event.initial_transaction.date = *Timestamp::parse("2026-05-05T00:00:00Z");
  tracker.apply(event);
  tracker.apply(transaction("it-3", validated));
  std::vector<std::string_view> ids;
  for (const TrackedTransaction& held : tracker.transactions_of("member-1")) ids.push_back(held.initial_transaction.id);
  CHECK(ids == std::vector<std::string_view>{"it-2", "it-3", "it-1"});
  std::size_t count = 0;
  for (const TrackedTransaction& held : tracker.transactions(created)) count += held.initial_transaction.status == created;
  CHECK(count == 2);
  CHECK(tracker.transactions_of("nobody").empty());
  CHECK_FALSE(tracker.transaction("it-4").has_value());
}

}  // namespace tracking_tracker_transactions_test
