// SPDX-License-Identifier: MIT
// A tracker that may trust the order of deliveries: what an event says is newer than all that is tracked.
#include <bankhook_catch.hpp>

#include <tracking/random_story.hpp>
#include <tracking/stories.hpp>

#include <string>
#include <variant>

namespace tracking_trusted_order_test {

using namespace bankhook;
using namespace bankhook::test;

constexpr TrackerOptions trusted{.order = Order::trusted};

TEST_CASE("a resynchronisation that brings an earlier content back is assumed, and was seen before") {
  const auto events = {std::string_view("create k1: k1"), std::string_view("update k1a: k1a"),
                       std::string_view("update k1ae: k1ae"), std::string_view("update k1a: k1a")};
  CHECK(words(last_outcome(events)) == "unspecified seen");
  const Outcome outcome = last_outcome(events, trusted);
  CHECK(words(outcome) == "assumed seen");
  CHECK(rests_on(outcome, RuleId::other_changes_come_as_update));
}

TEST_CASE("the same bytes directly after themselves are a repeat all the same") {
  RandomStory stream(7);
  Tracker tracker(trusted);
  Story story;
  for (int i = 0; i < 500; ++i) {
    const AnyEvent event = story.event(stream.next());
    if (!tracker.apply(event).accepted || std::holds_alternative<UnknownEvent>(event)) continue;
    const std::string before = tracker.snapshot();
    const Outcome again = tracker.apply(event);
    REQUIRE(words(again).starts_with(again.findings.empty() ? "unspecified repeat seen" : ""));
    REQUIRE(again.repeat);
    REQUIRE(tracker.snapshot() == before);
  }
}

TEST_CASE("the list and the counts of an event without news of its own connection are taken") {
  const auto events = {std::string_view("create k1: k1"), std::string_view("create k2: k1 k2"),
                       std::string_view("update k1a: k1a k2"), std::string_view("create k3: k1a k2 k3"),
                       std::string_view("update k1a: k1a k2 k3 k4")};
  CHECK(words(tracker_after(events)) == "k1a updated, k2 created, k3 created, k4 listed, on 4");
  const auto lacking = {std::string_view("create k1: k1"), std::string_view("create k2: k1 k2"),
                        std::string_view("update k1: k1")};
  CHECK(words(tracker_after(lacking)) == "k1 updated, k2 created, on 2");
  CHECK(words(tracker_after(lacking, trusted)) == "k1 updated, k2 unlisted, on 1");
  CHECK(rests_on(last_outcome(lacking, trusted), RuleId::unlisted_connection_is_gone));  // of another: no event of its own
}

TEST_CASE("a create that differs from the list is newer") {
  const auto events = {std::string_view("create k1: k1 k2a"), std::string_view("create k2e: k1 k2e")};
  CHECK(words(last_outcome(events, trusted)) == "assumed");
  CHECK(rests_on(last_outcome(events, trusted), RuleId::create_differs_from_list));
  CHECK(words(tracker_after(events, trusted)) == "k1 created, k2e created, on 2");
}

TEST_CASE("what the tables exclude stays excluded, and what is unspecified for another reason stays so") {
  for (const auto& events : {std::pair("update k1a: k1a", "create k1: k1"), std::pair("validated t1", "created t1")}) {
    CHECK(words(last_outcome({events.first, events.second}, trusted)) == "unspecified refused");
  }
  CHECK(words(last_outcome({"created t1", "rejected t1", "validated t1"}, trusted)) == "unspecified");
  CHECK(words(last_outcome({"create k1b: k1b", "update k1a: k1a"}, trusted)) == "unspecified");
}

TEST_CASE("a snapshot and the state of a member keep it") {
  Tracker tracker(trusted);
  CHECK(tracker.snapshot().starts_with(
      R"({"trackerSnapshot":3,"statusFrom":"neither","takeCreate":false,"order":"trusted"})"));
  CHECK_FALSE(tracker == Tracker());
  CHECK(Tracker::restore(tracker.snapshot())->options().order == Order::trusted);
  CHECK(Tracker::restore(Tracker().snapshot(), trusted)->options().order == Order::unknown);
  Story story;
  MemberState state(trusted);
  for (const std::string_view one : {"create k1a: k1a", "update k1ae: k1ae", "update k1a: k1a"})
    state.apply(story.event(one));
  CHECK(MemberState::restore(state.snapshot())->options().order == Order::trusted);
  CHECK(words(state.peek(story.event("update k1ae: k1ae"))) == "assumed seen");
}

}  // namespace tracking_trusted_order_test
