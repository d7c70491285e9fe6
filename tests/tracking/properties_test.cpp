// SPDX-License-Identifier: MIT
// What holds for every stream of events: the tracker against a slow model, peek against apply, repeats, members, merges.
#include <bankhook_catch.hpp>

#include <tracking/model.hpp>
#include <tracking/random_story.hpp>
#include <tracking/stories.hpp>

#include <bankhook/reflect/equality.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tracking_properties_test {

using namespace bankhook;
using namespace bankhook::test;

namespace {

/// What the model has of a member, in words such as a tracker's: `k1 {...} updated create`.
std::set<std::string> lines_of(const Model& model) {
  std::set<std::string> lines;
  for (const auto& [member, known] : model.members) {
    lines.insert(member + " " + known.external_id + " " + (known.counts.empty() ? "-" : known.counts));
    for (const auto& [id, one] : known.connections) {
      std::string line = member + " " + one.rest + " " + (one.state.empty() ? "-" : one.state) + " " + one.type;
      for (const std::string& account : one.accounts) line += " " + account;
      lines.insert(line);
    }
    for (const auto& [id, one] : known.transactions) lines.insert(member + " " + one.json);
  }
  return lines;
}
std::set<std::string> lines_of(const Tracker& tracker) {
  std::set<std::string> lines;
  for (const TrackedMember& one : tracker.members()) {
    lines.insert(std::string(one.customer.id) + " " + std::string(one.customer.external_id) + " " +
                 (one.membership ? std::to_string(one.membership->connections_on) + "/" +
                                       std::to_string(one.membership->connections_off)
                                 : "-"));
  }
  tracker.for_each_connection([&](const TrackedConnection& one) {
    Connection rest = one.connection;
    rest.accounts = {};
    std::string line = std::string(one.member_id) + " " + serialize(rest) + " " +
                       std::string(one.state ? one.state->text() : "-") + " " +
                       std::string(one.event_type ? one.event_type->text() : "");
    for (const Account& account : one.connection.accounts) line += " " + serialize(account);
    lines.insert(line);
  });
  tracker.for_each_transaction([&](const TrackedTransaction& one) {
    lines.insert(std::string(one.customer.id) + " " + serialize(one.initial_transaction));
  });
  return lines;
}

std::string key_of(const AnyEvent& event) {
  if (const auto* const known = std::get_if<InitialTransactionUpdate>(&event))
    return std::string(known->customer.id) + " " + std::string(known->initial_transaction.id);
  const auto& known = std::get<BankConnectionsUpdateV2>(event);
  return std::string(known.customer.id) + " " + std::string(known.connection.id);
}

}  // namespace

TEST_CASE("a tracker has and answers what a slow model does, whatever comes") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    RandomStory stream(seed);
    Tracker tracker({.take_create = seed % 4 == 0});
    Model model;
    model.take_create = seed % 4 == 0;
    Story story;
    std::map<std::string, std::vector<std::string>> accepted;  // of a key, the newest first
    for (int i = 0; i < 250; ++i) {
      const std::string words = stream.next();
      CAPTURE(seed, i, words);
      const AnyEvent event = story.event(words);
      const Outcome outcome = tracker.apply(event);
      const Answer expected = std::visit([&](const auto& known) { return model.apply(known, outcome.seen_before); }, event);
      REQUIRE(outcome.verdict == expected.verdict);
      REQUIRE(outcome.accepted == expected.accepted);
      REQUIRE(outcome.changes.empty() == !expected.changes);
      REQUIRE(outcome.repeat == (expected.accepted && !expected.changes));
      REQUIRE((outcome.verdict < Verdict::unspecified || !to_string(outcome.reason).empty()));
      REQUIRE(lines_of(tracker) == lines_of(model));
      // Among the last four for certain, among all of them at most: which of them are remembered depends on repeats.
      std::vector<std::string>& last = accepted[key_of(event)];
      const auto found = std::ranges::find(last, words);
      if (!std::holds_alternative<InitialTransactionUpdate>(event) ||
          !rests_on(outcome, RuleId::status_equals_event_type)) {
        REQUIRE((outcome.seen_before || found - last.begin() >= 4 || found == last.end()));
        REQUIRE((found != last.end() || !outcome.seen_before));
      }
      if (!expected.accepted) continue;
      std::erase(last, words);
      last.insert(last.begin(), words);
    }
  }
}

TEST_CASE("peek answers exactly what apply does, and changes nothing; an accepted event again changes no byte") {
  RandomStory stream(31);
  Tracker tracker;
  Story story;
  for (int i = 0; i < 500; ++i) {
    const AnyEvent event = story.event(stream.next());
    const std::string before = tracker.snapshot();
    const Outcome peeked = tracker.peek(event);
    REQUIRE(tracker.snapshot() == before);
    const Outcome applied = tracker.apply(event);
    REQUIRE(peeked == applied);
    const std::string after = tracker.snapshot();
    if (!applied.accepted) REQUIRE(after == before);
    const Outcome again = tracker.apply(event);
    REQUIRE(again.repeat == applied.accepted);
    REQUIRE(again.changes.empty());
    REQUIRE(tracker.snapshot() == after);
  }
}

TEST_CASE("a member's state answers as the tracker does to the events of this member, and has the same") {
  RandomStory stream(35);
  Tracker tracker;
  std::map<std::string, MemberState, std::less<>> states;
  Story story;
  for (int i = 0; i < 400; ++i) {
    const std::string words = stream.next();
    const AnyEvent event = story.event(words);
    MemberState& state = states[words.substr(0, 2)];
    REQUIRE(state.peek(event) == tracker.peek(event));
    REQUIRE(state.apply(event) == tracker.apply(event));
  }
  Tracker merged;
  for (const auto& [id, state] : states) {
    const auto alone = Tracker::restore(state.snapshot());
    REQUIRE(alone.has_value());
    REQUIRE(merged.merge(*alone).has_value());
  }
  CHECK(merged == tracker);
}

TEST_CASE("trackers of different members merge to the one that followed them all; a member in both is an error") {
  Tracker all, one, other;
  Story story;
  RandomStory stream(34);
  for (int i = 0; i < 400; ++i) {
    const std::string words = stream.next();
    const AnyEvent event = story.event(words);
    all.apply(event);
    (words.starts_with("m1") ? one : other).apply(event);
  }
  Tracker forth = one, back = other;
  REQUIRE(forth.merge(other).has_value());
  REQUIRE(back.merge(one).has_value());
  CHECK(forth == all);
  CHECK(back == all);
  CHECK(forth.merge(one).error() == MergeError::member_in_both);
  CHECK(forth == all);
  CHECK(to_string(MergeError::member_in_both).starts_with("expected trackers of different members"));
}

}  // namespace tracking_properties_test
