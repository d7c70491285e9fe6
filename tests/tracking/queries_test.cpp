// SPDX-License-Identifier: MIT
// What a tracker and a member's state give back: queries, changes in their own terms, lifetimes, forgetting.
#include <bankhook_catch.hpp>

#include <bankhook/tracking/apply_lines.hpp>

#include <tracking/random_story.hpp>
#include <tracking/stories.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tracking_queries_test {

using namespace bankhook;
using namespace bankhook::test;
TEST_CASE("an id names one thing of its member: under another member it is another thing") {
  Tracker tracker = tracker_after({"create k1a: k1a", "created t1", "m2 update k1e: k1e", "m2 validated t1=5"});
  CHECK(words(tracker, "m1") == "k1a created, t1 created, on 1");
  CHECK(words(tracker, "m2") == "k1e updated, t1=5 validated, on 1");
  CHECK(tracker.member_count() == 2);
  CHECK(tracker.connection_count() == 2);
  CHECK(tracker.transaction_count() == 2);
  CHECK(tracker.connection("m1", "k1")->member_id == "m1");
  CHECK(tracker.transaction("m2", "t1")->customer.id == "m2");
  const std::vector<TrackedTransaction> all = tracker.transactions();
  REQUIRE(all.size() == 2);
  CHECK(all[0].customer.id == "m1");
  CHECK(all[1].customer.id == "m2");
  for (const auto& [member, id] : {std::pair("m1", "k2"), std::pair("m3", "k1"), std::pair("", "")}) {
    CHECK_FALSE(tracker.connection(member, id).has_value());
    CHECK_FALSE(tracker.transaction(member, id).has_value());
  }
  CHECK_FALSE(tracker.member("m3").has_value());
  CHECK(tracker.connections_of("m3").empty());
  CHECK(tracker.transactions_of("m3").empty());
  CHECK(tracker.accounts_of("m3").empty());
}

TEST_CASE("changes of other connections come in the order of the list") {
  std::vector<std::string> added;
  const Outcome outcome = last_outcome({"create k2: k4 k2 k1 k3"});
  for (const Change& change : outcome.changes) {
    if (change.kind == ChangeKind::added && change.subject == ChangeSubject::connection) added.emplace_back(change.id);
  }
  CHECK(added == std::vector<std::string>{"k2", "k4", "k1", "k3"});
}

TEST_CASE("connections that a list lacks are unlisted in the order of their ids") {
  std::vector<std::string> unlisted;
  const Outcome outcome = last_outcome({"create k3: k3 k1 k4 k2", "create k5: k5"});
  for (const Change& change : outcome.changes) {
    if (change.kind == ChangeKind::unlisted) unlisted.emplace_back(change.id);
  }
  CHECK(unlisted == std::vector<std::string>{"k1", "k2", "k3", "k4"});
}

TEST_CASE("the lines of an archive are applied as its events are, one by one") {
  Story story;
  Tracker expected;
  std::vector<std::pair<std::size_t, Outcome>> outcomes, answered;
  std::string archive = "\n{}\r\n";
  std::size_t number = 2;
  for (const char* words : {"create k1a: k1a", "created t1", "m2 validated t2=5", "created t1"}) {
    const AnyEvent event = story.event(words);
    archive += serialize(event) + "\n";
    outcomes.emplace_back(++number, expected.apply(event));
  }
  Tracker tracker;
  const LineCounts counts = apply_lines(tracker, archive, [&](const ArchiveLine& line, const Outcome& outcome) {
    answered.emplace_back(line.number, outcome);
  });
  CHECK(counts == LineCounts{.lines = 6, .events = {1, 3, 0}, .rejected = 1, .first_rejected = 2});
  CHECK(answered == outcomes);
  CHECK(tracker == expected);
  CHECK(apply_lines(tracker, "").lines == 0);
}

TEST_CASE("a member's state takes events of this member alone") {
  MemberState state;
  Story story;
  CHECK(state.empty());
  CHECK_FALSE(state.member().has_value());
  CHECK(words(state.apply(story.event("created t1"))) == "specified");
  CHECK(state.member()->customer.id == "m1");
  CHECK(state.transaction("t1")->state == TransactionStatus::created);
  const std::string before = state.snapshot();
  const Outcome outcome = state.apply(story.event("m2 created t2"));
  CHECK(words(outcome) == "unspecified refused");
  CHECK(rests_on(outcome, RuleId::ids_are_per_member));
  CHECK(outcome.changes.empty());
  CHECK(state.snapshot() == before);
}

TEST_CASE("transactions of a member are in the order of their creation, connections in that of their ids") {
  Tracker tracker;
  auto event = transaction("t2", TransactionStatus::created);
  tracker.apply(event);
  event.initial_transaction.id = "t1";
  event.initial_transaction.date = *Timestamp::parse("2026-05-05T00:00:00Z");
  tracker.apply(event);
  tracker.apply(transaction("t3", TransactionStatus::validated));
  std::vector<std::string_view> ids;
  for (const TrackedTransaction& one : tracker.transactions_of("m1")) ids.push_back(one.initial_transaction.id);
  CHECK(ids == std::vector<std::string_view>{"t2", "t3", "t1"});
  CHECK(words(tracker_after({"create k3: k2 k3 k1"})) == "k1 listed, k2 listed, k3 created, on 3");
}

TEST_CASE("in error, awaiting accounts, and accounts are of connections that are neither deleted nor unlisted") {
  const Tracker tracker = tracker_after({"create k1: k1 k2ae k3e k4e k5", "delete k3e: k1 k2ae k4e k5",
                                         "update k4ae: k1 k2ae k4ae k5", "delete k5: k1 k2ae k5", "m2 create k9e: k9e"});
  const auto ids = [](const std::vector<TrackedConnection>& all) {
    std::string joined;
    for (const TrackedConnection& one : all) joined += std::string(one.connection.id) + " ";
    return joined;
  };
  CHECK(words(tracker) == "k1 created, k2ae listed, k3e deleted, k4ae unlisted, k5 deleted, on 3");
  CHECK(ids(tracker.in_error()) == "k2 k9 ");
  CHECK(ids(tracker.awaiting_accounts()) == "k1 k9 ");
  REQUIRE(tracker.accounts_of("m1").size() == 1);
  CHECK(tracker.accounts_of("m1")[0].id == "k2-1");
}

TEST_CASE("consents that end before a date of the caller's are found, the earliest first") {
  Story story;
  std::vector all{story.of("k1"), story.of("k2"), story.of("k3"), story.of("k4")};
  all[0].consent_expires_at = *LocalTimestamp::parse("2027-03-01 09:30:00.0000");
  all[1].consent_expires_at = *LocalTimestamp::parse("2027-02-01 09:30:00.0000");
  all[2].consent_expires_at = *LocalTimestamp::parse("2027-04-01 00:00:00.0000");
  Tracker tracker;
  tracker.apply(bank(ConnectionEventType::create, all[3], all));
  const auto found = tracker.consents_ending_before(*LocalTimestamp::parse("2027-04-01 00:00:00.0"));
  REQUIRE(found.size() == 2);
  CHECK(found[0].connection.id == "k2");
  CHECK(found[1].connection.id == "k1");
}

TEST_CASE("each field that differs is a change with its name and both values") {
  Tracker tracker = tracker_after({"validated t1", "create k1b: k1b"});
  auto event = transaction("t1", TransactionStatus::validated);
  event.customer.external_id = "c2";
  event.initial_transaction.amount = Decimal(25);
  event.initial_transaction.transaction_id = "tr-1";
  const Outcome outcome = tracker.apply(event);
  REQUIRE(labels(outcome) == Labels{"member_changed", "transaction_changed", "transaction_changed"});
  CHECK(outcome.changes[0] == Change{ChangeKind::changed, ChangeSubject::member, "m1", "", "externalId", "c1", "c2"});
  CHECK(outcome.changes[1] ==
        Change{ChangeKind::changed, ChangeSubject::transaction, "t1", "m1", "amount", Decimal(1990, 2), Decimal(25)});
  CHECK(outcome.changes[2] ==
        Change{ChangeKind::changed, ChangeSubject::transaction, "t1", "m1", "transactionId", {}, "tr-1"});

  Story story;
  std::vector all{story.of("k1cne")};
  all[0].consent_expires_at = *LocalTimestamp::parse("2027-03-01 09:30:00.0000");
  all[0].accounts = all[0].accounts.first(1);
  auto update = bank(ConnectionEventType::update, all[0], all);
  update.customer.connections_off = 1;
  update.shopping_hub_id = "hub-2";
  const Outcome updated = tracker.apply(update);
  CHECK(labels(updated) == Labels{"member_changed", "counts_changed", "programme_changed", "connection_event_received",
                                  "error_raised", "error_message_raised", "connection_changed", "consent_moved",
                                  "account_removed"});
  CHECK(updated.changes[4] == Change{ChangeKind::changed, ChangeSubject::connection, "k1", "m1", "errorCode", {}, "1010"});
  CHECK(updated.changes[8] ==
        Change{.kind = ChangeKind::removed, .subject = ChangeSubject::account, .id = "k1-1", .parent_id = "k1"});
}

TEST_CASE("an error is raised, changed and cleared by its code and by its message, and a status is reached, once") {
  const auto of = [](std::string_view field, ChangeValue before, ChangeValue after) {
    return Change{ChangeKind::changed, ChangeSubject::connection, "k1", "m1", field, before, after};
  };
  const auto label = [&](std::string_view field, ChangeValue before, ChangeValue after) {
    return label_of(of(field, before, after));
  };
  CHECK(label("errorCode", {}, "1010") == "error_raised");
  CHECK(label("errorCode", "1010", "1019") == "error_changed");
  CHECK(label("errorCode", "1010", {}) == "error_cleared");
  CHECK(label("errorMessage", {}, "a") == "error_message_raised");
  CHECK(label("errorMessage", "a", "b") == "error_message_changed");
  CHECK(label("errorMessage", "a", {}) == "error_message_cleared");
  CHECK(label("bank", "a", "b") == "connection_changed");
  CHECK(raises_error(of("errorCode", {}, "1010")));
  CHECK(raises_error(of("errorMessage", "a", "b")));
  CHECK_FALSE(raises_error(of("errorCode", "1010", {})));
  CHECK_FALSE(raises_error(of("bank", "a", "b")));
  Change status{ChangeKind::added, ChangeSubject::transaction, "t1", "m1", "status", {}, "created"};
  CHECK(status_reached(status) == "created");
  status = {ChangeKind::missing, ChangeSubject::transaction, "t1", "m1", "status", "created"};
  CHECK_FALSE(status_reached(status));
  CHECK_FALSE(status_reached(of("errorCode", {}, "1010")));
}

TEST_CASE("became says once that a status was reached, and again if it was left meanwhile") {
  const auto became = [](std::initializer_list<std::string_view> events) {
    return last_outcome(events).became(TransactionStatus::validated);
  };
  CHECK(became({"validated t1"}));
  CHECK(became({"created t1", "validated t1"}));
  CHECK_FALSE(became({"created t1", "validated t1", "validated t1"}));
  CHECK_FALSE(became({"created t1", "validated t1", "validated t1=5"}));
  CHECK(became({"validated t1", "rejected t1", "validated t1"}));
}

TEST_CASE("an outcome can be read when the payload, the arena and the tracker are gone") {
  Outcome outcome;
  {
    Story story;
    const auto payload = std::make_unique<std::string>(serialize(story.event("create k1ae: k1ae k2")));
    const auto arena = std::make_unique<Arena>();
    Tracker tracker;
    outcome = tracker.apply(*parse(*payload, *arena));
    CHECK(outcome == Tracker().peek(*parse(*payload, *arena)));
  }
  REQUIRE(outcome.changes.size() == 6);
  CHECK(outcome.changes[0].id == "m1");
  CHECK(std::get<std::string_view>(outcome.changes[2].after) == "1010");
  CHECK(outcome.changes[4] ==
        Change{.kind = ChangeKind::added, .subject = ChangeSubject::account, .id = "k1-1", .parent_id = "k1"});
  const Changes copy = outcome.changes;
  outcome = {};
  CHECK(copy[5].id == "k2");
  CHECK(copy.contains("connection_added"));
  CHECK_FALSE(copy.contains("connection_removed"));
}

TEST_CASE("what is tracked can be read when the payload and the arena are gone") {
  Tracker tracker;
  {
    Story story;
    const auto payload = std::make_unique<std::string>(serialize(story.event("create k1ae: k1ae k2")));
    const auto arena = std::make_unique<Arena>();
    tracker.apply(*parse(*payload, *arena));
  }
  CHECK(words(tracker) == "k1ae created, k2 listed, on 2");
}

namespace {

/// Wants these and nothing else.
struct Wanted {
  std::vector<std::string_view> ids;

  [[nodiscard]] bool has(std::string_view id) const { return std::ranges::find(ids, id) != ids.end(); }
  [[nodiscard]] bool member(std::string_view id) const { return has(id); }
  [[nodiscard]] bool connection(std::string_view id, std::string_view, bool is_gone) const { return has(id) && !is_gone; }
  [[nodiscard]] bool transaction(std::string_view id) const { return has(id); }
};

}  // namespace

TEST_CASE("what is kept is evaluated as before, and what is forgotten as if it had never come") {
  const Tracker full = tracker_after({"create k1: k1", "create k2: k1 k2", "created t1", "created t2", "m2 created t3"});
  Story story;
  Tracker kept = full, some = full, alone = full, none = full;
  kept.forget_unwanted(Wanted{{"m1", "m2", "k1", "k2", "t1", "t2", "t3"}});
  CHECK(kept == full);
  some.forget_unwanted(Wanted{{"k2", "t1"}});
  CHECK(words(some) == "k2 created, t1 created, on 2");  // m1 has something that is kept
  CHECK(some.member_count() == 1);
  CHECK(some.peek(story.event("created t1")).repeat);
  CHECK(words(some.peek(story.event("created t2"))) == "specified");
  alone.forget_unwanted(Wanted{{"m1"}});
  CHECK(words(alone) == "on 2");
  none.forget_unwanted(Wanted{});
  CHECK(none == Tracker());
  Tracker gone = tracker_after({"create k1: k1", "delete k1: "});
  gone.forget_unwanted(Wanted{{"k1"}});
  CHECK(gone.connection_count() == 0);
}

TEST_CASE("an event that changes the ids of a member does not copy its programme, which may be long") {
  Story story;
  Tracker tracker = tracker_after({"create k1: k1"});
  const auto programme = [&] { return tracker.member("m1")->membership->shopping_hub_external_id; };
  const std::string_view before = programme();
  AnyEvent event = story.event("created t1");
  std::get<InitialTransactionUpdate>(event).customer.external_id = "another";
  tracker.apply(event);
  CHECK(tracker.member("m1")->customer.external_id == "another");
  CHECK_FALSE(before.empty());
  CHECK(programme().data() == before.data());
}

TEST_CASE("memory grows with what is tracked") {
  const Tracker one = tracker_after({"created t1"});
  CHECK(Tracker().memory() < one.memory());
  CHECK(one.memory() < tracker_after({"created t1", "create k1b: k1b k2"}).memory());
}

}  // namespace tracking_queries_test
