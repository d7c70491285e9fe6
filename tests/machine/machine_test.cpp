// SPDX-License-Identifier: MIT
// What a machine answers: steps and their verdicts, allowed triggers, why another one is not, pairs without a row.
#include <bankhook_catch.hpp>

#include <machine/door.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace machine_machine_test {

using bankhook::Evidence;
using bankhook::FoundFault;
using bankhook::Machine;
using bankhook::TableError;
using bankhook::Verdict;
using door::machine;
using Step = bankhook::MachineStep<door::State, door::Trigger>;
using enum door::State;
using enum door::Trigger;

TEST_CASE("verdicts are ordered from the best to the worst") {
  STATIC_REQUIRE(Verdict::specified < Verdict::assumed);
  STATIC_REQUIRE(Verdict::assumed < Verdict::unspecified);
  STATIC_REQUIRE(Verdict::unspecified < Verdict::contradicts);
}

TEST_CASE("a step along a stated transition is specified and names the transition") {
  constexpr auto step = machine.step(opened, push);
  STATIC_REQUIRE(step == Step{Verdict::specified, closed, &door::table.transitions[1]});
}

TEST_CASE("a step along a transition that only an example shows, or that is assumed, is assumed") {
  STATIC_REQUIRE(machine.step(closed, push) == Step{Verdict::assumed, locked, &door::table.transitions[2]});
  STATIC_REQUIRE(machine.step(closed, unlock) == Step{Verdict::assumed, opened, &door::table.transitions[4]});
}

TEST_CASE("a step along a stated transition whose state before is assumed is assumed") {
  STATIC_REQUIRE(machine.step(locked, delete_).verdict == Verdict::assumed);
  STATIC_REQUIRE(machine.step(locked, delete_).to == broken);
  STATIC_REQUIRE(machine.step(locked, delete_).transition->evidence == Evidence::stated);
}

TEST_CASE("a step that nobody expects is taken, and is unspecified") {
  STATIC_REQUIRE(machine.step(broken, push).verdict == Verdict::unspecified);
  STATIC_REQUIRE(machine.step(broken, push).to == opened);
}

TEST_CASE("a step that a stated row says never happens contradicts, that of an assumed row is unspecified") {
  STATIC_REQUIRE(machine.step(locked, push) == Step{Verdict::contradicts, std::nullopt, &door::table.transitions[6]});
  STATIC_REQUIRE(machine.step(opened, build) == Step{Verdict::unspecified, std::nullopt, &door::table.transitions[7]});
}

TEST_CASE("a pair that no row names is unspecified and rests on nothing") {
  STATIC_REQUIRE(machine.step(opened, delete_) == Step{Verdict::unspecified, std::nullopt, nullptr});
  STATIC_REQUIRE(machine.step(std::nullopt, push) == Step());
}

TEST_CASE("the first step is taken from no state") {
  STATIC_REQUIRE(machine.step({}, build) == Step{Verdict::specified, opened, &door::table.transitions[0]});
}

TEST_CASE("a value that is not an enumerator is answered like a pair without a row") {
  constexpr auto nowhere = static_cast<door::State>(200);
  constexpr auto nothing = static_cast<door::Trigger>(200);
  STATIC_REQUIRE(machine.step(nowhere, push) == Step());
  STATIC_REQUIRE(machine.step(opened, nothing) == Step());
  STATIC_REQUIRE(machine.allowed(nowhere).empty());
  CHECK(machine.why_not(nowhere, push) == "push has no row in this state");
  CHECK(machine.why_not(opened, nothing) == "this trigger has no row in opened");
}

TEST_CASE("allowed are the triggers that are expected, in the order of their enumeration") {
  STATIC_REQUIRE(machine.allowed(std::nullopt) == std::vector{build});
  STATIC_REQUIRE(machine.allowed(opened) == std::vector{push, unlock});
  STATIC_REQUIRE(machine.allowed(closed) == std::vector{push, unlock, delete_});
  STATIC_REQUIRE(machine.allowed(locked) == std::vector{unlock, delete_});
  STATIC_REQUIRE(machine.allowed(broken).empty());
}

TEST_CASE("why a trigger is not expected is explained with the row's evidence and section; of others nothing is") {
  CHECK(machine.why_not(closed, push).empty());
  CHECK(machine.why_not(locked, push) == "push never happens in locked (stated, 2)");
  CHECK(machine.why_not(opened, build) == "build never happens in opened (assumed, 1)");
  CHECK(machine.why_not(broken, push) == "push is not expected in broken (stated, 5)");
  CHECK(machine.why_not(opened, delete_) == "delete has no row in opened");
  CHECK(machine.why_not({}, push) == "push has no row before the first state");
}

TEST_CASE("a machine whose table has a row for each state and trigger is complete") {
  STATIC_REQUIRE_FALSE(machine.is_complete());
  enum class Lamp : std::uint8_t { off, on };
  enum class Act : std::uint8_t { press };
  static constexpr auto rows = bankhook::transitions<Lamp, Act>({{{}, Act::press, Lamp::on, Evidence::stated, "1"},
                                                                 {Lamp::off, Act::press, Lamp::on, Evidence::stated, "1"},
                                                                 {Lamp::on, Act::press, Lamp::off, Evidence::stated, "1"}});
  STATIC_REQUIRE(bankhook::machine<rows>.is_complete());
  constexpr bankhook::CompleteMachine<Lamp, Act> lamp = bankhook::machine<rows>;
  STATIC_REQUIRE(lamp.transitions().data() == rows.transitions.data());
}

TEST_CASE("a complete machine is a type of its own; made of a table, it says which pair has no row") {
  using Complete = bankhook::CompleteMachine<door::State, door::Trigger>;
  STATIC_REQUIRE_FALSE(std::is_constructible_v<Complete, bankhook::TableView<door::State, door::Trigger>>);
  std::vector rows(door::table.transitions.begin(), door::table.transitions.end());
  const std::vector ends(door::table.final_states.begin(), door::table.final_states.end());
  CHECK(Complete::make({rows, ends}).error() == "push has no row before the first state");
  for (std::size_t place = 0; place <= machine.states().size(); ++place) {
    const auto from = place == 0 ? std::nullopt : std::optional(machine.states()[place - 1]);
    for (const auto trigger : machine.triggers()) {
      if (machine.step(from, trigger).transition == nullptr) rows.push_back({from, trigger, std::nullopt, {}, "1"});
    }
  }
  CHECK(Complete::make({rows, ends}).has_value());
  rows.pop_back();
  CHECK(Complete::make({rows, ends}).error() == "delete has no row in broken");
  rows.push_back(rows.front());
  CHECK(Complete::make({rows, ends}).error() == "two rows begin with one trigger (by build)");
}

TEST_CASE("the sentence of a fault names what it concerns") {
  using Fault = FoundFault<door::State, door::Trigger>;
  using enum TableError;
  CHECK(to_string(Fault{transition_leaves_a_final_state, broken, delete_}) ==
        "a row leaves a state that is declared final (broken by delete)");
  CHECK(to_string(Fault{state_is_unreachable, locked}) == "no rows lead from the start to a state (locked)");
  CHECK(to_string(Fault{trigger_is_unused, opened, push}) == "no row with a trigger leads to a state (by push)");
  CHECK(to_string(Fault{nothing_comes_first}) == "no row begins");
}

TEST_CASE("a machine knows its states, triggers, rows and final states in their order") {
  STATIC_REQUIRE(std::ranges::equal(machine.states(), std::array{opened, closed, locked, broken}));
  STATIC_REQUIRE(std::ranges::equal(machine.triggers(), std::array{build, push, unlock, delete_}));
  STATIC_REQUIRE(machine.transitions().data() == door::table.transitions.data());
  STATIC_REQUIRE(std::ranges::equal(machine.final_states(), door::table.final_states));
}

TEST_CASE("a table that is known only when the program runs is checked as the compiler checks one") {
  std::vector rows(door::table.transitions.begin(), door::table.transitions.end());
  const std::vector ends(door::table.final_states.begin(), door::table.final_states.end());
  using Made = Machine<door::State, door::Trigger>;
  const auto made = Made::make({rows, ends});
  REQUIRE(made.has_value());
  CHECK(made->step(locked, unlock).to == closed);
  rows.push_back(rows.front());
  const auto refused = Made::make({rows, ends});
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().kind == TableError::two_rows_begin_with_one_trigger);
  CHECK(refused.error().trigger == build);
  CHECK(refused.error().row == rows.size() - 1);
}

TEST_CASE("a machine is a small value of one type, whatever its table is") {
  STATIC_REQUIRE(std::same_as<decltype(machine), const Machine<door::State, door::Trigger>>);
  STATIC_REQUIRE(std::is_trivially_copyable_v<Machine<door::State, door::Trigger>>);
  STATIC_REQUIRE(std::regular<Step>);
}

}  // namespace machine_machine_test
