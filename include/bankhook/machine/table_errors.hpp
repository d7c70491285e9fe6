// SPDX-License-Identifier: MIT
// What can be wrong with a transition table, found by looking at its rows, in the compiler or while the program runs.
#pragma once

#include <bankhook/machine/transition.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook { inline namespace BANKHOOK_ABI {

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

/// The name of an enumerator as people read it: `delete_` is delete.
constexpr std::string_view plain_name(Enumeration auto value) {
  const std::string_view name = name_of(value);
  return name.substr(0, name.find_last_not_of('_') + 1);
}

/// Whether a fault of this kind concerns a state.
constexpr bool names_state(TableError kind) {
  using enum TableError;
  return kind >= two_rows_leave_a_state_by_one_trigger && kind != trigger_is_unused;
}
/// The same of a trigger.
constexpr bool names_trigger(TableError kind) {
  using enum TableError;
  return kind == two_rows_begin_with_one_trigger || kind == two_rows_leave_a_state_by_one_trigger ||
         kind == transition_leaves_a_final_state || kind == trigger_is_unused;
}

/// A row as numbers: those of its enumerators; the number of all states for the place before the first one, and where it
/// leads nowhere. A final state is one, too.
struct NumberedRow {
  std::size_t from = 0;
  std::size_t trigger = 0;
  std::size_t to = 0;
  bool is_expected = false;
};

/// Numbers instead of enumerators, as in FoundFault.
struct NumberedFault {
  TableError kind{};
  std::size_t state = 0;
  std::size_t trigger = 0;
  std::size_t row = 0;
};

/// All that a proof needs of a table, so that no machine needs a proof of its own.
struct NumberedTable {
  using Fault = std::optional<NumberedFault>;
  /// A bit for each state, and the next one for the place before the first state.
  using Places = std::uint64_t;

  std::size_t states;
  std::size_t triggers;
  const NumberedRow* rows;
  std::size_t row_count;
  std::size_t end;  ///< of the final states, which follow the rows

  constexpr Fault fault() const {
    const Fault first = fault_of_a_row();
    return first ? first : fault_of_all_rows();
  }

  constexpr Fault fault_of_a_row() const {
    bool begins = false;
    for (std::size_t i = 0; i < end; ++i) {
      const auto [from, trigger, to, is_expected] = rows[i];
      if (from > states || to > states || trigger >= triggers)
        return NumberedFault{TableError::row_names_no_enumerator, 0, 0, i};
      begins |= from == states && is_expected;
    }
    if (!begins) return NumberedFault{TableError::nothing_comes_first};
    for (std::size_t i = 0; i < end; ++i) {
      const auto [from, trigger, to, is_expected] = rows[i];
      for (std::size_t before = i < row_count ? 0 : row_count; before < i; ++before) {
        if (rows[before].from != from || rows[before].trigger != trigger) continue;
        if (i >= row_count) return NumberedFault{TableError::state_is_final_twice, from, 0, i};
        if (from == states) return NumberedFault{TableError::two_rows_begin_with_one_trigger, 0, trigger, i};
        return NumberedFault{TableError::two_rows_leave_a_state_by_one_trigger, from, trigger, i};
      }
    }
    return {};
  }

  constexpr Fault fault_of_all_rows() const {
    Places finals = 0;
    for (std::size_t i = row_count; i < end; ++i) finals |= at(rows[i].from);
    Places named = finals, reached = at(states), escaping = finals;
    // Rows that are unexpected count, too: a state may be one that nobody expects, and left by nothing else.
    for (bool grows = true; grows;) {
      grows = false;
      for (std::size_t i = 0; i < row_count; ++i) {
        const Places from = at(rows[i].from), to = at(rows[i].to);
        named |= from | to;
        if (rows[i].to != states && (reached & from) != 0) grows |= adds(reached, to);
        if (leaves(rows[i]) && (finals == 0 || (escaping & to) != 0)) grows |= adds(escaping, from);
      }
    }
    if (const std::size_t state = first_without(named); state < states)
      return NumberedFault{TableError::state_is_missing, state};
    if (const std::size_t state = first_without(reached); state < states)
      return NumberedFault{TableError::state_is_unreachable, state};
    for (std::size_t i = 0; i < row_count; ++i) {
      if (leaves(rows[i]) && rows[i].is_expected && (finals & at(rows[i].from)) != 0)
        return NumberedFault{TableError::transition_leaves_a_final_state, rows[i].from, rows[i].trigger, i};
    }
    if (const std::size_t state = first_without(escaping); state < states)
      return NumberedFault{TableError::state_is_a_trap, state};
    for (std::size_t trigger = 0; trigger < triggers; ++trigger) {
      bool is_used = false;
      for (std::size_t i = 0; i < row_count; ++i) is_used |= rows[i].trigger == trigger && rows[i].to != states;
      if (!is_used) return NumberedFault{TableError::trigger_is_unused, 0, trigger};
    }
    return {};
  }

  static constexpr Places at(std::size_t place) { return Places{1} << place; }
  /// Whether it was not among them.
  static constexpr bool adds(Places& places, Places one) { return std::exchange(places, places | one) != (places | one); }
  static constexpr std::size_t first_without(Places places) { return static_cast<std::size_t>(std::countr_one(places)); }
  constexpr bool leaves(const NumberedRow& row) const {
    return row.from != states && row.to != states && row.from != row.to;
  }
};

/// The number of an enumerator; the largest one for another value.
template <Enumeration E>
constexpr std::size_t number_of(E value) {
  const auto number = static_cast<std::size_t>(value);
  return number < enumerator_count<E> ? number : static_cast<std::size_t>(-1);
}

/// The first fault of a table, whose rows become numbers in `rows`, which has room for them and for the final states.
template <Enumeration State, Enumeration Trigger>
constexpr std::optional<NumberedFault> numbered_fault(Rows<Transition<State, Trigger>> transitions,
                                                      Rows<FinalState<State>> final_states, NumberedRow* rows) {
  constexpr std::size_t states = enumerator_count<State>;
  static_assert(states < 64, "a machine has at most 63 states");
  std::size_t count = 0;
  for (const Transition<State, Trigger>& row : transitions) {
    const std::size_t from = row.from ? number_of(*row.from) : states, to = row.to ? number_of(*row.to) : states;
    rows[count++] = {from, number_of(row.trigger), to, row.is_expected()};
  }
  for (const FinalState<State>& one : final_states) rows[count++] = {number_of(one.state), 0, states, false};
  return NumberedTable{states, enumerator_count<Trigger>, rows, transitions.count, count}.fault();
}

}  // namespace detail

/// The first fault of a table in the order of `TableError`, or nothing for a sound one. `machine` calls it in the compiler;
/// `Machine::make` for a table that is known only when the program runs.
template <Enumeration State, Enumeration Trigger>
[[nodiscard]] constexpr std::optional<FoundFault<State, Trigger>> find_fault(TableView<State, Trigger> table) {
  std::vector<detail::NumberedRow> rows(table.transitions.size() + table.final_states.size());
  const auto fault = detail::numbered_fault<State, Trigger>(table.transitions, table.final_states, rows.data());
  if (!fault) return {};
  const auto [kind, state, trigger, row] = *fault;
  return FoundFault<State, Trigger>{kind, static_cast<State>(state), static_cast<Trigger>(trigger), row};
}

/// The sentence of a fault and what it concerns, for people: `a row leaves a state that is declared final (deleted by
/// create)`.
template <Enumeration State, Enumeration Trigger>
[[nodiscard]] constexpr std::string to_string(const FoundFault<State, Trigger>& fault) {
  std::string concerned;
  if (detail::names_state(fault.kind)) concerned = detail::plain_name(fault.state);
  if (detail::names_trigger(fault.kind))
    concerned.append(concerned.empty() ? "by " : " by ").append(detail::plain_name(fault.trigger));
  const std::string sentence(to_string(fault.kind));
  return concerned.empty() ? sentence : sentence + " (" + concerned + ")";
}

}}  // namespace bankhook::BANKHOOK_ABI
