// SPDX-License-Identifier: MIT
// A transition table as data: rows, final states, and where it starts.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/machine/transition.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <span>

namespace bankhook::inline BANKHOOK_ABI {

/// The rows of a machine as they are written; `Machine` proves that they make one.
template <Enumeration State, Enumeration Trigger, std::size_t Rows, std::size_t FinalStates>
struct Transitions {
  using StateType = State;
  using TriggerType = Trigger;

  std::array<Transition<State, Trigger>, Rows> transitions{};
  std::array<FinalState<State>, FinalStates> final_states{};
  std::optional<State> start{};  ///< for a table without `begin` rows

  /// The same table for a machine that is in `state` from the first moment on, without a trigger that leads there.
  [[nodiscard]] consteval Transitions starting_in(State state) const {
    Transitions table = *this;
    table.start = state;
    return table;
  }
};

}  // namespace bankhook::inline BANKHOOK_ABI

namespace bankhook::inline BANKHOOK_ABI::detail {

template <class T>
inline constexpr bool is_transitions = false;
template <class State, class Trigger, std::size_t Rows, std::size_t FinalStates>
inline constexpr bool is_transitions<Transitions<State, Trigger, Rows, FinalStates>> = true;

}  // namespace bankhook::inline BANKHOOK_ABI::detail

namespace bankhook::inline BANKHOOK_ABI {

/// What a machine is made of.
template <class T>
concept TransitionTable = detail::is_transitions<T>;

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
  std::optional<State> start{};
};

/// `table` to look at, as long as it lives.
template <Enumeration State, Enumeration Trigger, std::size_t Rows, std::size_t FinalStates>
[[nodiscard]] constexpr TableView<State, Trigger> view_of(
    const Transitions<State, Trigger, Rows, FinalStates>& table BANKHOOK_LIFETIMEBOUND) {
  return {table.transitions, table.final_states, table.start};
}

}  // namespace bankhook::inline BANKHOOK_ABI
