// SPDX-License-Identifier: MIT
// A transition table turned into arrays that are indexed by state and trigger, at compile time.
#pragma once

#include <bankhook/machine/table_errors.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

namespace bankhook::inline BANKHOOK_ABI::detail {

template <const auto& table>
using TableOf = std::remove_cvref_t<decltype(table)>;

template <Enumeration E>
inline constexpr auto all_of = []<std::size_t... I>(std::index_sequence<I...>) {
  return std::array<E, sizeof...(I)>{static_cast<E>(I)...};
}(std::make_index_sequence<enumerator_count<E>>());

/// 0 stands before the first state.
template <Enumeration State>
constexpr std::size_t place_index(std::optional<State> state) {
  return state ? index_of(*state) + 1 : 0;
}
template <Enumeration State>
inline constexpr std::size_t place_count = enumerator_count<State> + 1;

template <Enumeration State, Enumeration Trigger>
constexpr std::size_t pair_index(std::optional<State> from, Trigger trigger) {
  return place_index(from) * enumerator_count<Trigger> + index_of(trigger);
}

/// A row that is not stated can neither specify a step nor be contradicted by one. A step along such a row is ordinary all
/// the same; about a step that such a row excludes, nothing is known.
constexpr Verdict verdict_of(Evidence evidence, bool happens) {
  const bool is_stated = evidence == Evidence::stated;
  if (happens) return is_stated ? Verdict::specified : Verdict::assumed;
  return is_stated ? Verdict::contradicts : Verdict::unspecified;
}

/// The answer to every pair of a place and a trigger.
template <const auto& table>
inline constexpr auto steps = [] {
  using State = typename TableOf<table>::StateType;
  using Trigger = typename TableOf<table>::TriggerType;
  std::array<MachineStep<State, Trigger>, place_count<State> * enumerator_count<Trigger>> all{};
  for (const auto& final_state : table.final_states) {
    for (const Trigger trigger : all_of<Trigger>) {
      all[pair_index<State>(final_state.state, trigger)] = {verdict_of(final_state.evidence, false), {}, {}, &final_state};
    }
  }
  for (const auto& transition : table.transitions) {
    all[pair_index(transition.from, transition.trigger)] = {
        verdict_of(transition.evidence, transition.to.has_value()), transition.to, &transition, {}};
  }
  return all;
}();

/// Lists after one another, and where each begins.
template <class T, std::size_t Items, std::size_t Lists>
struct ListOfLists {
  std::array<T, Items> items{};
  std::array<std::size_t, Lists + 1> first{};

  constexpr std::span<const T> at(std::size_t list) const {
    return std::span(items).subspan(first[list], first[list + 1] - first[list]);
  }
};

/// The triggers that lead somewhere, a list a place.
template <const auto& table>
inline constexpr auto allowed_triggers = [] {
  using State = typename TableOf<table>::StateType;
  using Trigger = typename TableOf<table>::TriggerType;
  ListOfLists<Trigger, std::tuple_size_v<decltype(table.transitions)>, place_count<State>> lists;
  std::size_t count = 0;
  for (std::size_t place = 0; place < place_count<State>; ++place) {
    for (const Trigger trigger : all_of<Trigger>) {
      if (steps<table>[place * enumerator_count<Trigger> + index_of(trigger)].to) lists.items[count++] = trigger;
    }
    lists.first[place + 1] = count;
  }
  return lists;
}();

}  // namespace bankhook::inline BANKHOOK_ABI::detail
