// SPDX-License-Identifier: MIT
// The faults of a table: against a slow oracle that knows nothing of how they are looked for.
#include <bankhook_catch.hpp>

#include <bankhook/machine/table_errors.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace machine_table_errors_test {

using bankhook::Evidence;
using bankhook::find_fault;
using bankhook::TableError;

namespace {

enum class State : std::uint8_t { one, two, three, four };
enum class Trigger : std::uint8_t { a, b };
using Place = std::optional<State>;
using Transition = bankhook::Transition<State, Trigger>;
using Fault = bankhook::FoundFault<State, Trigger>;

constexpr std::array states{State::one, State::two, State::three, State::four};
constexpr std::array triggers{Trigger::a, Trigger::b};

struct Table {
  std::vector<Transition> transitions;
  std::vector<bankhook::FinalState<State>> final_states;

  bankhook::TableView<State, Trigger> view() const { return {transitions, final_states}; }
};

class Dice {
 public:
  explicit Dice(std::uint32_t seed) : engine_(seed) {}

  /// From 0 to `most`. Not a distribution of the library: those differ from one to another.
  std::uint32_t upto(std::uint32_t most) { return static_cast<std::uint32_t>(engine_() % (most + 1)); }
  bool in(std::uint32_t sides) { return upto(sides - 1) == 0; }
  State state() { return static_cast<State>(upto(3)); }
  Trigger trigger() { return static_cast<Trigger>(upto(1)); }

  /// Half of them random altogether; the others with a row a pair at most, so that many are sound.
  Table table() {
    Table table;
    if (in(2)) {
      for (std::uint32_t rows = upto(8); rows > 0; --rows) {
        table.transitions.push_back({place(), trigger(), place(), Evidence::stated, "1", before()});
      }
    } else {
      const bool is_poor = in(3);  // in triggers: one of them stands in no row
      if (!in(3)) table.transitions.push_back({{}, Trigger::a, state(), Evidence::stated, "1"});
      for (const State from : states) {
        for (const Trigger trigger : triggers) {
          if (!in(4) && !(is_poor && trigger == Trigger::b))
            table.transitions.push_back({from, trigger, place(), Evidence::assumed, "2", before()});
        }
      }
    }
    for (std::uint32_t final_states = upto(2); final_states > 0; --final_states)
      table.final_states.push_back({state(), Evidence::stated, "1"});
    return table;
  }

 private:
  bankhook::StateBefore before() { return static_cast<bankhook::StateBefore>(in(4) ? 2 : upto(1)); }
  Place place() { return in(5) ? Place() : Place(state()); }

  std::mt19937 engine_;
};

/// Places that a walk of one transition or more connects, from all triples over and over: no search, no queue. What is
/// unexpected leads somewhere, too.
std::set<std::pair<Place, Place>> connections(const Table& table) {
  std::set<std::pair<Place, Place>> connected;
  for (const Transition& transition : table.transitions) {
    if (transition.to) connected.emplace(transition.from, transition.to);
  }
  for (std::size_t size = 0; size != connected.size();) {
    size = connected.size();
    const auto known = connected;
    for (const auto& [from, middle] : known) {
      for (const auto& [other, to] : known) {
        if (middle == other) connected.emplace(from, to);
      }
    }
  }
  return connected;
}

struct Oracle {
  const Table& table;
  std::set<std::pair<Place, Place>> connected = connections(table);

  auto finals_of(State state) const {
    return std::ranges::count_if(table.final_states, [=](const auto& final_state) { return final_state.state == state; });
  }
  bool is_missing(State state) const {
    const auto names = [=](const Transition& transition) { return transition.from == state || transition.to == state; };
    return std::ranges::none_of(table.transitions, names) && finals_of(state) == 0;
  }
  bool is_unreachable(State state) const { return !connected.contains({std::nullopt, state}); }
  bool is_a_trap(State state) const {
    if (finals_of(state) > 0) return false;
    return std::ranges::none_of(states, [&](State other) {
      const bool is_goal = table.final_states.empty() ? other != state : finals_of(other) > 0;
      return is_goal && connected.contains({state, other});
    });
  }
  bool leaves_a_final_state(const Transition& transition) const {
    return transition.from && transition.is_expected() && transition.from != transition.to &&
           finals_of(*transition.from) > 0;
  }

  /// Every fault that the table has, whatever the order in which they would be found; of rows only the kind.
  std::set<TableError> all() const {
    std::set<TableError> found;
    const auto begins = [](const Transition& transition) { return !transition.from && transition.is_expected(); };
    if (std::ranges::none_of(table.transitions, begins)) found.insert(TableError::nothing_comes_first);
    std::map<std::pair<Place, Trigger>, int> rows;
    for (const Transition& transition : table.transitions) {
      if (++rows[{transition.from, transition.trigger}] < 2) continue;
      found.insert(transition.from ? TableError::two_rows_leave_a_state_by_one_trigger
                                   : TableError::two_rows_begin_with_one_trigger);
    }
    for (const State state : states) {
      if (finals_of(state) > 1) found.insert(TableError::state_is_final_twice);
      if (is_missing(state)) found.insert(TableError::state_is_missing);
      if (is_unreachable(state)) found.insert(TableError::state_is_unreachable);
      if (is_a_trap(state)) found.insert(TableError::state_is_a_trap);
    }
    for (const Transition& transition : table.transitions) {
      if (leaves_a_final_state(transition)) found.insert(TableError::transition_leaves_a_final_state);
    }
    for (const Trigger trigger : triggers) {
      if (is_unused(trigger)) found.insert(TableError::trigger_is_unused);
    }
    return found;
  }
  bool is_unused(Trigger trigger) const {
    return std::ranges::none_of(
        table.transitions, [=](const Transition& transition) { return transition.to && transition.trigger == trigger; });
  }

  /// Whether what a fault points at has it.
  bool confirms(const Fault& fault) const {
    switch (fault.kind) {
      case TableError::row_names_no_enumerator: return false;
      case TableError::nothing_comes_first: return true;
      case TableError::two_rows_begin_with_one_trigger:
      case TableError::two_rows_leave_a_state_by_one_trigger: return repeats(fault);
      case TableError::state_is_final_twice: return finals_of(fault.state) > 1;
      case TableError::state_is_missing: return is_missing(fault.state);
      case TableError::state_is_unreachable: return is_unreachable(fault.state);
      case TableError::transition_leaves_a_final_state: return leaves_a_final_state(table.transitions.at(fault.row));
      case TableError::state_is_a_trap: return is_a_trap(fault.state);
      case TableError::trigger_is_unused: return is_unused(fault.trigger);
    }
    return false;
  }
  bool repeats(const Fault& fault) const {
    const Transition& row = table.transitions.at(fault.row);
    return row.trigger == fault.trigger && (!row.from || row.from == fault.state) &&
           std::ranges::count_if(table.transitions, [&](const Transition& transition) {
             return transition.from == row.from && transition.trigger == row.trigger;
           }) > 1;
  }
};

}  // namespace

TEST_CASE("a table is sound exactly where a slow oracle finds nothing wrong with it") {
  Dice dice(20260314);
  std::map<std::optional<TableError>, int> seen;
  for (int i = 0; i < 15'000; ++i) {
    const Table table = dice.table();
    const Oracle oracle{table};
    const auto expected = oracle.all();
    const auto fault = find_fault(table.view());
    REQUIRE(fault.has_value() == !expected.empty());
    ++seen[fault ? std::optional(fault->kind) : std::nullopt];
    if (!fault) continue;
    REQUIRE(expected.contains(fault->kind));
    REQUIRE(oracle.confirms(*fault));
    // Two kinds are looked for together, row by row.
    const bool is_ambiguous = fault->kind == TableError::two_rows_leave_a_state_by_one_trigger;
    REQUIRE((is_ambiguous || fault->kind == *expected.begin()));
  }
  CHECK(seen[std::nullopt] > 75);  // sound ones were among them, and every kind that these values can show
  CHECK(seen.size() == bankhook::enumerator_count<TableError>);
}

TEST_CASE("a value without enumerator is found wherever it stands") {
  constexpr auto wrong = static_cast<State>(9);
  const Transition fine{State::one, Trigger::a, State::two, Evidence::stated, "1"};
  const auto row_of = [](const Table& table) {
    const auto fault = find_fault(table.view());
    return fault && fault->kind == TableError::row_names_no_enumerator ? std::optional(fault->row) : std::nullopt;
  };
  CHECK(row_of({{fine, {wrong, Trigger::a, State::two}}, {}}) == 1);
  CHECK(row_of({{fine, {State::two, static_cast<Trigger>(2), State::one}}, {}}) == 1);
  CHECK(row_of({{{State::one, Trigger::a, wrong}, fine}, {}}) == 0);
  CHECK(row_of({{fine}, {{State::one}, {wrong}}}) == 2);
}

TEST_CASE("a value below zero is no enumerator") {
  enum class Signed : int { zero, one };
  using Row = bankhook::Transition<Signed, Trigger>;
  const std::vector<Row> rows{{{}, Trigger::a, Signed::zero}, {Signed::zero, Trigger::b, static_cast<Signed>(-1)}};
  const auto fault = find_fault(bankhook::TableView<Signed, Trigger>{rows, {}});
  REQUIRE(fault);
  CHECK(fault->kind == TableError::row_names_no_enumerator);
  CHECK(fault->row == 1);
}

TEST_CASE("an empty table has nothing that comes first") {
  CHECK(find_fault(Table{}.view())->kind == TableError::nothing_comes_first);
}

}  // namespace machine_table_errors_test
