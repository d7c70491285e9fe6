// SPDX-License-Identifier: MIT
// A transition table that the compiler has proven, and the questions that it answers by looking them up.
#pragma once

#include <bankhook/machine/diagnostics.hpp>
#include <bankhook/machine/shortest_paths.hpp>
#include <bankhook/machine/transition.hpp>
#include <bankhook/machine/transitions.hpp>
#include <bankhook/machine/why_not.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>

namespace bankhook::inline BANKHOOK_ABI {

/// The machine of `table`, a `constexpr` variable of static storage made by `transitions`. It is empty, holds no current
/// state and can be asked from everywhere at once; all of it works in constant expressions, and what it returns views
/// static storage. To name it compiles only where the table is sound (`TableError` lists what it can be refused for).
template <const auto& table>
  requires TransitionTable<std::remove_cvref_t<decltype(table)>>
class Machine {
  static_assert(detail::is_sound<table>(), "the_transition_table_is_sound");

 public:
  using State = typename std::remove_cvref_t<decltype(table)>::StateType;
  using Trigger = typename std::remove_cvref_t<decltype(table)>::TriggerType;

  /// All states, in the order of their enumeration.
  [[nodiscard]] static constexpr std::span<const State> states() { return detail::all_of<State>; }
  /// All triggers, in the order of their enumeration.
  [[nodiscard]] static constexpr std::span<const Trigger> triggers() { return detail::all_of<Trigger>; }
  /// The rows as they are written, those that say never among them.
  [[nodiscard]] static constexpr std::span<const Transition<State, Trigger>> transitions() { return table.transitions; }
  /// The final states as they are declared.
  [[nodiscard]] static constexpr std::span<const FinalState<State>> final_states() { return table.final_states; }

  /// The state that the machine is in first, where there is only one; else nothing.
  [[nodiscard]] static constexpr std::optional<State> start() { return detail::first_state<table>; }

  /// What the table says about `trigger` in `from` (empty: before the first state); one look-up. Values that are no
  /// enumerators are answered like a pair that no row names.
  [[nodiscard]] static constexpr MachineStep<State, Trigger> step(std::optional<State> from, Trigger trigger) {
    if (!detail::is_enumerator_of(from) || !detail::is_enumerator_of(trigger)) return {};
    return detail::steps<table>[detail::pair_index(from, trigger)];
  }

  /// The triggers that lead from `from` (empty: before the first state) to a state, whatever the evidence.
  [[nodiscard]] static constexpr std::span<const Trigger> allowed(std::optional<State> from) {
    if (!detail::is_enumerator_of(from)) return {};
    return detail::allowed_triggers<table>.at(detail::place_index(from));
  }

  /// Why `trigger` leads nowhere in `from` (empty: before the first state); nothing where it leads to a state.
  [[nodiscard]] static constexpr std::optional<WhyNot<State, Trigger>> why_not(std::optional<State> from, Trigger trigger) {
    return detail::why_not<table>(from, trigger);
  }

  /// The transitions of a shortest way from the start to `state`, the first one first; among equally short ones a way whose
  /// last transition is written first. Empty for a declared start, and for a value that is not an enumerator.
  [[nodiscard]] static constexpr std::span<const Transition<State, Trigger>* const> path_to(State state) {
    if (!detail::is_enumerator_of(state)) return {};
    return detail::shortest_paths<table>.at(detail::index_of(state));
  }
};

}  // namespace bankhook::inline BANKHOOK_ABI
