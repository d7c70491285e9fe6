// SPDX-License-Identifier: MIT
// Values at the edge of their life: states and trackers that were moved from, outcomes without a name.
#include <bankhook_catch.hpp>

#include <bankhook/tracking/member_state.hpp>
#include <bankhook/tracking/tracker.hpp>

#include <tracking/stories.hpp>

#include <string>
#include <utility>

namespace tracking_moved_test {

using namespace bankhook;
using test::Story;
using test::words;

TEST_CASE("a state and a tracker that were moved from are empty, and take events") {
  Story story;
  MemberState state;
  state.apply(story.event("created t1"));
  MemberState taken = std::move(state);
  CHECK(taken.transaction("t1"));
  CHECK(state.empty());  // NOLINT(bugprone-use-after-move): this is what is tested
  CHECK_FALSE(state.member());
  CHECK_FALSE(state.transaction("t1"));
  CHECK_FALSE(state.connection("c1"));
  CHECK(state.line(SnapshotLineKind::member, "m1").empty());
  CHECK(state.snapshot() == MemberState().snapshot());
  CHECK(state.peek(story.event("created t1")).accepted);
  CHECK(words(state.apply(story.event("created t1"))) == "specified");
  CHECK(state.snapshot() == taken.snapshot());
  taken = std::move(state);
  CHECK(state.empty());
  CHECK_FALSE(taken.empty());

  Tracker tracker;
  tracker.apply(story.event("created t1"));
  const Tracker other = std::move(tracker);
  CHECK(other.member_count() == 1);
  CHECK(tracker.member_count() == 0);  // NOLINT(bugprone-use-after-move)
  tracker.apply(story.event("created t1"));
  CHECK(tracker == other);
  CHECK(tracker.member_count() == 1);
}

TEST_CASE("the changes of an outcome that has no name live as long as a loop over them") {
  Tracker tracker;
  Story story;
  std::string fields;
  for (const Change& change : tracker.apply(story.event("created t1")).changes) fields.append(change.id).append(" ");
  CHECK(fields == "m1 t1 ");
}

}  // namespace tracking_moved_test
