// SPDX-License-Identifier: MIT
// Machines of random tables, made by the compiler: their look-ups against the rows, read one by one.
#include <bankhook_catch.hpp>

#include <bankhook/machine/draw.hpp>
#include <bankhook/machine/machine.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace machine_proven_test {

using bankhook::Evidence;
using bankhook::StateBefore;
using bankhook::Verdict;

namespace {

enum class State : std::uint8_t { one, two, three, four, five };
enum class Trigger : std::uint8_t { a, b, c };
constexpr std::size_t state_count = 5;
constexpr std::size_t trigger_count = 3;
constexpr std::size_t row_count = (state_count + 1) * trigger_count;

/// A pair each, in an order of its own; a chain through all states keeps the table sound.
template <std::uint32_t seed>
constexpr auto table = [] {
  std::uint32_t now = seed * 2654435761U + 1;
  const auto upto = [&now](std::uint32_t most) {
    now = now * 1664525U + 1013904223U;
    return (now >> 16) % (most + 1);
  };
  bankhook::Transitions<State, Trigger, row_count, 1> made;
  made.final_states[0] = {State::five, static_cast<Evidence>(upto(2)), "2"};
  for (std::size_t i = 0; i < row_count; ++i) {
    auto& row = made.transitions[i];
    const std::size_t place = i / trigger_count;
    if (place > 0) row.from = static_cast<State>(place - 1);
    row.trigger = static_cast<Trigger>(i % trigger_count);
    row.evidence = static_cast<Evidence>(upto(2));
    row.section = "1";
    row.before = static_cast<StateBefore>(upto(2));
    const bool is_chain = i % trigger_count == place % trigger_count;
    if (place == state_count) row.to = upto(1) == 0 ? std::nullopt : row.from;  // the final state, left by no transition
    else if (is_chain) row.to = static_cast<State>(place), row.before = StateBefore::assumed;
    else if (upto(2) > 0) row.to = static_cast<State>(upto(state_count - 1));
  }
  for (std::size_t i = row_count - 1; i > 0; --i)
    std::swap(made.transitions[i], made.transitions[upto(static_cast<std::uint32_t>(i))]);
  return made;
}();

template <class M>
void compare_steps(const M& machine, std::optional<State> from) {
  for (const Trigger trigger : machine.triggers()) {
    const auto is_row = [&](const auto& transition) { return transition.from == from && transition.trigger == trigger; };
    const auto row = std::ranges::find_if(machine.transitions(), is_row);
    REQUIRE(row != machine.transitions().end());
    const auto step = machine.step(from, trigger);
    CHECK(step.transition == &*row);
    CHECK(step.to == row->to);
    const bool is_stated = row->evidence == Evidence::stated, is_expected = row->to && row->before != StateBefore::unknown;
    if (!row->to) CHECK(step.verdict == (is_stated ? Verdict::contradicts : Verdict::unspecified));
    else if (!is_expected) CHECK(step.verdict == Verdict::unspecified);
    else CHECK((step.verdict == Verdict::specified) == (is_stated && row->before == StateBefore::stated));
    CHECK(machine.why_not(from, trigger).empty() == is_expected);
    const auto allowed = machine.allowed(from);
    CHECK((std::ranges::find(allowed, trigger) != allowed.end()) == is_expected);
  }
}

template <class M>
void compare_pictures(const M& machine) {
  const auto lines = [](std::string_view text, std::string_view part) {
    std::ptrdiff_t count = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
    return count;
  };
  const auto drawn =
      std::ranges::count_if(machine.transitions(), [](const auto& transition) { return transition.is_expected(); });
  const auto assumed = std::ranges::count_if(machine.transitions(), [](const auto& transition) {
    const bool is_before_assumed = transition.evidence == Evidence::stated && transition.before == StateBefore::assumed;
    return transition.is_expected() && (transition.evidence == Evidence::assumed || is_before_assumed);
  });
  CHECK(lines(to_dot(machine), " -> ") == drawn);
  CHECK(lines(to_dot(machine), "style=dashed") == assumed);
  CHECK(lines(to_mermaid(machine), " --> ") == drawn + 1);  // the final state has an arrow to the end
}

}  // namespace

TEST_CASE("what a machine looks up is what its rows say, whatever their order") {
  [&]<std::uint32_t... Seed>(std::integer_sequence<std::uint32_t, Seed...>) {
    const auto compare = [](const auto& one) {
      compare_steps(one, std::nullopt);
      for (const State state : one.states()) {
        compare_steps(one, state);
      }
      compare_pictures(one);
    };
    (compare(bankhook::machine<table<Seed>>), ...);
  }(std::make_integer_sequence<std::uint32_t, 12>());
}

}  // namespace machine_proven_test
