// SPDX-License-Identifier: MIT
// A transition table as data: its words, its rows and final states, and what a step through it answers.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/enumerators.hpp>
#include <bankhook/base/evidence.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace bankhook { inline namespace BANKHOOK_ABI {

/// What it rests on that a row leaves just this state. `Transition::evidence` speaks of the rest of the row: that its
/// trigger leads to its state.
enum class StateBefore : std::uint8_t {
  stated,   ///< the specification says it, or the row says all that there is to say
  assumed,  ///< the specification does not say which state comes before
  unknown,  ///< nothing is known of this step: it is taken because something has to follow, and no one should expect it
};

/// Words for the rows of a table: `using namespace bankhook::table_words;` where the table is written.
namespace table_words {

/// In the place of the state that a row leaves: before the first state.
inline constexpr std::nullopt_t begin = std::nullopt;
/// In the place of the state that a row leads to: this is not applied.
inline constexpr std::nullopt_t never = std::nullopt;
/// At the end of a row: that this state comes before is assumed.
inline constexpr StateBefore before_is_assumed = StateBefore::assumed;
/// At the end of a row: nothing is known of this step.
inline constexpr StateBefore unexpected = StateBefore::unknown;

}  // namespace table_words

/// One row of a table: `{created, submitted, never, assumed, "3.1"}`.
template <Enumeration State, Enumeration Trigger>
struct Transition {
  std::optional<State> from{};  ///< empty (`begin`): before the first state
  Trigger trigger{};
  std::optional<State> to{};           ///< empty (`never`): the state stays, and what comes with the trigger is not applied
  Evidence evidence{};                 ///< what it rests on that the trigger leads to this state
  std::string_view section{};          ///< of the specification; static storage
  StateBefore before = StateBefore{};  ///< what it rests on that this state comes before

  /// Whether it leads somewhere, and that was to be expected.
  [[nodiscard]] constexpr bool is_expected() const { return to && before != StateBefore::unknown; }

  /// What the whole row rests on: it is stated only if the state before is, too.
  [[nodiscard]] constexpr Evidence basis() const {
    return evidence == Evidence::stated && before != StateBefore::stated ? Evidence::assumed : evidence;
  }

  constexpr bool operator==(const Transition&) const = default;
};

/// A state that no expected transition leaves for another one, and what that rests on.
template <Enumeration State>
struct FinalState {
  State state{};
  Evidence evidence{};
  std::string_view section{};  ///< of the specification; static storage

  constexpr bool operator==(const FinalState&) const = default;
};

/// The verdict on a step along a row. A row that is not stated can neither specify a step nor be contradicted by one. A
/// step along such a row is ordinary all the same; about a step that such a row excludes, nothing is known.
template <Enumeration State, Enumeration Trigger>
[[nodiscard]] constexpr Verdict verdict_of(const Transition<State, Trigger>& row) {
  if (!row.to) return row.evidence == Evidence::stated ? Verdict::contradicts : Verdict::unspecified;
  if (row.before == StateBefore::unknown) return Verdict::unspecified;
  return row.basis() == Evidence::stated ? Verdict::specified : Verdict::assumed;
}

/// What a table says about a trigger in a state. The pointer refers to the table.
template <Enumeration State, Enumeration Trigger>
struct MachineStep {
  Verdict verdict = Verdict::unspecified;
  std::optional<State> to{};                       ///< the state after the transition; empty: it stays
  const Transition<State, Trigger>* transition{};  ///< the row that the verdict rests on, or nullptr: no row names the pair

  /// Whether there is a row, and what it says was to be expected.
  [[nodiscard]] constexpr bool is_expected() const { return transition != nullptr && transition->is_expected(); }

  constexpr bool operator==(const MachineStep&) const = default;
};

namespace detail {

/// As std::span, which costs every unit that makes one as much to compile as a whole machine.
template <class T>
struct Rows {
  constexpr Rows(const auto& range) : first(range.data()), count(range.size()) {}  // NOLINT(google-explicit-constructor)
  constexpr operator std::span<const T>() const { return {first, count}; }         // NOLINT(google-explicit-constructor)
  [[nodiscard]] constexpr const T* begin() const { return first; }
  [[nodiscard]] constexpr const T* end() const { return first + count; }

  const T* first;
  std::size_t count;
};

template <Enumeration State, Enumeration Trigger>
constexpr MachineStep<State, Trigger> step_along(Rows<Transition<State, Trigger>> rows, std::optional<State> from,
                                                 Trigger trigger) {
  for (const Transition<State, Trigger>& row : rows) {
    if (row.trigger == trigger && row.from == from) return {verdict_of(row), row.to, &row};
  }
  return {};
}

}  // namespace detail

/// Looks up `trigger` in `from` (empty: before the first state): the one row that names both, or nothing.
template <Enumeration State, Enumeration Trigger>
[[nodiscard]] constexpr MachineStep<State, Trigger> step(std::span<const Transition<State, Trigger>> rows,
                                                         std::optional<State> from, Trigger trigger) {
  return detail::step_along<State, Trigger>(rows, from, trigger);
}

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

}}  // namespace bankhook::BANKHOOK_ABI
