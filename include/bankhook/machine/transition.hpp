// SPDX-License-Identifier: MIT
// The words of a transition table: its rows, its final states, and what a step through it answers.
#pragma once

#include <bankhook/base/enumerators.hpp>
#include <bankhook/base/evidence.hpp>

#include <optional>
#include <string_view>

/// Words for the rows of a table: `using namespace bankhook::table_words;` where the table is written.
namespace bankhook::inline BANKHOOK_ABI::table_words {

/// In the place of the state that a row leaves: before the first state.
inline constexpr std::nullopt_t begin = std::nullopt;
/// In the place of the state that a row leads to: this never happens.
inline constexpr std::nullopt_t never = std::nullopt;

}  // namespace bankhook::inline BANKHOOK_ABI::table_words

namespace bankhook::inline BANKHOOK_ABI {

/// One row of a table: `{created, submitted, never, stated, "3.1"}`.
template <Enumeration State, Enumeration Trigger>
struct Transition {
  std::optional<State> from{};  ///< empty (`begin`): before the first state
  Trigger trigger{};
  std::optional<State> to{};   ///< empty (`never`): this never happens
  Evidence evidence{};         ///< what the row rests on
  std::string_view section{};  ///< of the specification; static storage

  constexpr bool operator==(const Transition&) const = default;
};

/// A state that no transition leaves for another one, and what that rests on.
template <Enumeration State>
struct FinalState {
  State state{};
  Evidence evidence{};
  std::string_view section{};  ///< of the specification; static storage

  constexpr bool operator==(const FinalState&) const = default;
};

/// What a table says about a trigger in a state. The pointers refer to the table, which has static storage.
template <Enumeration State, Enumeration Trigger>
struct MachineStep {
  Verdict verdict = Verdict::unspecified;
  std::optional<State> to{};  ///< the state after the transition; empty if no row matches, or it says never
  const Transition<State, Trigger>* transition{};  ///< the row that the verdict rests on, or nullptr
  const FinalState<State>* final_state{};  ///< the declaration that the verdict rests on where a final state is left

  constexpr bool operator==(const MachineStep&) const = default;
};

}  // namespace bankhook::inline BANKHOOK_ABI
