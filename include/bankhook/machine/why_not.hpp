// SPDX-License-Identifier: MIT
// Why a trigger leads nowhere: what the table says, as data and in words.
#pragma once

#include <bankhook/machine/lookup.hpp>
#include <bankhook/machine/text_builder.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace bankhook::inline BANKHOOK_ABI {

/// What keeps a trigger from leading anywhere.
enum class WhyNotReason : std::uint8_t {
  row_says_never,  ///< `transition` is that row
  state_is_final,  ///< `final_state` is the declaration
  no_transition,   ///< no row names the pair: left open
};

/// Why a trigger leads nowhere. The pointers and the text have static storage.
template <Enumeration State, Enumeration Trigger>
struct WhyNot {
  WhyNotReason reason = WhyNotReason::no_transition;
  Verdict verdict = Verdict::unspecified;                        ///< that of the step
  const Transition<State, Trigger>* transition{};                ///< the row that says never, or nullptr
  const FinalState<State>* final_state{};                        ///< the declaration of the final state, or nullptr
  std::string_view text = "the table has no transition for it";  ///< `submitted never happens in created (stated, 3.1)`

  constexpr bool operator==(const WhyNot&) const = default;
};

}  // namespace bankhook::inline BANKHOOK_ABI

namespace bankhook::inline BANKHOOK_ABI::detail {

/// ` (stated, 3.1)`; the section of the specification is left out where the table names none.
constexpr void write_basis(TextBuilder& builder, Evidence evidence, std::string_view section) {
  builder << " (" << name_of(evidence);
  if (!section.empty()) builder << ", " << section;
  builder << ")";
}

template <const auto& table, std::size_t pair>
constexpr void write_why_not(TextBuilder& builder) {
  using State = typename TableOf<table>::StateType;
  using Trigger = typename TableOf<table>::TriggerType;
  constexpr std::size_t place = pair / enumerator_count<Trigger>;
  constexpr std::string_view trigger = plain_name(static_cast<Trigger>(pair % enumerator_count<Trigger>));
  constexpr auto& step = steps<table>[pair];
  std::string_view state;
  if constexpr (place > 0) state = plain_name(static_cast<State>(place - 1));
  if (step.to) return;
  if (step.final_state != nullptr) {
    builder << state << " is final";
    write_basis(builder, step.final_state->evidence, step.final_state->section);
    return;
  }
  if (step.transition != nullptr) builder << trigger << " never happens";
  else builder << "no transition for " << trigger;
  if (place > 0) builder << " in " << state;
  else builder << " before the first state";
  if (step.transition != nullptr) write_basis(builder, step.transition->evidence, step.transition->section);
}

template <const auto& table>
inline constexpr auto why_not_texts = []<std::size_t... Pair>(std::index_sequence<Pair...>) {
  return std::array<std::string_view, sizeof...(Pair)>{written<write_why_not<table, Pair>>.view()...};
}(std::make_index_sequence<steps<table>.size()>());

template <const auto& table, Enumeration State, Enumeration Trigger>
constexpr std::optional<WhyNot<State, Trigger>> why_not(std::optional<State> from, Trigger trigger) {
  if (!is_enumerator_of(from) || !is_enumerator_of(trigger)) return WhyNot<State, Trigger>{};
  const std::size_t pair = pair_index(from, trigger);
  const auto& [verdict, to, transition, final_state] = steps<table>[pair];
  if (to) return {};
  const WhyNotReason reason = final_state != nullptr  ? WhyNotReason::state_is_final
                              : transition != nullptr ? WhyNotReason::row_says_never
                                                      : WhyNotReason::no_transition;
  return WhyNot<State, Trigger>{reason, verdict, transition, final_state, why_not_texts<table>[pair]};
}

}  // namespace bankhook::inline BANKHOOK_ABI::detail
