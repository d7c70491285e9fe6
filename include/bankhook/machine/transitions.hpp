// SPDX-License-Identifier: MIT
// A transition table as data: rows, final states, and where it starts.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/machine/edge.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <span>

namespace bankhook {

/// The rows of a machine as they are written; `Machine` proves that they make one.
template <Enumeration State, Enumeration Trigger, std::size_t Edges, std::size_t Finals>
struct Transitions {
  using StateType = State;
  using TriggerType = Trigger;

  std::array<Edge<State, Trigger>, Edges> edges{};
  std::array<Final<State>, Finals> finals{};
  std::optional<State> start{};  ///< for a table without `begin` rows

  /// The same table for a machine that is in `state` from the first moment on, without a trigger that leads there.
  [[nodiscard]] consteval Transitions starting_in(State state) const {
    Transitions table = *this;
    table.start = state;
    return table;
  }
};

template <class T>
inline constexpr bool is_transitions = false;
template <class State, class Trigger, std::size_t Edges, std::size_t Finals>
inline constexpr bool is_transitions<Transitions<State, Trigger, Edges, Finals>> = true;

/// What a machine is made of.
template <class T>
concept TransitionTable = is_transitions<T>;

/// A table of these rows: `transitions<Door, Act>({{open, close, closed, stated, "1"}, ...}, {{gone, stated, "2"}})`.
template <Enumeration State, Enumeration Trigger, std::size_t Edges, std::size_t Finals>
[[nodiscard]] consteval auto transitions(const Edge<State, Trigger> (&edges)[Edges], const Final<State> (&finals)[Finals]) {
  return Transitions<State, Trigger, Edges, Finals>{std::to_array(edges), std::to_array(finals)};
}

/// A table without final states.
template <Enumeration State, Enumeration Trigger, std::size_t Edges>
[[nodiscard]] consteval auto transitions(const Edge<State, Trigger> (&edges)[Edges]) {
  return Transitions<State, Trigger, Edges, 0>{std::to_array(edges)};
}

/// A table of any size, to look at.
template <Enumeration State, Enumeration Trigger>
struct TableView {
  std::span<const Edge<State, Trigger>> edges{};
  std::span<const Final<State>> finals{};
  std::optional<State> start{};
};

/// `table` to look at, as long as it lives.
template <Enumeration State, Enumeration Trigger, std::size_t Edges, std::size_t Finals>
[[nodiscard]] constexpr TableView<State, Trigger> view_of(
    const Transitions<State, Trigger, Edges, Finals>& table BANKHOOK_LIFETIMEBOUND) {
  return {table.edges, table.finals, table.start};
}

}  // namespace bankhook
