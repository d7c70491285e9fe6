// SPDX-License-Identifier: MIT
// The sentences that the compiler says of a faulty transition table: the kind of the fault and what it concerns.
#pragma once

#include <bankhook/machine/table_errors.hpp>

#include <cstddef>

namespace bankhook::inline BANKHOOK_ABI::detail {

template <auto...>
inline constexpr bool never_true = false;

template <std::size_t Row>
struct error_row_names_no_enumerator {
  static_assert(never_true<Row>,
                "this row (transitions, then final_states, counted from 0) holds a value without enumerator");
};
template <class State>
struct error_nothing_comes_first {
  static_assert(never_true<sizeof(State)>, "add a row that begins");
};
template <auto Trigger>
struct error_two_rows_begin_with_one_trigger {
  static_assert(never_true<Trigger>, "two rows begin with this trigger");
};
template <auto State, auto Trigger>
struct error_two_rows_leave_a_state_by_one_trigger {
  static_assert(never_true<State, Trigger>, "two rows leave this state by this trigger");
};
template <auto State>
struct error_state_is_final_twice {
  static_assert(never_true<State>, "this state is declared final twice");
};
template <auto State>
struct error_state_is_missing {
  static_assert(never_true<State>, "no row names this state");
};
template <auto State>
struct error_state_is_unreachable {
  static_assert(never_true<State>, "no rows lead from the start to this state");
};
template <auto State, auto Trigger>
struct error_transition_leaves_a_final_state {
  static_assert(never_true<State, Trigger>, "this state is declared final, and this trigger leads out of it");
};
template <auto State>
struct error_state_is_a_trap {
  static_assert(never_true<State>, "this state is not final, and no expected rows lead from it to an end (or out of it)");
};
template <auto Trigger>
struct error_trigger_is_unused {
  static_assert(never_true<Trigger>, "no row with this trigger leads to a state");
};

/// The sentence for `fault`.
template <auto state, auto trigger, TableError kind, std::size_t row>
consteval auto refusal() {
  using enum TableError;
  if constexpr (kind == row_names_no_enumerator) return error_row_names_no_enumerator<row>();
  else if constexpr (kind == nothing_comes_first) return error_nothing_comes_first<decltype(state)>();
  else if constexpr (kind == two_rows_begin_with_one_trigger) return error_two_rows_begin_with_one_trigger<trigger>();
  else if constexpr (kind == two_rows_leave_a_state_by_one_trigger)
    return error_two_rows_leave_a_state_by_one_trigger<state, trigger>();
  else if constexpr (kind == state_is_final_twice) return error_state_is_final_twice<state>();
  else if constexpr (kind == state_is_missing) return error_state_is_missing<state>();
  else if constexpr (kind == state_is_unreachable) return error_state_is_unreachable<state>();
  else if constexpr (kind == transition_leaves_a_final_state)
    return error_transition_leaves_a_final_state<state, trigger>();
  else if constexpr (kind == state_is_a_trap) return error_state_is_a_trap<state>();
  else return error_trigger_is_unused<trigger>();
}

/// True for a sound table; of a faulty one the compiler says what is wrong with it.
template <const auto& table>
consteval bool is_sound() {
  constexpr auto fault = find_fault(view_of(table));
  if constexpr (fault.has_value()) {
    return sizeof(refusal<fault->state, fault->trigger, fault->kind, fault->row>()) == 0;
  }
  return true;
}

}  // namespace bankhook::inline BANKHOOK_ABI::detail
