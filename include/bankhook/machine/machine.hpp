// SPDX-License-Identifier: MIT
// A transition table that was proven, in the compiler or while the program runs, and the questions that it answers.
#pragma once

#include <bankhook/machine/table_errors.hpp>
#include <bankhook/machine/transition.hpp>

#include <array>
#include <cstddef>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace bankhook { inline namespace BANKHOOK_ABI {
namespace detail {

template <Enumeration E>
inline constexpr auto all_of = []<std::size_t... At>(std::index_sequence<At...>) {
  return std::array<E, sizeof...(At)>{static_cast<E>(At)...};
}(std::make_index_sequence<enumerator_count<E>>());

/// What the compiler says of a faulty table: its error, and the row, state or trigger that this concerns.
template <TableError error, auto... concerned>
struct error_in_the_transition_table {
  using enum TableError;
  static_assert(error != row_names_no_enumerator, "write an enumerator in the row with this number");
  static_assert(error != nothing_comes_first, "write a row of the transition table that begins");
  static_assert(error != two_rows_begin_with_one_trigger, "leave one row that begins with this trigger");
  static_assert(error != two_rows_leave_a_state_by_one_trigger, "leave one row for this state and this trigger");
  static_assert(error != state_is_final_twice, "declare this state final once");
  static_assert(error != state_is_missing, "write a row for this state, or declare it final");
  static_assert(error != state_is_unreachable, "write a row that leads to this state from where the table begins");
  static_assert(error != transition_leaves_a_final_state, "delete the row that leaves this final state");
  static_assert(error != state_is_a_trap, "declare this state final, or write a row that leads from it to an end");
  static_assert(error != trigger_is_unused, "write a row with this trigger that leads to a state");
};

/// The first fault of a table of static storage. A function, because gcc 12 reads no such table in a lambda.
template <class State, class Trigger, const auto& table>
consteval std::optional<NumberedFault> fault_of() {
  NumberedRow rows[table.transitions.size() + table.final_states.size() + 1]{};
  return numbered_fault<State, Trigger>(table.transitions, table.final_states, rows);
}

/// What the first fault of a table is refused with; void if it has none.
template <const auto& table>
consteval auto refusal() {
  using State = typename std::remove_cvref_t<decltype(table)>::StateType;
  using Trigger = typename std::remove_cvref_t<decltype(table)>::TriggerType;
  constexpr auto fault = fault_of<State, Trigger, table>();
  if constexpr (fault) {
    constexpr auto kind = fault->kind;
    constexpr auto state = static_cast<State>(fault->state);
    constexpr auto trigger = static_cast<Trigger>(fault->trigger);
    constexpr bool has_state = names_state(kind), has_trigger = names_trigger(kind);
    if constexpr (kind == TableError::row_names_no_enumerator) return error_in_the_transition_table<kind, fault->row>();
    else if constexpr (has_state && has_trigger) return error_in_the_transition_table<kind, state, trigger>();
    else if constexpr (has_state) return error_in_the_transition_table<kind, state>();
    else if constexpr (has_trigger) return error_in_the_transition_table<kind, trigger>();
    else return error_in_the_transition_table<kind>();
  }
}

template <const auto& table, class Refusal>
consteval auto proven();

}  // namespace detail

/// A sound table, to look at: made by `machine` for a table of static storage, or by `make`. It has no current
/// state, is as small as two spans and can be asked from everywhere at once; all of it works in constant expressions. It
/// views the table, which must outlive it.
template <Enumeration StateType, Enumeration TriggerType>
class Machine {
 public:
  using State = StateType;
  using Trigger = TriggerType;

  /// The machine of `table`, or its first fault. `table` must outlive what is returned.
  [[nodiscard]] static constexpr std::expected<Machine, FoundFault<State, Trigger>> make(TableView<State, Trigger> table) {
    if (const auto fault = find_fault(table)) return std::unexpected(*fault);
    return Machine(table.transitions, table.final_states);
  }

  /// All states, in the order of their enumeration.
  [[nodiscard]] static constexpr std::span<const State> states() { return detail::all_of<State>; }
  /// All triggers, in the order of their enumeration.
  [[nodiscard]] static constexpr std::span<const Trigger> triggers() { return detail::all_of<Trigger>; }
  /// The rows as they are written, those that say never among them.
  [[nodiscard]] constexpr std::span<const Transition<State, Trigger>> transitions() const { return rows_; }
  /// The final states as they are declared.
  [[nodiscard]] constexpr std::span<const FinalState<State>> final_states() const { return final_states_; }

  /// What the table says about `trigger` in `from` (empty: before the first state).
  [[nodiscard]] constexpr MachineStep<State, Trigger> step(std::optional<State> from, Trigger trigger) const {
    return detail::step_along(rows_, from, trigger);
  }

  /// The triggers that are expected in `from` (empty: before the first state), in the order of their enumeration.
  [[nodiscard]] constexpr std::vector<Trigger> allowed(std::optional<State> from) const {
    std::vector<Trigger> found;
    for (const Trigger trigger : triggers()) {
      if (step(from, trigger).is_expected()) found.push_back(trigger);
    }
    return found;
  }

  /// Why `trigger` is not expected in `from` (empty: before the first state), in words:
  /// `submitted never happens in created (assumed, 3.1)`. Empty where it is expected.
  [[nodiscard]] constexpr std::string why_not(std::optional<State> from, Trigger trigger) const {
    const auto* const row = step(from, trigger).transition;
    if (row != nullptr && row->is_expected()) return {};
    const auto name_or = [](auto value, std::string_view other) {
      return name_of(value).empty() ? other : detail::plain_name(value);
    };
    std::string text(name_or(trigger, "this trigger"));
    text += row == nullptr ? " has no row" : row->to ? " is not expected" : " never happens";
    if (from) text.append(" in ").append(name_or(*from, "this state"));
    else text += " before the first state";
    if (row != nullptr) text.append(" (").append(name_of(row->evidence)).append(", ").append(row->section).append(")");
    return text;
  }

  /// Whether a row answers to each trigger in each state and before the first one: see `CompleteMachine`. A sound table has
  /// no pair twice, so it has as many rows as there are pairs.
  [[nodiscard]] constexpr bool is_complete() const {
    return rows_.count == (enumerator_count<State> + 1) * enumerator_count<Trigger>;
  }

 private:
  template <const auto& table, class Refusal>
  friend consteval auto detail::proven();

  constexpr Machine(detail::Rows<Transition<State, Trigger>> rows, detail::Rows<FinalState<State>> final_states)
      : rows_(rows), final_states_(final_states) {}

  detail::Rows<Transition<State, Trigger>> rows_;
  detail::Rows<FinalState<State>> final_states_;
};

namespace detail {

/// The machine of a sound table; of a faulty one the compiler says what is wrong with it: beside this function, which then
/// still gives a constant, so that it reports nothing else.
template <const auto& table, class Refusal>
consteval auto proven() {
  using Table = std::remove_cvref_t<decltype(table)>;
  return Machine<typename Table::StateType, typename Table::TriggerType>(table.transitions, table.final_states);
}

}  // namespace detail

/// The machine of `table`, a `constexpr` variable of static storage made by `transitions`: to name it compiles only where
/// the table is sound (`TableError` lists what it can be refused for).
///
///     inline constexpr auto door = machine<door_rows>;
template <const auto& table>
inline constexpr auto machine = detail::proven<table, decltype(detail::refusal<table>())>();

namespace detail {

/// Called by no constant expression: a compiler names it.
void every_state_answers_to_every_trigger();

}  // namespace detail

/// A machine that has a row for each state, and the place before the first one, with each trigger, as what moves by it
/// needs: a tracker, the state of a member, the sandbox. A constant machine becomes one if it is complete, and else does
/// not compile; for a table that is known only when the program runs there is `make`.
template <Enumeration StateType, Enumeration TriggerType>
class CompleteMachine : public Machine<StateType, TriggerType> {
 public:
  using Base = Machine<StateType, TriggerType>;

  consteval CompleteMachine(const Base& machine) : Base(machine) {  // NOLINT(google-explicit-constructor)
    if (!machine.is_complete()) detail::every_state_answers_to_every_trigger();
  }
  /// The machine of `table`, or what is wrong with it, for people: its fault or, if it has none, a pair that has no row:
  /// `create has no row in deleted`. `table` must outlive what is returned.
  [[nodiscard]] static constexpr std::expected<CompleteMachine, std::string> make(TableView<StateType, TriggerType> table) {
    const auto made = Base::make(table);
    if (!made) return std::unexpected(to_string(made.error()));
    if (!made->is_complete()) return std::unexpected(what_is_missing(*made));
    return CompleteMachine(*made, std::true_type());
  }

 private:
  constexpr CompleteMachine(const Base& machine, std::true_type) : Base(machine) {}

  static constexpr std::string what_is_missing(const Base& machine) {
    for (std::size_t place = 0; place <= Base::states().size(); ++place) {
      const auto from = place == 0 ? std::nullopt : std::optional(Base::states()[place - 1]);
      for (const TriggerType trigger : Base::triggers()) {
        if (machine.step(from, trigger).transition == nullptr) return machine.why_not(from, trigger);
      }
    }
    return {};
  }
};

}}  // namespace bankhook::BANKHOOK_ABI
