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
    const bool is_chain = i % trigger_count == place % trigger_count;
    if (place == state_count) row.to = upto(1) == 0 ? std::nullopt : row.from;  // the final state, left by no transition
    else if (is_chain) row.to = static_cast<State>(place);
    else if (upto(2) > 0) row.to = static_cast<State>(upto(state_count - 1));
  }
  for (std::size_t i = row_count - 1; i > 0; --i)
    std::swap(made.transitions[i], made.transitions[upto(static_cast<std::uint32_t>(i))]);
  return made;
}();

template <std::uint32_t seed>
constexpr bankhook::Machine<table<seed>> machine;

/// Rows of a shortest walk to `state`, by trying all walks of one length after another.
template <class M>
std::size_t distance(const M& machine, State state) {
  std::array<bool, state_count> here{};
  for (std::size_t length = 1;; ++length) {
    std::array<bool, state_count> next{};
    for (const auto& transition : machine.transitions()) {
      if (!transition.to) continue;
      const bool leaves = transition.from ? here[static_cast<std::size_t>(*transition.from)] : length == 1;
      if (leaves) next[static_cast<std::size_t>(*transition.to)] = true;
    }
    if (next[static_cast<std::size_t>(state)]) return length;
    here = next;
  }
}

template <class M>
void compare_steps(const M& machine, std::optional<State> from) {
  for (const Trigger trigger : machine.triggers()) {
    const auto is_row = [&](const auto& transition) { return transition.from == from && transition.trigger == trigger; };
    const auto row = std::ranges::find_if(machine.transitions(), is_row);
    REQUIRE(row != machine.transitions().end());
    const auto step = machine.step(from, trigger);
    CHECK(step.transition == &*row);
    CHECK(step.to == row->to);
    const Verdict if_stated = row->to ? Verdict::specified : Verdict::contradicts;
    const Verdict otherwise = row->to ? Verdict::assumed : Verdict::unspecified;
    CHECK(step.verdict == (row->evidence == Evidence::stated ? if_stated : otherwise));
    CHECK(machine.why_not(from, trigger).has_value() == !row->to);
    CHECK((std::ranges::find(machine.allowed(from), trigger) != machine.allowed(from).end()) == row->to.has_value());
  }
}

template <class M>
void compare_ways(const M& machine, State state) {
  const auto way = machine.path_to(state);
  REQUIRE(way.size() == distance(machine, state));
  std::optional<State> here;
  for (const auto* transition : way) {
    CHECK(transition->from == here);
    here = transition->to;
  }
  CHECK(here == state);
}

template <class M>
void compare_pictures(const M& machine) {
  const auto lines = [](std::string_view text, std::string_view part) {
    std::ptrdiff_t count = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
    return count;
  };
  const auto drawn =
      std::ranges::count_if(machine.transitions(), [](const auto& transition) { return transition.to.has_value(); });
  const auto assumed = std::ranges::count_if(machine.transitions(), [](const auto& transition) {
    return transition.to && transition.evidence == Evidence::assumed;
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
        compare_ways(one, state);
      }
      compare_pictures(one);
    };
    (compare(machine<Seed>), ...);
  }(std::make_integer_sequence<std::uint32_t, 12>());
}

}  // namespace machine_proven_test
