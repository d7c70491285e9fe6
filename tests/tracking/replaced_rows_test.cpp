// SPDX-License-Identifier: MIT
// The tables drive: with another row, a tracker and a member's state behave otherwise.
#include <bankhook_catch.hpp>

#include <tracking/stories.hpp>

#include <bankhook/machine/machine.hpp>

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace tracking_replaced_rows_test {

using namespace bankhook;
using namespace bankhook::test;
using State = ConnectionState;
using Trigger = ConnectionTrigger;

namespace {

/// The rows of a machine with one of them replaced; it lives as long as the trackers that it drives.
template <class S, class T>
struct Replaced {
  Replaced(const Machine<S, T>& machine, Transition<S, T> row)
      : rows(machine.transitions().begin(), machine.transitions().end()),
        ends(machine.final_states().begin(), machine.final_states().end()) {
    for (auto& one : rows) {
      if (one.from == row.from && one.trigger == row.trigger) one = row;
    }
  }
  /// What is left by an expected row is no final state any more.
  [[nodiscard]] CompleteMachine<S, T> machine() {
    std::erase_if(ends, [&](const FinalState<S>& end) {
      return std::any_of(rows.begin(), rows.end(), [&](const auto& row) {
        return row.from == end.state && row.is_expected() && row.to != end.state;
      });
    });
    const auto made = CompleteMachine<S, T>::make({rows, ends});
    REQUIRE(made.has_value());
    return *made;
  }
  std::vector<Transition<S, T>> rows;
  std::vector<FinalState<S>> ends;
};

}  // namespace

/// Calls `f` with each machine that has another state, or never, in one row; and how many of them hold.
template <class S, class T, class F>
std::size_t with_each_row_replaced(const Machine<S, T>& machine, F f) {
  std::size_t sound = 0;
  for (const auto& row : machine.transitions()) {
    for (std::size_t to = 0; to <= Machine<S, T>::states().size(); ++to) {
      auto other = row;
      other.to = to == 0 ? std::nullopt : std::optional(Machine<S, T>::states()[to - 1]);
      Replaced<S, T> rows(machine, other);
      if (!Machine<S, T>::make({rows.rows, rows.ends})) continue;
      f(rows.machine());
      ++sound;
    }
  }
  return sound;
}

/// The state of the event's own connection, before it.
std::optional<State> stored_state(const Tracker& tracker, const AnyEvent& event) {
  const auto* const bank = std::get_if<BankConnectionsUpdateV2>(&event);
  const auto held = bank == nullptr ? std::nullopt : tracker.connection(bank->customer.id, bank->connection.id);
  return held && held->state ? held->state->known() : std::nullopt;
}

TEST_CASE("whatever one row says, what is not applied has a reason and changes nothing, and all else is tracked") {
  constexpr std::string_view all[] = {"create k1: k1",     "update k1a: k1a k2", "delete k1: k2", "create k2: k1",
                                      "update k2: k1a k2", "paused k3:",         "created t1",    "validated t1",
                                      "rejected t1",       "settled t1"};
  std::size_t refused = 0;
  const auto tell = [&](const TrackerOptions& options) {
    for (const std::string_view first : all) {
      for (const std::string_view second : all) {
        Tracker tracker(options);
        Story story;
        for (const std::string_view words : {first, second, first}) {
          const std::string before = tracker.snapshot();
          const AnyEvent event = story.event(words);
          const auto held = stored_state(tracker, event);
          const Outcome outcome = tracker.apply(event);
          const auto* const row = std::get_if<const ConnectionTransition*>(&outcome.reason);
          const bool is_own = row != nullptr && (*row)->trigger < Trigger::listed;
          REQUIRE((!is_own || (*row)->from == held));
          REQUIRE((!is_own || outcome.accepted == (*row)->to.has_value()));
          refused += !outcome.accepted;
          REQUIRE(outcome.reason.index() != 0);
          REQUIRE((outcome.accepted || (outcome.changes.empty() && tracker.snapshot() == before)));
        }
      }
    }
  };
  CHECK(with_each_row_replaced(connection_lifecycle, [&](const auto& made) { tell({.connections = made}); }) > 100);
  CHECK(with_each_row_replaced(transaction_lifecycle, [&](const auto& made) { tell({.transactions = made}); }) > 10);
  CHECK(refused > 1'000);
}

TEST_CASE("a delete that leads to updated updates") {
  Replaced rows(connection_lifecycle, {State::created, Trigger::delete_, State::updated, Evidence::stated, "6.2"});
  const TrackerOptions options{.connections = rows.machine()};
  CHECK(words(tracker_after({"create k1: k1", "delete k1: k1"})) == "k1 deleted, on 1");
  CHECK(words(tracker_after({"create k1: k1", "delete k1: k1"}, options)) == "k1 updated, on 1");
  CHECK(words(last_outcome({"create k1: k1", "delete k1: k1"}, options)) == "specified");
}

TEST_CASE("a create of a created connection that is applied changes it") {
  Replaced rows(connection_lifecycle, {State::created, Trigger::create, State::created, Evidence::assumed, "6.2"});
  const TrackerOptions options{.connections = rows.machine()};
  CHECK(words(last_outcome({"create k1: k1", "create k1a: k1a"})) == "unspecified refused");
  CHECK(words(last_outcome({"create k1: k1", "create k1a: k1a"}, options)) == "assumed");
  CHECK(words(tracker_after({"create k1: k1", "create k1a: k1a"}, options)) == "k1a created, on 1");
  CHECK(rests_on(last_outcome({"create k1b: k1b", "create k1a: k1a"}, options), RuleId::accounts_stay));
}

TEST_CASE("a deleted connection that is listed comes back") {
  Replaced rows(connection_lifecycle, {State::deleted, Trigger::listed, State::updated, Evidence::assumed, "2.1"});
  const TrackerOptions options{.connections = rows.machine()};
  const auto story = {std::string_view("create k1: k1"), std::string_view("create k2: k1 k2"),
                      std::string_view("delete k1: k2"), std::string_view("update k2a: k1a k2a")};
  CHECK(words(tracker_after(story)) == "k1 deleted, k2a updated, on 2");
  CHECK(words(tracker_after(story, options)) == "k1a updated, k2a updated, on 2");
  CHECK(last_outcome(story, options).verdict == Verdict::unspecified);  // it changes another connection all the same
}

TEST_CASE("where not being listed never happens, nothing becomes unlisted") {
  Replaced rows(connection_lifecycle, {State::created, Trigger::not_listed, std::nullopt, Evidence::assumed, "2.1"});
  const TrackerOptions options{.connections = rows.machine()};
  const auto story = {std::string_view("create k1: k1"), std::string_view("create k2: k1 k2"),
                      std::string_view("update k2a: k2a")};
  CHECK(words(tracker_after(story)) == "k1 unlisted, k2a updated, on 1");
  CHECK(words(tracker_after(story, options)) == "k1 created, k2a updated, on 1");
}

TEST_CASE("a deleted or an unlisted connection that is not listed moves by its row, too") {
  const auto story = {std::string_view("create k1: k1"), std::string_view("create k2: k1 k2"),
                      std::string_view("delete k2: k1"), std::string_view("update k1a: k1a")};
  Replaced deleted(connection_lifecycle, {State::deleted, Trigger::not_listed, State::unlisted, Evidence::assumed, "2.1"});
  CHECK(words(tracker_after(story)) == "k1a updated, k2 deleted, on 1");
  CHECK(words(tracker_after(story, {.connections = deleted.machine()})) == "k1a updated, k2 unlisted, on 1");
  Replaced unlisted(connection_lifecycle, {State::unlisted, Trigger::not_listed, State::deleted, Evidence::assumed, "2.1"});
  const auto other = {std::string_view("create k1: k1"), std::string_view("create k2: k1 k2"),
                      std::string_view("update k1a: k1a"), std::string_view("update k1b: k1b")};
  CHECK(words(tracker_after(other)) == "k1b updated, k2 unlisted, on 1");
  CHECK(words(tracker_after(other, {.connections = unlisted.machine()})) == "k1b updated, k2 deleted, on 1");
}

TEST_CASE("where not being listed is expected, it is assumed; else it is unspecified by a rule") {
  Replaced rows(connection_lifecycle, {State::created, Trigger::not_listed, State::unlisted, Evidence::assumed, "2.1"});
  const TrackerOptions options{.connections = rows.machine()};
  const auto story = {std::string_view("create k1: k1"), std::string_view("create k2: k1 k2"),
                      std::string_view("update k2a: k2a")};
  CHECK(rests_on(last_outcome(story), RuleId::unlisted_connection_is_gone));
  const Outcome outcome = last_outcome(story, options);
  CHECK(words(outcome) == "assumed");
  CHECK(to_string(outcome.reason) == "created -> unlisted by not_listed");
}

TEST_CASE("a list that brings a deleted connection back does so with its own delete, too") {
  Replaced rows(connection_lifecycle,
                {State::deleted, Trigger::listed, State::updated, Evidence::assumed, "2.1", StateBefore::unknown});
  const TrackerOptions options{.connections = rows.machine()};
  const Outcome outcome = last_outcome({"create k1: k1", "delete k1: k1"}, options);
  CHECK(words(outcome) == "unspecified");
  CHECK(to_string(outcome.reason) == "deleted -> updated by listed, of which nothing is known");
  CHECK(words(tracker_after({"create k1: k1", "delete k1: k1"}, options)) == "k1 updated, on 1");
  CHECK(words(tracker_after({"create k1: k1", "delete k1: k1"})) == "k1 deleted, on 1");
}

TEST_CASE("a delete that leaves its connection takes accounts away, and is no ordinary one") {
  Replaced rows(connection_lifecycle, {State::created, Trigger::delete_, State::created, Evidence::stated, "6.2"});
  const TrackerOptions options{.connections = rows.machine()};
  CHECK(rests_on(last_outcome({"create k1b: k1b", "delete k1a: k1a"}, options), RuleId::accounts_stay));
  CHECK(words(last_outcome({"create k1b: k1b", "delete k1b: k1b"}, options)) == "specified");
  CHECK(words(last_outcome({"create k1b: k1b", "delete k1a:"})) == "assumed");
}

TEST_CASE("where it is expected that a connection leaves the list and is back, both are ordinary") {
  Replaced away(connection_lifecycle, {State::listed, Trigger::not_listed, State::unlisted, Evidence::assumed, "2.1"});
  const auto sound = away.machine();
  Replaced back(sound, {State::unlisted, Trigger::listed, State::updated, Evidence::assumed, "2.1"});
  const TrackerOptions options{.connections = back.machine()};
  const auto story = {std::string_view("create k1: k1 k2"), std::string_view("update k1a: k1a"),
                      std::string_view("update k1b: k1b k2")};
  CHECK(words(last_outcome(story, options)) == "assumed");
  CHECK(rests_on(last_outcome(story), RuleId::unlisted_connection_is_gone));
}

TEST_CASE("a connection that lists alone have named moves by the row of its place, and is not back") {
  Replaced rows(connection_lifecycle, {State::listed, Trigger::listed, State::updated, Evidence::assumed, "2.1"});
  const TrackerOptions options{.connections = rows.machine()};
  const auto story = {std::string_view("create k1: k1 k2"), std::string_view("update k1a: k1a k2")};
  CHECK(words(last_outcome(story)) == "specified");
  const Outcome outcome = last_outcome(story, options);
  CHECK(words(outcome) == "assumed");
  CHECK(to_string(outcome.reason) == "listed -> updated by listed");
}

TEST_CASE("a connection that lists alone have named steps from its stored state, by the row that is the reason") {
  const auto gone = {std::string_view("create k1: k1 k2"), std::string_view("update k1a: k1a"),
                     std::string_view("update k1b: k1b k2")};
  Replaced away(connection_lifecycle, {State::unlisted, Trigger::listed, std::nullopt, Evidence::assumed, "2.1"});
  CHECK(words(tracker_after(gone)) == "k1b updated, k2 listed, on 2");
  CHECK(words(tracker_after(gone, {.connections = away.machine()})) == "k1b updated, k2 unlisted, on 2");
  CHECK(to_string(last_outcome(gone, {.connections = away.machine()}).reason) == "listed changes nothing after unlisted");
  Replaced back(connection_lifecycle, {State::unlisted, Trigger::create, std::nullopt, Evidence::stated, "mail"});
  const auto created = {std::string_view("create k1: k1 k2"), std::string_view("update k1a: k1a"),
                        std::string_view("create k2: k1a k2")};
  CHECK(words(tracker_after(created)) == "k1a updated, k2 created, on 2");
  CHECK(words(last_outcome(created, {.connections = back.machine()})) == "contradicts refused");
  Replaced rows(connection_lifecycle, {State::listed, Trigger::listed, State::created, Evidence::assumed, "2.1"});
  const auto updated = {std::string_view("create k1: k1 k2"), std::string_view("update k1a: k1a k2"),
                        std::string_view("update k2a: k1a k2a")};
  CHECK(to_string(last_outcome(updated, {.connections = rows.machine()}).reason) == "created -> updated by update");
  CHECK(words(last_outcome(updated, {.connections = rows.machine()})) == "specified");
}

TEST_CASE(
    "the first event of a connection that lists alone have named, and then not, rests on a rule: no row is followed") {
  for (const std::string_view first : {"create k2: k1a k2", "delete k2: k1a"}) {
    const Outcome outcome = last_outcome({"create k1: k1 k2", "update k1a: k1a", first});
    CHECK(words(outcome) == "unspecified");
    CHECK(rests_on(outcome, RuleId::unlisted_connection_is_gone));
  }
}

TEST_CASE("an exact repeat contradicts nothing, whatever the row that would exclude it rests on") {
  Replaced rows(connection_lifecycle, {State::created, Trigger::create, std::nullopt, Evidence::stated, "6.2"});
  const TrackerOptions options{.connections = rows.machine()};
  CHECK(words(last_outcome({"create k1: k1", "create k1: k1"}, options)) == "unspecified repeat seen");
  CHECK(words(last_outcome({"create k1: k1", "create k1a: k1a"}, options)) == "contradicts refused");
}

TEST_CASE("a created after validated that is applied is taken back") {
  Replaced rows(transaction_lifecycle, {TransactionStatus::validated, TransactionTrigger::submitted,
                                        TransactionStatus::created, Evidence::assumed, "3.1", StateBefore::unknown});
  const TrackerOptions options{.transactions = rows.machine()};
  CHECK(words(last_outcome({"validated t1", "created t1"}, options)) == "unspecified");
  CHECK(words(tracker_after({"validated t1", "created t1"}, options)) == "t1 created, on -");
}

TEST_CASE("a member's state is moved by the same tables") {
  Replaced rows(connection_lifecycle, {State::created, Trigger::delete_, State::updated, Evidence::assumed, "6.2"});
  MemberState state({.connections = rows.machine()});
  Story story;
  state.apply(story.event("create k1: k1"));
  CHECK(words(state.apply(story.event("delete k1: k1"))) == "assumed");
  CHECK(state.connection("k1")->state == State::updated);
}

}  // namespace tracking_replaced_rows_test
