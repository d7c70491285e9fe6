// SPDX-License-Identifier: MIT
// What can be wrong with a transition table, found by looking at its rows, in the compiler or while the program runs.
#pragma once

#include <bankhook/machine/transitions.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace bankhook::inline BANKHOOK_ABI {

/// What can be wrong with a table, in the order in which it is looked for: each kind takes those before it as excluded. A
/// row that is unexpected may leave a final state, begins nothing, and leads out of no trap.
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
  switch (error) {
    case TableError::row_names_no_enumerator: return "a row has a value that is not an enumerator";
    case TableError::nothing_comes_first: return "no row begins";
    case TableError::two_rows_begin_with_one_trigger: return "two rows begin with one trigger";
    case TableError::two_rows_leave_a_state_by_one_trigger: return "two rows leave a state by one trigger";
    case TableError::state_is_final_twice: return "a state is declared final twice";
    case TableError::state_is_missing: return "no row names a state";
    case TableError::state_is_unreachable: return "no rows lead from the start to a state";
    case TableError::transition_leaves_a_final_state: return "a row leaves a state that is declared final";
    case TableError::state_is_a_trap: return "a state is not final, and no rows lead from it to an end";
    case TableError::trigger_is_unused: return "no row with a trigger leads to a state";
  }
  return "unknown error";
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

}  // namespace bankhook::inline BANKHOOK_ABI

namespace bankhook::inline BANKHOOK_ABI::detail {

template <Enumeration E>
constexpr bool is_enumerator_of(E value) {
  const auto number = static_cast<std::underlying_type_t<E>>(value);
  if constexpr (std::is_signed_v<std::underlying_type_t<E>>) {
    if (number < 0) return false;
  }
  return static_cast<std::size_t>(number) < enumerator_count<E>;
}
template <Enumeration E>
constexpr bool is_enumerator_of(std::optional<E> value) {
  return !value || is_enumerator_of(*value);
}

template <Enumeration E>
constexpr std::size_t index_of(E value) {
  return static_cast<std::size_t>(value);
}

/// One look at each promise. Each function returns the first fault of its kinds, or nothing.
template <Enumeration State, Enumeration Trigger>
struct Validation {
  using Fault = FoundFault<State, Trigger>;
  using Row = Transition<State, Trigger>;
  using States = std::array<bool, enumerator_count<State>>;

  TableView<State, Trigger> table;

  constexpr std::optional<Fault> values() const {
    for (std::size_t i = 0; i < table.transitions.size(); ++i) {
      const Row& row = table.transitions[i];
      if (!is_enumerator_of(row.from) || !is_enumerator_of(row.trigger) || !is_enumerator_of(row.to)) {
        return Fault{TableError::row_names_no_enumerator, {}, {}, i};
      }
    }
    for (std::size_t i = 0; i < table.final_states.size(); ++i) {
      if (is_enumerator_of(table.final_states[i].state)) continue;
      return Fault{TableError::row_names_no_enumerator, {}, {}, table.transitions.size() + i};
    }
    return {};
  }

  constexpr std::optional<Fault> start() const {
    for (const Row& row : table.transitions) {
      if (!row.from && row.is_expected()) return {};
    }
    return Fault{TableError::nothing_comes_first};
  }

  constexpr std::optional<Fault> ambiguity() const {
    for (std::size_t i = 0; i < table.transitions.size(); ++i) {
      const Row& row = table.transitions[i];
      for (const Row& earlier : table.transitions.first(i)) {
        if (earlier.from != row.from || earlier.trigger != row.trigger) continue;
        if (!row.from) return Fault{TableError::two_rows_begin_with_one_trigger, {}, row.trigger, i};
        return Fault{TableError::two_rows_leave_a_state_by_one_trigger, *row.from, row.trigger, i};
      }
    }
    return {};
  }

  constexpr std::optional<Fault> final_states() const {
    for (std::size_t i = 0; i < table.final_states.size(); ++i) {
      for (const auto& earlier : table.final_states.first(i)) {
        if (earlier.state != table.final_states[i].state) continue;
        return Fault{TableError::state_is_final_twice, earlier.state, {}, table.transitions.size() + i};
      }
    }
    return {};
  }

  constexpr std::optional<Fault> presence() const {
    for (std::size_t i = 0; i < enumerator_count<State>; ++i) {
      if (!is_present(static_cast<State>(i))) return Fault{TableError::state_is_missing, static_cast<State>(i)};
    }
    return {};
  }

  constexpr std::optional<Fault> reachability() const {
    const auto reached = reachable();
    for (std::size_t i = 0; i < reached.size(); ++i) {
      if (!reached[i]) return Fault{TableError::state_is_unreachable, static_cast<State>(i)};
    }
    return {};
  }

  constexpr std::optional<Fault> ends() const {
    for (std::size_t i = 0; i < table.transitions.size(); ++i) {
      const Row& row = table.transitions[i];
      if (!leaves_a_state(row) || !is_final(*row.from)) continue;
      return Fault{TableError::transition_leaves_a_final_state, *row.from, row.trigger, i};
    }
    const auto escapes = table.final_states.empty() ? left_states() : states_with_an_end();
    for (std::size_t i = 0; i < escapes.size(); ++i) {
      if (!escapes[i]) return Fault{TableError::state_is_a_trap, static_cast<State>(i)};
    }
    return {};
  }

  constexpr std::optional<Fault> use_of_triggers() const {
    std::array<bool, enumerator_count<Trigger>> used{};
    for (const Row& row : table.transitions) {
      if (row.to) used[index_of(row.trigger)] = true;
    }
    for (std::size_t i = 0; i < used.size(); ++i) {
      if (!used[i]) return Fault{TableError::trigger_is_unused, {}, static_cast<Trigger>(i)};
    }
    return {};
  }

 private:
  static constexpr bool leaves_a_state(const Row& row) { return row.from && row.is_expected() && row.from != row.to; }

  constexpr bool is_final(State state) const {
    for (const auto& final_state : table.final_states) {
      if (final_state.state == state) return true;
    }
    return false;
  }
  constexpr bool is_present(State state) const {
    for (const Row& row : table.transitions) {
      if (row.from == state || row.to == state) return true;
    }
    return is_final(state);
  }

  /// Rows that are unexpected count here: a state may be one that nobody expects.
  constexpr States reachable() const {
    States reached{};
    for (bool grows = true; grows;) {
      grows = false;
      for (const Row& row : table.transitions) {
        if (!row.to || reached[index_of(*row.to)] || (row.from && !reached[index_of(*row.from)])) continue;
        reached[index_of(*row.to)] = grows = true;
      }
    }
    return reached;
  }
  constexpr States left_states() const {
    States left{};
    for (const Row& row : table.transitions) {
      if (leaves_a_state(row)) left[index_of(*row.from)] = true;
    }
    return left;
  }
  constexpr States states_with_an_end() const {
    States ending{};
    for (const auto& final_state : table.final_states) ending[index_of(final_state.state)] = true;
    for (bool grows = true; grows;) {
      grows = false;
      for (const Row& row : table.transitions) {
        if (!leaves_a_state(row) || ending[index_of(*row.from)] || !ending[index_of(*row.to)]) continue;
        ending[index_of(*row.from)] = grows = true;
      }
    }
    return ending;
  }
};

}  // namespace bankhook::inline BANKHOOK_ABI::detail

namespace bankhook::inline BANKHOOK_ABI {

/// The first fault of a table in the order of `TableError`, or nothing for a sound one. `machine` calls it in the compiler;
/// `Machine::make` for a table that is known only when the program runs.
template <Enumeration State, Enumeration Trigger>
[[nodiscard]] constexpr std::optional<FoundFault<State, Trigger>> find_fault(TableView<State, Trigger> table) {
  const detail::Validation<State, Trigger> look{table};
  if (const auto fault = look.values()) return fault;  // the others index by these values
  if (const auto fault = look.start()) return fault;
  if (const auto fault = look.ambiguity()) return fault;
  if (const auto fault = look.final_states()) return fault;
  if (const auto fault = look.presence()) return fault;
  if (const auto fault = look.reachability()) return fault;
  if (const auto fault = look.ends()) return fault;
  return look.use_of_triggers();
}

}  // namespace bankhook::inline BANKHOOK_ABI
