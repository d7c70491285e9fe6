// SPDX-License-Identifier: MIT
// A transition table as data: rows and final states.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/machine/transition.hpp>

#include <array>
#include <cstddef>
#include <span>

namespace bankhook::inline BANKHOOK_ABI {

/// The rows of a machine as they are written; `machine` proves that they make one.
template <Enumeration State, Enumeration Trigger, std::size_t Rows, std::size_t FinalStates>
struct Transitions {
  using StateType = State;
  using TriggerType = Trigger;

  std::array<Transition<State, Trigger>, Rows> transitions{};
  std::array<FinalState<State>, FinalStates> final_states{};
};

/// A table of these rows: `transitions<Door, Act>({{open, close, closed, stated, "1"}, ...}, {{gone, stated, "2"}})`.
template <Enumeration State, Enumeration Trigger, std::size_t Rows, std::size_t FinalStates>
[[nodiscard]] consteval auto transitions(const Transition<State, Trigger> (&transitions)[Rows],
                                         const FinalState<State> (&final_states)[FinalStates]) {
  return Transitions<State, Trigger, Rows, FinalStates>{std::to_array(transitions), std::to_array(final_states)};
}

/// A table without final states.
template <Enumeration State, Enumeration Trigger, std::size_t Rows>
[[nodiscard]] consteval auto transitions(const Transition<State, Trigger> (&transitions)[Rows]) {
  return Transitions<State, Trigger, Rows, 0>{std::to_array(transitions)};
}

/// A table of any size, to look at.
template <Enumeration State, Enumeration Trigger>
struct TableView {
  std::span<const Transition<State, Trigger>> transitions{};
  std::span<const FinalState<State>> final_states{};
};

/// `table` to look at, as long as it lives.
template <Enumeration State, Enumeration Trigger, std::size_t Rows, std::size_t FinalStates>
[[nodiscard]] constexpr TableView<State, Trigger> view_of(
    const Transitions<State, Trigger, Rows, FinalStates>& table BANKHOOK_LIFETIMEBOUND) {
  return {table.transitions, table.final_states};
}

}  // namespace bankhook::inline BANKHOOK_ABI
