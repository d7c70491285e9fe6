// SPDX-License-Identifier: MIT
// What a consumer meets in a year: retries, late deliveries, a late subscription, flapping; one history a row.
#include <bankhook_catch.hpp>

#include <tracking/stories.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace tracking_histories_test {

using namespace bankhook;
using namespace bankhook::test;

namespace {

struct Step {
  std::string_view event, answer;
};
struct History {
  std::string_view title;
  std::vector<Step> steps;
  std::string_view end;  ///< what is tracked of m1
  TrackerOptions options{};
};

const std::vector<History> histories{
    {"a create again after a second connection changes nothing",
     {{"create k1: k1", "specified"}, {"create k2: k1 k2", "specified"}, {"create k1: k1", "unspecified repeat seen"}},
     "k1 created, k2 created, on 2"},
    {"a late update whose news a newer list had is no news",
     {{"create k1: k1", "specified"}, {"create k2: k1a k2", "unspecified"}, {"update k1a: k1a", "unspecified"}},
     "k1a updated, k2 created, on 2"},
    {"a late update with news takes away what came later, and says so; the next event puts it right",
     {{"create k1: k1", "specified"},
      {"create k2: k1 k2", "specified"},
      {"update k1a: k1a", "unspecified"},
      {"update k2a: k1a k2a", "unspecified"}},
     "k1a updated, k2a updated, on 2"},
    {"a late subscription",
     {{"update k1a: k1a k2a", "unspecified"}, {"update k2a: k1a k2a", "unspecified"}},
     "k1a updated, k2a updated, on 2"},
    {"an update that overtakes its create",
     {{"update k1a: k1a", "unspecified"}, {"create k1: k1", "unspecified refused"}},
     "k1a updated, on 1"},
    {"an update again after a delete",
     {{"create k1: k1", "specified"},
      {"update k1a: k1a", "specified"},
      {"create k2: k1a k2", "specified"},
      {"delete k1a: k2", "assumed"},
      {"update k1a: k1a", "unspecified seen"}},
     "k1a updated, k2 created, on 1"},
    {"resynchronised by create: the next list shows it",
     {{"create k1: k1", "specified"},
      {"update k1a: k1a", "specified"},
      {"update k1ae: k1ae", "assumed"},
      {"create k1a: k1a", "unspecified refused"},
      {"create k2: k1a k2", "unspecified"}},
     "k1a updated, k2 created, on 2"},
    {"validated first, created late",
     {{"validated t1", "unspecified"}, {"created t1", "unspecified refused"}},
     "t1 validated, on -"},
    {"rejected, validated, rejected again",
     {{"created t1", "specified"},
      {"rejected t1", "assumed"},
      {"validated t1", "unspecified"},
      {"rejected t1", "unspecified seen"}},
     "t1 rejected, on -"},
    {"created with another amount",
     {{"created t1", "specified"}, {"created t1=5", "unspecified refused"}},
     "t1 created, on -"},
    {"an error that comes again after it was cleared",
     {{"create k1a: k1a", "specified"},
      {"update k1ae: k1ae", "assumed"},
      {"update k1a: k1a", "assumed"},
      {"update k1ae: k1ae", "unspecified seen"}},
     "k1ae updated, on 1"},
    {"disabled by an update that does not list it",
     {{"create k1: k1", "specified"}, {"create k2: k1 k2", "specified"}, {"update k1: k2", "unspecified"}},
     "k1 unlisted, k2 created, on 1"},
    {"a delete that still lists its connection, then an update",
     {{"create k1: k1", "specified"},
      {"create k2: k1 k2", "specified"},
      {"delete k1: k1 k2", "unspecified"},
      {"update k1: k1 k2", "unspecified"}},
     "k1 updated, k2 created, on 2"},
    {"a delete twice around another event",
     {{"create k1: k1", "specified"},
      {"create k2: k1 k2", "specified"},
      {"delete k1: k2", "assumed"},
      {"update k2a: k2a", "specified"},
      {"delete k1: k2", "unspecified repeat seen"}},
     "k1 deleted, k2a updated, on 1"},
    {"created after validated",
     {{"created t1", "specified"}, {"validated t1", "assumed"}, {"created t1", "unspecified refused seen"}},
     "t1 validated, on -"},
    {"a create after a delete",
     {{"create k1: k1", "specified"}, {"delete k1: ", "assumed"}, {"create k1: k1", "unspecified refused seen"}},
     "k1 deleted, on 0"},
    {"a list that shrinks and grows",
     {{"create k1: k1", "specified"},
      {"create k2: k1 k2", "specified"},
      {"update k2a: k2a", "unspecified"},
      {"update k2b: k1 k2b", "unspecified"}},
     "k1 updated, k2b updated, on 2"},
    {"two members, one connection id and one transaction id",
     {{"create k1: k1", "specified"},
      {"m2 create k1: k1", "specified"},
      {"created t1", "specified"},
      {"m2 created t1", "specified"},
      {"m2 validated t1", "assumed"}},
     "k1 created, t1 created, on 1"},
    {"validated with another amount", {{"created t1", "specified"}, {"validated t1=5", "assumed"}}, "t1=5 validated, on -"},
    {"validated, then rejected",
     {{"created t1", "specified"}, {"validated t1", "assumed"}, {"rejected t1", "unspecified"}},
     "t1 rejected, on -"},
    {"rejected, then validated",
     {{"created t1", "specified"}, {"rejected t1", "assumed"}, {"validated t1", "unspecified"}},
     "t1 validated, on -"},
    {"created again after a rejection, with another amount",
     {{"created t1", "specified"},
      {"rejected t1", "assumed"},
      {"created t1=5", "unspecified refused"},
      {"validated t1=5", "unspecified"}},
     "t1=5 validated, on -"},
    {"an update and a delete of unknown connections",
     {{"update k1: k1", "unspecified"}, {"delete k2: k1", "unspecified"}},
     "k1 updated, k2 deleted, on 1"},
    {"a create that is not in its own list is live, an update is not",
     {{"create k1: k2", "unspecified"}, {"update k1a: k2", "unspecified"}},
     "k1a unlisted, k2 listed, on 1"},
    {"the connection of the event wins over its entry in the list", {{"create k1a: k1", "assumed"}}, "k1a created, on 1"},
    {"of two entries with one id the first wins", {{"create k1: k1 k2 k2a", "assumed"}}, "k1 created, k2 listed, on 3"},
    {"status and eventType differ", {{"rejected/validated t1", "contradicts refused"}}, "nobody"},
    {"values that are not known, and what follows them",
     {{"pause k1: k1", "unspecified"},
      {"update k1a: k1a", "unspecified"},
      {"released t1", "unspecified"},
      {"validated t1", "unspecified"}},
     "k1a updated, t1 validated, on 1"},
    {"deleted, back by a create, and listed ever since",
     {{"create k1a: k1a", "specified"},
      {"create k2: k1a k2", "specified"},
      {"delete k1a: k2", "assumed"},
      {"create k1a: k1a k2", "unspecified refused"},
      {"update k2a: k1a k2a", "unspecified"},
      {"update k2b: k1ae k2b", "unspecified"}},
     "k1a deleted, k2b updated, on 2"},
    {"a delete that lists its connection, as later lists do",
     {{"create k1: k1", "specified"},
      {"create k2: k1 k2", "specified"},
      {"delete k1: k1 k2", "unspecified"},
      {"update k2a: k1 k2a", "unspecified"}},
     "k1 deleted, k2a updated, on 2"},
    {"a list names a connection before its create",
     {{"create k1: k1 k2", "specified"}, {"create k2: k1 k2", "specified"}, {"update k2a: k1 k2a", "specified"}},
     "k1 created, k2a updated, on 2"},
    {"a list showed a connection otherwise than its create: what was listed stays",
     {{"create k1: k1 k2a", "specified"}, {"create k2: k1 k2", "unspecified"}},
     "k1 created, k2a created, on 2"},
    {"the same with the option to take what the create says",
     {{"create k1: k1 k2a", "specified"}, {"create k2: k1 k2", "unspecified"}},
     "k1 created, k2 created, on 2",
     {.take_create = true}},
    {"a late create of a listed connection whose list lacks a newer one: the list is not taken",
     {{"create k3: k2 k3", "specified"}, {"create k2: k2", "specified"}},
     "k2 created, k3 created, on 2"},
    {"another create of a connection that is created",
     {{"create k1: k1", "specified"}, {"create k1a: k1a", "unspecified refused"}},
     "k1 created, on 1"},
    {"a create that lists its unlisted connection again",
     {{"create k1: k1", "specified"}, {"create k2: k2", "unspecified"}, {"create k1: k1 k2", "unspecified refused"}},
     "k1 unlisted, k2 created, on 1"},
    {"a connection that was listed, then not: its create is its first event, and brings it back",
     {{"create k1: k1 k2", "specified"}, {"update k1a: k1a", "unspecified"}, {"create k2: k1a k2", "unspecified"}},
     "k1a updated, k2 created, on 2"},
    {"accounts that are created, changed, reordered, that disappear; and an error with them",
     {{"create k1: k1", "specified"},
      {"update k1a: k1a", "specified"},
      {"update k1b: k1b", "specified"},
      {"update k1c: k1c", "assumed"},
      {"update k1d: k1d", "unspecified"},
      {"update k1be: k1be", "assumed"}},
     "k1be updated, on 1"},
    {"an account gets another hash",
     {{"create k1a: k1a", "specified"}, {"update k1h: k1h", "specified"}},
     "k1h updated, on 1"},
};

}  // namespace

TEST_CASE("each history is answered and ends as the design says, and what is not ordinary has a reason") {
  for (const History& history : histories) {
    CAPTURE(history.title);
    Tracker tracker(history.options);
    Story story;
    for (const auto& [event, answer] : history.steps) {
      CAPTURE(event);
      const std::string before = tracker.snapshot();
      const Outcome outcome = tracker.apply(story.event(event));
      CHECK(words(outcome) == answer);
      CHECK_FALSE(std::holds_alternative<std::monostate>(outcome.reason));
      CHECK_FALSE(to_string(outcome.reason).empty());
      if (!outcome.accepted || outcome.repeat) CHECK(outcome.changes.empty());
      if (!outcome.accepted) CHECK(tracker.snapshot() == before);
    }
    CHECK(words(tracker) == history.end);
  }
}

TEST_CASE("in all 24 orders of a fault-free day the end is right, and no create is missed after it came") {
  constexpr std::array<std::string_view, 4> day{"create k1: k1", "create k2: k1 k2", "update k1a: k1a k2",
                                                "update k2a: k1a k2a"};
  Story story;
  std::array<std::size_t, 4> order{0, 1, 2, 3};
  int orders = 0;
  do {
    CAPTURE(order[0], order[1], order[2], order[3]);
    Tracker tracker;
    std::array<bool, 2> create_came{};
    for (const std::size_t one : order) {
      const Outcome outcome = tracker.apply(story.event(day[one]));
      if (one < 2) create_came[one] = true;
      for (const Change& change : outcome.changes)
        if (change.first_event_missing) CHECK_FALSE(create_came[change.id == "k1" ? 0 : 1]);
      if (create_came[one % 2]) CHECK_FALSE(to_string(outcome.reason).ends_with("of which nothing is known"));
    }
    CHECK(words(tracker) == "k1a updated, k2a updated, on 2");
    ++orders;
  } while (std::next_permutation(order.begin(), order.end()));
  CHECK(orders == 24);
}

TEST_CASE("of the 45 retries in a day of nine events, each that changes something is unspecified and was seen before") {
  constexpr std::array<std::string_view, 9> day{"create k1: k1",       "update k1a: k1a",       "create k2: k1a k2",
                                                "update k2a: k1a k2a", "update k1ae: k1ae k2a", "update k1a: k1a k2a",
                                                "created t1",          "validated t1",          "delete k2a: k1a"};
  Story story;
  int retries = 0, changing = 0;
  for (std::size_t last = 0; last < day.size(); ++last) {
    for (std::size_t again = 0; again <= last; ++again) {
      CAPTURE(last, again);
      Tracker tracker;
      for (std::size_t i = 0; i <= last; ++i) {
        const Outcome outcome = tracker.apply(story.event(day[i]));
        CHECK(outcome.verdict <= Verdict::assumed);
      }
      const Outcome outcome = tracker.apply(story.event(day[again]));
      CHECK(outcome.seen_before);
      CHECK(outcome.verdict == Verdict::unspecified);
      ++retries;
      changing += !outcome.changes.empty();
    }
  }
  CHECK(retries == 45);
  CHECK(changing > 0);
  CHECK(changing <= 10);
}

}  // namespace tracking_histories_test
