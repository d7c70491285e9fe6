// SPDX-License-Identifier: MIT
// What can be wrong with a transition table, found by looking at its rows, in the compiler or while the program runs.
#pragma once

#include <bankhook/machine/transition.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace bankhook::inline BANKHOOK_ABI {

/// What can be wrong with a table, in the order in which it is looked for: each kind takes those before it as excluded. A
/// row that is unexpected may leave a final state, and begins nothing.
enum class TableError : std::uint8_t {
  row_names_no_enumerator,                ///< a state or a trigger is no enumerator of its enumeration
  nothing_comes_first,                    ///< no row begins
  two_rows_begin_with_one_trigger,        ///< what comes first is not determined
  two_rows_leave_a_state_by_one_trigger,  ///< what comes next is not determined; a row that says never counts
  state_is_final_twice,
  state_is_missing,                 ///< it stands in no row and is not declared final
  state_is_unreachable,             ///< no rows lead to it from the start
  transition_leaves_a_final_state,  ///< for another state; a transition back to the same one does not leave it
  state_is_a_trap,                  ///< it leads to no final state; or, in a table without them, to no other state
  trigger_is_unused,                ///< no row with it leads anywhere
};

/// The sentence of an error, for people. Static storage.
[[nodiscard]] constexpr std::string_view to_string(TableError error) {
  constexpr std::string_view sentences[] = {
      "a row has a value that is not an enumerator",
      "no row begins",
      "two rows begin with one trigger",
      "two rows leave a state by one trigger",
      "a state is declared final twice",
      "no row names a state",
      "no rows lead from the start to a state",
      "a row leaves a state that is declared final",
      "a state is not final, and no rows lead from it to an end",
      "no row with a trigger leads to a state",
  };
  const auto index = static_cast<std::size_t>(error);
  return index < std::size(sentences) ? sentences[index] : "unknown error";
}

/// A fault and what it concerns. Which of the fields say something follows from the kind.
template <Enumeration State, Enumeration Trigger>
struct FoundFault {
  TableError kind{};
  State state{};
  Trigger trigger{};
  std::size_t row = 0;  ///< of the transitions, or of the final_states after them, counted from 0

  constexpr bool operator==(const FoundFault&) const = default;
};

namespace detail {

/// One look at each promise. Each function returns the first fault of its kinds, or nothing; `values` comes first, because
/// the others index by them. Plain loops over bits: every unit that includes a table proves it.
template <Enumeration State, Enumeration Trigger>
struct Validation {
  using Fault = FoundFault<State, Trigger>;
  using Row = Transition<State, Trigger>;
  /// A bit for each state, and the next one for the place before the first state.
  using Places = std::uint64_t;

  static constexpr std::size_t begin = enumerator_count<State>;
  static_assert(begin < 64, "a_machine_has_at_most_63_states");

  std::span<const Row> rows;
  std::span<const FinalState<State>> final_states;

  constexpr std::optional<Fault> values() const {
    const auto is_wrong = [](std::optional<State> state) { return state && static_cast<std::size_t>(*state) >= begin; };
    const auto is_trigger = [](Trigger one) { return static_cast<std::size_t>(one) < enumerator_count<Trigger>; };
    for (std::size_t i = 0; i < rows.size() + final_states.size(); ++i) {
      const bool is_row = i < rows.size();
      if (is_row ? is_wrong(rows[i].from) || is_wrong(rows[i].to) || !is_trigger(rows[i].trigger)
                 : is_wrong(final_states[i - rows.size()].state))
        return Fault{TableError::row_names_no_enumerator, {}, {}, i};
    }
    return {};
  }

  constexpr std::optional<Fault> ambiguity() const {
    const auto begins = [](const Row& row) { return !row.from && row.is_expected(); };
    if (std::none_of(rows.begin(), rows.end(), begins)) return Fault{TableError::nothing_comes_first};
    std::array<Places, enumerator_count<Trigger>> left{};  // by each trigger
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Row& row = rows[i];
      if (adds(left[static_cast<std::size_t>(row.trigger)], at(row.from))) continue;
      if (!row.from) return Fault{TableError::two_rows_begin_with_one_trigger, {}, row.trigger, i};
      return Fault{TableError::two_rows_leave_a_state_by_one_trigger, *row.from, row.trigger, i};
    }
    Places finals = 0;
    for (std::size_t i = 0; i < final_states.size(); ++i) {
      const State state = final_states[i].state;
      if (!adds(finals, at(state))) return Fault{TableError::state_is_final_twice, state, {}, rows.size() + i};
    }
    return {};
  }

  constexpr std::optional<Fault> states() const {
    Places finals = 0;
    for (const auto& one : final_states) finals |= at(one.state);
    Places named = finals, reached = at({}), escaping = finals;
    // Rows that are unexpected count, too: a state may be one that nobody expects, and left by nothing else.
    for (bool grows = true; grows;) {
      grows = false;
      for (const Row& row : rows) {
        const Places from = at(row.from), to = at(row.to);
        named |= from | to;
        if (row.to && (reached & from) != 0) grows |= adds(reached, to);
        if (leaves(row) && (final_states.empty() || (escaping & to) != 0)) grows |= adds(escaping, from);
      }
    }
    if (const auto fault = first_without(named, TableError::state_is_missing)) return fault;
    if (const auto fault = first_without(reached, TableError::state_is_unreachable)) return fault;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (leaves(rows[i]) && rows[i].is_expected() && (finals & at(rows[i].from)) != 0)
        return Fault{TableError::transition_leaves_a_final_state, *rows[i].from, rows[i].trigger, i};
    }
    return first_without(escaping, TableError::state_is_a_trap);
  }

  constexpr std::optional<Fault> triggers() const {
    std::array<bool, enumerator_count<Trigger>> used{};
    for (const Row& row : rows) {
      if (row.to) used[static_cast<std::size_t>(row.trigger)] = true;
    }
    const auto unused = std::find(used.begin(), used.end(), false);
    if (unused == used.end()) return {};
    return Fault{TableError::trigger_is_unused, {}, static_cast<Trigger>(unused - used.begin())};
  }

 private:
  static constexpr Places at(std::optional<State> state) {
    return Places{1} << (state ? static_cast<std::size_t>(*state) : begin);
  }
  /// Whether it was not among them.
  static constexpr bool adds(Places& places, Places one) { return std::exchange(places, places | one) != (places | one); }
  static constexpr bool leaves(const Row& row) { return row.from && row.to && *row.from != *row.to; }
  static constexpr std::optional<Fault> first_without(Places places, TableError kind) {
    const auto first = static_cast<std::size_t>(std::countr_one(places));
    return first < begin ? std::optional(Fault{kind, static_cast<State>(first)}) : std::nullopt;
  }
};

}  // namespace detail

/// The first fault of a table in the order of `TableError`, or nothing for a sound one. `machine` calls it in the compiler;
/// `Machine::make` for a table that is known only when the program runs.
template <Enumeration State, Enumeration Trigger>
[[nodiscard]] constexpr std::optional<FoundFault<State, Trigger>> find_fault(TableView<State, Trigger> table) {
  using Look = detail::Validation<State, Trigger>;
  for (const auto first_fault : {&Look::values, &Look::ambiguity, &Look::states, &Look::triggers}) {
    if (const auto fault = (Look{table.transitions, table.final_states}.*first_fault)()) return fault;
  }
  return {};
}

}  // namespace bankhook::inline BANKHOOK_ABI
