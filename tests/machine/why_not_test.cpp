// SPDX-License-Identifier: MIT
// Why a trigger leads nowhere, as data and in words.
#include <bankhook_catch.hpp>

#include <machine/door.hpp>

#include <string_view>

namespace machine_why_not_test {

using bankhook::Verdict;
using bankhook::WhyNotReason;
using door::machine;
using enum door::State;
using enum door::Trigger;

TEST_CASE("nothing is in the way of a trigger that leads to a state, whatever its transition rests on") {
  STATIC_REQUIRE(!machine.why_not(opened, push));
  STATIC_REQUIRE(!machine.why_not(closed, push));
  STATIC_REQUIRE(!machine.why_not(closed, unlock));
  STATIC_REQUIRE(!machine.why_not(std::nullopt, build));
}

TEST_CASE("a row that says never is named with its evidence and section") {
  constexpr auto why = machine.why_not(locked, push);
  STATIC_REQUIRE(why->reason == WhyNotReason::row_says_never);
  STATIC_REQUIRE(why->verdict == Verdict::contradicts);
  STATIC_REQUIRE(why->transition == &machine.transitions()[6]);
  STATIC_REQUIRE(why->text == "push never happens in locked (stated, 2)");
  STATIC_REQUIRE(machine.why_not(opened, build)->text == "build never happens in opened (assumed, 1)");
}

TEST_CASE("a final state is named with what its being final rests on") {
  constexpr auto why = machine.why_not(broken, unlock);
  STATIC_REQUIRE(why->reason == WhyNotReason::state_is_final);
  STATIC_REQUIRE(why->verdict == Verdict::contradicts);
  STATIC_REQUIRE(why->final_state == &machine.final_states()[0]);
  STATIC_REQUIRE(why->text == "broken is final (stated, 4)");
}

TEST_CASE("a pair without a row has no transition") {
  constexpr auto why = machine.why_not(opened, delete_);
  STATIC_REQUIRE(why->reason == WhyNotReason::no_transition);
  STATIC_REQUIRE(why->verdict == Verdict::unspecified);
  STATIC_REQUIRE(why->transition == nullptr);
  STATIC_REQUIRE(why->final_state == nullptr);
  STATIC_REQUIRE(why->text == "no transition for delete in opened");
  STATIC_REQUIRE(machine.why_not({}, push)->text == "no transition for push before the first state");
}

TEST_CASE("a row without a section is explained without one") {
  STATIC_REQUIRE(machine.why_not(broken, build)->text == "build never happens in broken (assumed)");
}

TEST_CASE("why not and step agree about every pair") {
  for (const auto state : machine.states()) {
    for (const auto trigger : machine.triggers()) {
      const auto step = machine.step(state, trigger);
      const auto why = machine.why_not(state, trigger);
      REQUIRE(why.has_value() == !step.to);
      if (!why) continue;
      CHECK(why->verdict == step.verdict);
      CHECK(why->transition == step.transition);
      CHECK(why->final_state == step.final_state);
      CHECK(!why->text.empty());
    }
  }
}

}  // namespace machine_why_not_test
