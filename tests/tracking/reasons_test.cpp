// SPDX-License-Identifier: MIT
// What a verdict rests on: members that change, entries with one id, deleted connections, the words of rules and rows.
#include <bankhook_catch.hpp>

#include <tracking/stories.hpp>

#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace tracking_reasons_test {

using namespace bankhook;
using namespace bankhook::test;

TEST_CASE(
    "a member whose externalId or programme changes with an event makes it assumed; its counts are those of its list") {
  Story story;
  Tracker tracker = tracker_after({"create k1: k1"});
  auto bank = std::get<BankConnectionsUpdateV2>(story.event("create k2: k1 k2"));
  bank.customer.connections_on = 7;
  bank.customer.connections_off = 3;
  CHECK(words(tracker.peek(bank)) == "specified");
  for (std::string_view* const changed :
       {&bank.customer.external_id, &bank.shopping_hub_id, &bank.shopping_hub_external_id}) {
    const std::string_view before = std::exchange(*changed, "another");
    CHECK(words(tracker.peek(bank)) == "assumed");
    CHECK(rests_on(tracker.peek(bank), RuleId::members_change));
    *changed = before;
  }
  auto purchase = std::get<InitialTransactionUpdate>(story.event("created t1"));
  CHECK(words(tracker.peek(purchase)) == "specified");
  purchase.customer.external_id = "another";
  CHECK(words(tracker.peek(purchase)) == "assumed");
  CHECK(rests_on(tracker.peek(purchase), RuleId::members_change));
}

TEST_CASE("where an externalId or a programme goes back, that is the reason, and no row that is as open") {
  Story story;
  Tracker tracker;
  const auto of_member = [&](std::string_view words, std::string_view external_id) {
    AnyEvent event = story.event(words);
    std::visit(
        [&](auto& known) {
          if constexpr (requires { known.customer; }) known.customer.external_id = external_id;
        },
        event);
    return event;
  };
  tracker.apply(of_member("create k1: k1", "old"));
  tracker.apply(of_member("created t1", "old"));
  tracker.apply(of_member("update k1a: k1a", "old"));
  CHECK(rests_on(tracker.apply(of_member("update k1ae: k1ae", "new")), RuleId::members_change));
  const Outcome late = tracker.apply(of_member("validated t1", "old"));  // an assumed row
  CHECK(words(late) == "assumed");
  CHECK(rests_on(late, RuleId::members_change));
  CHECK(rests_on(tracker.apply(of_member("delete k1ae:", "new")), RuleId::members_change));
  tracker = tracker_after({});
  for (const auto& [event, id] :
       {std::pair("create k1: k1", "old"), std::pair("update k1a: k1a", "old"), std::pair("update k1ae: k1ae", "new")})
    tracker.apply(of_member(event, id));
  const Outcome again = tracker.apply(of_member("update k1a: k1a", "old"));
  CHECK(words(again) == "unspecified seen");
  CHECK(rests_on(again, RuleId::members_change));
}

TEST_CASE("seen before says that this very event, its customer included, was accepted earlier") {
  Story story;
  auto event = std::get<InitialTransactionUpdate>(story.event("created t1"));
  Tracker tracker;
  tracker.apply(event);
  CHECK(tracker.peek(event).seen_before);
  event.customer.external_id = "another";
  CHECK(words(tracker.peek(event)) == "unspecified repeat");
  event.customer.id = "m2";
  CHECK(words(tracker.peek(event)) == "specified");
  CHECK_FALSE(last_outcome({"validated t1", "created t1", "created t1"}).seen_before);  // it was not accepted
}

TEST_CASE("that a deleted connection is listed is reported before all that is as open, and of a list that is not taken") {
  for (const auto& [event, answer] : {std::pair("update k2e: k1 k2e k3e", "unspecified"),  // k3 is not as its event had it
                                      std::pair("update k2: k1 k2", "unspecified")}) {     // late: nothing of it is news
    const Outcome outcome =
        last_outcome({"create k1: k1", "create k3: k1 k3", "create k2: k1 k2 k3", "delete k1: k2 k3", event});
    CHECK(words(outcome) == answer);
    CHECK(to_string(outcome.reason) == "listed changes nothing after deleted");
  }
}

TEST_CASE("a rule that a verdict rests on is named before its sentence, which an event that breaks it does not keep") {
  CHECK(to_string(Reason(&rule_of(RuleId::status_equals_event_type))) ==
        "the rule status_equals_event_type: initialTransaction.status equals eventType");
}

TEST_CASE("every row that a verdict can rest on has a section and a sentence") {
  std::set<std::string> sentences;
  const auto look_at = [&](const auto& rows) {
    for (const auto& row : rows) {
      CHECK_FALSE(Reason(&row).section().empty());
      const bool is_stated = row.evidence == Evidence::stated && row.before == StateBefore::stated;
      CHECK((Reason(&row).evidence() == Evidence::stated) == is_stated);
      REQUIRE_FALSE(to_string(Reason(&row)).empty());
      sentences.insert(to_string(Reason(&row)));
    }
  };
  look_at(transaction_lifecycle.transitions());
  look_at(connection_lifecycle.transitions());
  CHECK((sentences.size() > 10 && to_string(Reason()).empty() && !Reason().evidence()));
}

TEST_CASE("where two entries have one id, what the event changes rests on our choice of one of them") {
  for (const std::string_view event : {"update k1a: k1e", "update k1a: k1a k2 k2e", "update k1a: k1a k1a"}) {
    const Outcome outcome = last_outcome({"create k1: k1", event});
    CHECK(words(outcome) == "assumed");
    CHECK(rests_on(outcome, RuleId::entries_agree));
  }
  CHECK(words(last_outcome({"create k1: k1", "update k1a: k1a k2"})) == "specified");
}

TEST_CASE("an account that is there twice is neither created nor updated") {
  Account one{"k1-1", "hash"}, other{"k1-1", "another"};
  const std::array before{one, other}, swapped{other, one}, same{one, one};
  for (const auto& [from, to] : {std::pair(before, swapped), std::pair(same, before)}) {
    Tracker tracker;
    const Connection created = connection("k1", from), updated = connection("k1", to);
    tracker.apply(bank(ConnectionEventType::create, created, {&created, 1}));
    const Outcome outcome = tracker.apply(bank(ConnectionEventType::update, updated, {&updated, 1}));
    CHECK(words(outcome) == "assumed");
    CHECK(rests_on(outcome, RuleId::other_changes_come_as_update));
  }
}

}  // namespace tracking_reasons_test
