// SPDX-License-Identifier: MIT
// What a machine answers: steps and their verdicts, allowed triggers, ways to a state.
#include <bankhook_catch.hpp>

#include <machine/door.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

namespace machine_machine_test {

using bankhook::Evidence;
using bankhook::Machine;
using bankhook::Verdict;
using door::machine;
using enum door::State;
using enum door::Trigger;

namespace {

template <class T, std::size_t N>
constexpr bool holds(std::span<const T> items, const std::array<T, N>& expected) {
  return std::ranges::equal(items, expected);
}

/// The triggers along the way to `state`.
template <std::size_t N>
constexpr bool leads(door::State state, const std::array<door::Trigger, N>& expected) {
  return std::ranges::equal(machine.path_to(state), expected, {},
                            [](const auto* transition) { return transition->trigger; });
}

enum class Lamp : std::uint8_t { off, on };
enum class Act : std::uint8_t { press };

constexpr auto lamp_table = [] {
  using enum Lamp;
  using enum Act;
  using enum Evidence;
  return bankhook::transitions<Lamp, Act>({{off, press, on, stated, "1"}, {on, press, off, stated, "1"}}).starting_in(off);
}();
constexpr Machine<lamp_table> lamp;

enum class Guest : std::uint8_t { invited, dropped_in, gone };
enum class Visit : std::uint8_t { letter, bell, farewell };

constexpr auto guest_table = [] {
  using enum Guest;
  using enum Visit;
  using enum Evidence;
  using namespace bankhook::table_words;
  return bankhook::transitions<Guest, Visit>({{begin, letter, invited, stated, "1"},
                                              {begin, bell, dropped_in, stated, "1"},
                                              {begin, farewell, never, stated, "1"},
                                              {invited, farewell, gone, stated, "2"},
                                              {dropped_in, farewell, gone, stated, "2"}},
                                             {{gone, stated, "2"}});
}();
constexpr Machine<guest_table> guest;

}  // namespace

TEST_CASE("a step along a stated transition is specified and names the transition") {
  constexpr auto step = machine.step(opened, push);
  STATIC_REQUIRE(step.verdict == Verdict::specified);
  STATIC_REQUIRE(step.to == closed);
  STATIC_REQUIRE(step.transition == &machine.transitions()[1]);
  STATIC_REQUIRE(step.final_state == nullptr);
}

TEST_CASE("a step along a transition that only an example shows is assumed") {
  constexpr auto step = machine.step(closed, push);
  STATIC_REQUIRE(step.verdict == Verdict::assumed);
  STATIC_REQUIRE(step.to == locked);
}

TEST_CASE("a step along an assumed transition leads on and is assumed") {
  constexpr auto step = machine.step(closed, unlock);
  STATIC_REQUIRE(step.verdict == Verdict::assumed);
  STATIC_REQUIRE(step.to == opened);
  STATIC_REQUIRE(step.transition->evidence == Evidence::assumed);
}

TEST_CASE("a step that a stated row says never happens contradicts") {
  constexpr auto step = machine.step(locked, push);
  STATIC_REQUIRE(step.verdict == Verdict::contradicts);
  STATIC_REQUIRE(step.to == std::nullopt);
  STATIC_REQUIRE(step.transition == &machine.transitions()[6]);
}

TEST_CASE("a step that an assumed row says never happens is unspecified and leads nowhere") {
  constexpr auto step = machine.step(opened, build);
  STATIC_REQUIRE(step.verdict == Verdict::unspecified);
  STATIC_REQUIRE(step.to == std::nullopt);
  STATIC_REQUIRE(step.transition == &machine.transitions()[7]);
}

TEST_CASE("a step out of a state that is stated to be final contradicts and names the declaration") {
  constexpr auto step = machine.step(broken, push);
  STATIC_REQUIRE(step.verdict == Verdict::contradicts);
  STATIC_REQUIRE(step.to == std::nullopt);
  STATIC_REQUIRE(step.transition == nullptr);
  STATIC_REQUIRE(step.final_state == &machine.final_states()[0]);
}

TEST_CASE("a row about a final state says more than its being final") {
  constexpr auto step = machine.step(broken, build);
  STATIC_REQUIRE(step.verdict == Verdict::unspecified);
  STATIC_REQUIRE(step.transition == &machine.transitions()[9]);
  STATIC_REQUIRE(step.final_state == nullptr);
}

TEST_CASE("a pair that no row names is unspecified and rests on nothing") {
  constexpr auto step = machine.step(opened, delete_);
  STATIC_REQUIRE(step == bankhook::MachineStep<door::State, door::Trigger>());
  STATIC_REQUIRE(step.verdict == Verdict::unspecified);
  STATIC_REQUIRE(step.transition == nullptr);
  STATIC_REQUIRE(step.final_state == nullptr);
}

TEST_CASE("the first step is taken from no state") {
  STATIC_REQUIRE(machine.step(std::nullopt, build).to == opened);
  STATIC_REQUIRE(machine.step({}, build).verdict == Verdict::specified);
  STATIC_REQUIRE(machine.step({}, push) == bankhook::MachineStep<door::State, door::Trigger>());
}

TEST_CASE("a value that is not an enumerator is answered like a pair without a row") {
  constexpr auto nowhere = static_cast<door::State>(200);
  constexpr auto nothing = static_cast<door::Trigger>(200);
  STATIC_REQUIRE(machine.step(nowhere, push) == bankhook::MachineStep<door::State, door::Trigger>());
  STATIC_REQUIRE(machine.step(opened, nothing) == bankhook::MachineStep<door::State, door::Trigger>());
  STATIC_REQUIRE(machine.allowed(nowhere).empty());
  STATIC_REQUIRE(machine.path_to(nowhere).empty());
  STATIC_REQUIRE(machine.why_not(nowhere, push)->reason == bankhook::WhyNotReason::no_transition);
  STATIC_REQUIRE(machine.why_not(opened, nothing)->text == "the table has no transition for it");
}

TEST_CASE("allowed are the triggers that lead to a state, in the order of their enumeration") {
  STATIC_REQUIRE(holds(machine.allowed(std::nullopt), std::array{build}));
  STATIC_REQUIRE(holds(machine.allowed(opened), std::array{push, unlock}));
  STATIC_REQUIRE(holds(machine.allowed(closed), std::array{push, unlock, delete_}));
  STATIC_REQUIRE(holds(machine.allowed(locked), std::array{unlock}));
  STATIC_REQUIRE(machine.allowed(broken).empty());
}

TEST_CASE("a way to a state has as few transitions as can be, from the first one on") {
  STATIC_REQUIRE(leads(opened, std::array{build}));
  STATIC_REQUIRE(leads(closed, std::array{build, push}));
  STATIC_REQUIRE(leads(locked, std::array{build, push, push}));
  STATIC_REQUIRE(leads(broken, std::array{build, push, delete_}));
  STATIC_REQUIRE(machine.path_to(locked)[2] == &machine.transitions()[2]);
}

TEST_CASE("a machine starts where its only first row leads") { STATIC_REQUIRE(machine.start() == opened); }

TEST_CASE("a machine may start in a declared state, with no way to go there") {
  STATIC_REQUIRE(lamp.start() == Lamp::off);
  STATIC_REQUIRE(lamp.path_to(Lamp::off).empty());
  STATIC_REQUIRE(lamp.path_to(Lamp::on).size() == 1);
  STATIC_REQUIRE(lamp.allowed(std::nullopt).empty());
  STATIC_REQUIRE(lamp.final_states().empty());
}

TEST_CASE("a machine that begins in one of several states has no start of its own") {
  STATIC_REQUIRE(guest.start() == std::nullopt);
  STATIC_REQUIRE(guest.step({}, Visit::letter).to == Guest::invited);
  STATIC_REQUIRE(guest.step({}, Visit::bell).to == Guest::dropped_in);
  STATIC_REQUIRE(guest.step({}, Visit::farewell).verdict == Verdict::contradicts);
  STATIC_REQUIRE(guest.why_not({}, Visit::farewell)->text == "farewell never happens before the first state (stated, 1)");
}

TEST_CASE("of equally short ways to a state, the one whose last transition comes first in the table is given") {
  STATIC_REQUIRE(guest.path_to(Guest::gone).size() == 2);
  STATIC_REQUIRE(guest.path_to(Guest::gone)[0] == &guest.transitions()[0]);
  STATIC_REQUIRE(guest.path_to(Guest::gone)[1] == &guest.transitions()[3]);
}

TEST_CASE("a machine knows its states, triggers, rows and final states in their order") {
  STATIC_REQUIRE(holds(machine.states(), std::array{opened, closed, locked, broken}));
  STATIC_REQUIRE(holds(machine.triggers(), std::array{build, push, unlock, delete_}));
  STATIC_REQUIRE(std::ranges::equal(machine.transitions(), door::table.transitions));
  STATIC_REQUIRE(std::ranges::equal(machine.final_states(), door::table.final_states));
}

TEST_CASE("a machine is empty, holds no current state and views its table") {
  STATIC_REQUIRE(std::is_empty_v<decltype(machine)>);
  STATIC_REQUIRE(std::regular<bankhook::MachineStep<door::State, door::Trigger>>);
  STATIC_REQUIRE(std::is_trivially_copyable_v<bankhook::MachineStep<door::State, door::Trigger>>);
  STATIC_REQUIRE(machine.transitions().data() == door::table.transitions.data());
}

}  // namespace machine_machine_test
