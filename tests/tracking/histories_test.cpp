// SPDX-License-Identifier: MIT
// What a consumer meets in a year: retries, late deliveries, a late subscription, flapping; one history a test.
#include <bankhook_catch.hpp>

#include <tracking/stories.hpp>

#include <bankhook/tracking/tracker.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tracking_histories_test {

using namespace bankhook;
using namespace bankhook::test;
using enum ConnectionEventType;

namespace {

constexpr std::array accounts{Account{"acc-1", "hash-1"}, Account{"acc-2", std::nullopt}};
constexpr std::array other_accounts{Account{"acc-3", "hash-3"}};

const Connection k1 = connection("k1");
const Connection k2 = connection("k2");
const Connection k1_with_accounts = connection("k1", accounts);
const Connection k2_with_accounts = connection("k2", other_accounts);

Connection in_error(Connection one) {
  one.error_code = "1010";
  one.error_message = "Try again later";
  return one;
}

using List = std::vector<Connection>;

/// k1 was created, then k2; `listed` are the connections in the event of k2.
Tracker after_two_creates(const List& listed) {
  Tracker tracker;
  const List first{k1};
  tracker.apply(bank(create, k1, first));
  tracker.apply(bank(create, k2, listed));
  return tracker;
}

/// What is expected of a late event or a repeat: it is unspecified, and no byte changes.
void check_changes_nothing(Tracker& tracker, const AnyEvent& event, bool accepted) {
  const std::string before = tracker.snapshot();
  const Outcome outcome = tracker.apply(event);
  CHECK(outcome.verdict == Verdict::unspecified);
  CHECK(outcome.accepted == accepted);
  CHECK(outcome.changes.empty());
  CHECK(tracker.snapshot() == before);
}

std::uint64_t count_on(const Tracker& tracker) { return tracker.member("member-1")->membership->connections_on; }

}  // namespace

TEST_CASE("a create that is delivered again removes no other connection and changes no count") {
  const List first{k1};
  const List both{k1, k2};
  Tracker tracker = after_two_creates(both);
  CHECK(tracker.peek(bank(create, k1, first)).repeat);
  CHECK(tracker.peek(bank(create, k1, first)).seen_before);
  check_changes_nothing(tracker, bank(create, k1, first), true);
  CHECK(tracker.connection("k2")->state == TrackedState::created);
  CHECK(count_on(tracker) == 2);
}

TEST_CASE("an update that comes after a newer list removes no other connection and changes no count") {
  const List with_accounts{k1_with_accounts};
  const List both{k1_with_accounts, k2};
  Tracker tracker = after_two_creates(both);
  const auto late = bank(update, k1_with_accounts, with_accounts);
  const Outcome outcome = tracker.apply(late);
  CHECK(outcome.verdict == Verdict::unspecified);
  CHECK(rests_on(outcome, RuleId::changes_have_their_own_event));
  CHECK(kinds(outcome) == std::vector{ChangeKind::connection_event_received});
  CHECK(tracker.connection("k1")->state == TrackedState::updated);
  CHECK(tracker.connection("k2")->state == TrackedState::created);
  CHECK(count_on(tracker) == 2);
}

TEST_CASE("connections that are older than the subscription are taken in by their updates, unspecified") {
  Tracker tracker;
  const List both{k1_with_accounts, k2_with_accounts};
  for (const Connection& one : both) {
    const Outcome outcome = tracker.apply(bank(update, one, both));
    CHECK(outcome.verdict == Verdict::unspecified);
    CHECK(rests_on(outcome, RuleId::create_comes_first));
    CHECK(outcome.accepted);
  }
  CHECK(tracker.connection_count() == 2);
}

TEST_CASE("a create that its update overtook is late and changes nothing") {
  Tracker tracker;
  const List empty{k1};
  const List filled{k1_with_accounts};
  const Outcome first = tracker.apply(bank(update, k1_with_accounts, filled));
  CHECK(first.verdict == Verdict::unspecified);
  CHECK(first.changes[1].first_event_missing);
  check_changes_nothing(tracker, bank(create, k1, empty), false);
}

TEST_CASE("a create of a connection that another event has listed is late and changes nothing") {
  Tracker tracker;
  const List first{k1};
  const List both{k1_with_accounts, k2};
  tracker.apply(bank(create, k2, both));
  check_changes_nothing(tracker, bank(create, k1, first), false);
  CHECK(tracker.connection("k2")->is_listed());
}

TEST_CASE("an update after a delete brings its connection back, unspecified, and touches no other") {
  Tracker tracker;
  const List first{k1};
  const List filled{k1_with_accounts};
  const List both{k1_with_accounts, k2};
  const List second{k2};
  tracker.apply(bank(create, k1, first));
  tracker.apply(bank(update, k1_with_accounts, filled));
  tracker.apply(bank(create, k2, both));
  tracker.apply(bank(delete_, k1_with_accounts, second));
  const auto late = bank(update, k1_with_accounts, filled);
  const Outcome outcome = tracker.apply(late);
  CHECK(outcome.verdict == Verdict::unspecified);
  CHECK(outcome.seen_before);
  CHECK(kinds(outcome) == std::vector{ChangeKind::connection_added, ChangeKind::connection_event_received});
  CHECK(tracker.connection("k1")->is_listed());
  CHECK(tracker.connection("k2")->is_listed());
  CHECK(count_on(tracker) == 1);
}

TEST_CASE("a create that reports a resynchronisation is applied if late ones are accepted, else by the next list") {
  const List first{k1};
  const List filled{k1_with_accounts};
  const List failing{in_error(k1_with_accounts)};
  const List both{k1_with_accounts, k2};
  for (const bool accept_late : {false, true}) {
    Tracker tracker({.accept_late = accept_late});
    tracker.apply(bank(create, k1, first));
    tracker.apply(bank(update, k1_with_accounts, filled));
    tracker.apply(bank(update, failing[0], failing));
    CHECK(tracker.in_error().size() == 1);
    const Outcome outcome = tracker.apply(bank(create, k1_with_accounts, filled));
    CHECK(outcome.verdict == Verdict::unspecified);
    CHECK(outcome.accepted == accept_late);
    CHECK(outcome.changes.contains(ChangeKind::error_cleared) == accept_late);
    CHECK(tracker.in_error().empty() == accept_late);
    tracker.apply(bank(create, k2, both));
    CHECK(tracker.in_error().empty());
  }
}

TEST_CASE("a created with place and name that comes after validated is not taken, and the outcome says so") {
  Tracker tracker;
  tracker.apply(transaction("it-1", TransactionStatus::validated));
  auto late = transaction("it-1", TransactionStatus::created);
  late.initial_transaction.store_external_id = std::nullopt;
  late.initial_transaction.place_id = "place-1";
  late.initial_transaction.store_name = "Store";
  check_changes_nothing(tracker, late, false);
}

TEST_CASE("a rejection that comes again after a validation is taken, and was seen before") {
  Tracker tracker;
  using enum TransactionStatus;
  for (const TransactionStatus status : {created, rejected, validated}) tracker.apply(transaction("it-1", status));
  const auto again = transaction("it-1", rejected);
  const Outcome outcome = tracker.apply(again);
  CHECK(outcome.verdict == Verdict::unspecified);
  CHECK(outcome.accepted);
  CHECK(outcome.seen_before);
  CHECK(outcome.became(rejected));
  CHECK_FALSE(tracker.peek(transaction("it-1", validated)).repeat);
  CHECK(tracker.peek(transaction("it-1", validated)).seen_before);
}

TEST_CASE("a second created with another amount is not taken and was not seen before") {
  Tracker tracker;
  tracker.apply(transaction("it-1", TransactionStatus::created));
  auto other = transaction("it-1", TransactionStatus::created);
  other.initial_transaction.amount = Decimal(5);
  CHECK_FALSE(tracker.peek(other).seen_before);
  check_changes_nothing(tracker, other, false);
}

TEST_CASE("an error that comes again after it was cleared is taken as new, and was seen before") {
  Tracker tracker;
  const List fine{k1_with_accounts};
  const List failing{in_error(k1_with_accounts)};
  tracker.apply(bank(create, fine[0], fine));
  tracker.apply(bank(update, failing[0], failing));
  tracker.apply(bank(update, fine[0], fine));
  const Outcome again = tracker.apply(bank(update, failing[0], failing));
  CHECK(again.verdict == Verdict::assumed);
  CHECK(again.seen_before);
  CHECK(kinds(again) == std::vector{ChangeKind::error_raised, ChangeKind::error_message_changed});
}

TEST_CASE("a connection whose own update does not list it is unlisted, and nothing is contradicted") {
  const List both{k1, k2};
  const List second{k2};
  Tracker tracker = after_two_creates(both);
  const Outcome outcome = tracker.apply(bank(update, k1, second));
  CHECK((outcome.verdict == Verdict::unspecified && outcome.changes.contains(ChangeKind::connection_unlisted)));
  CHECK(tracker.connection("k1")->is_unlisted());
}

TEST_CASE("a connection that a delete took away comes back by its own update") {
  Tracker tracker;
  const List first{k1};
  tracker.apply(bank(create, k1, first));
  tracker.apply(bank(delete_, k1, {}));
  CHECK(count_on(tracker) == 0);
  const Outcome outcome = tracker.apply(bank(update, k1, first));
  CHECK(outcome.verdict == Verdict::unspecified);
  CHECK(outcome.accepted);
  CHECK(tracker.connection("k1")->is_listed());
  CHECK(count_on(tracker) == 1);
}

TEST_CASE("a delete that is delivered again takes no accounts from another connection") {
  const List both{k1, k2};
  const List second{k2};
  const List filled{k2_with_accounts};
  Tracker tracker = after_two_creates(both);
  tracker.apply(bank(delete_, k1, second));
  tracker.apply(bank(update, k2_with_accounts, filled));
  CHECK(tracker.peek(bank(delete_, k1, second)).repeat);
  check_changes_nothing(tracker, bank(delete_, k1, second), true);
  CHECK(tracker.accounts_of("member-1").size() == 1);
}

TEST_CASE("a created that comes again after validated changes nothing, unless late ones are accepted") {
  using enum TransactionStatus;
  for (const bool accept_late : {false, true}) {
    Tracker tracker({.accept_late = accept_late});
    tracker.apply(transaction("it-1", created));
    tracker.apply(transaction("it-1", validated));
    const auto late = transaction("it-1", created);
    CHECK(tracker.peek(late).seen_before);
    if (!accept_late) {
      check_changes_nothing(tracker, late, false);
      continue;
    }
    const Outcome outcome = tracker.apply(late);
    CHECK(outcome.verdict == Verdict::unspecified);
    CHECK(outcome.accepted);
    CHECK(outcome.became(created));
  }
}

TEST_CASE("a late event of a transaction changes nothing about its member") {
  Tracker tracker;
  using enum TransactionStatus;
  auto event = transaction("it-1", created);
  tracker.apply(event);
  auto newer = transaction("it-1", validated);
  newer.customer.external_id = "cust-2";
  tracker.apply(newer);
  check_changes_nothing(tracker, event, false);
  event = transaction("it-1", validated);
  check_changes_nothing(tracker, event, true);
  CHECK(tracker.member("member-1")->customer.external_id == "cust-2");
}

TEST_CASE("what a late event has undone is right again after the next one that came in order") {
  const List filled{k1_with_accounts};
  const List both{k1, k2};
  Tracker tracker = after_two_creates(both);
  const Outcome late = tracker.apply(bank(update, k1_with_accounts, filled));  // news of k1: it may well be new
  CHECK(late.verdict == Verdict::assumed);
  CHECK(rests_on(late, RuleId::unlisted_connection_is_gone));
  CHECK(tracker.connection("k2")->is_unlisted());
  const List all{k1_with_accounts, k2_with_accounts};
  const Outcome next = tracker.apply(bank(update, k2_with_accounts, all));
  CHECK(next.changes.contains(ChangeKind::connection_listed_again));
  CHECK(tracker.connection("k2")->state == TrackedState::updated);
  CHECK(count_on(tracker) == 2);
}

}  // namespace tracking_histories_test
