// SPDX-License-Identifier: MIT
// Shortest ways from the start of a machine to each of its states, at compile time.
#pragma once

#include <bankhook/machine/lookup.hpp>

#include <array>
#include <cstddef>

namespace bankhook::inline BANKHOOK_ABI::detail {

/// The only state that comes first, if there is only one.
template <const auto& table>
inline constexpr auto first_state = [] {
  auto start = table.start;
  for (const auto& transition : table.transitions) {
    if (transition.from || !transition.to) continue;
    if (start && start != transition.to) return decltype(start)();
    start = transition.to;
  }
  return start;
}();

/// How each state of a sound table is come to first: the last transition of a shortest way and the number of transitions.
template <Enumeration State, Enumeration Trigger>
struct BfsTree {
  std::array<const Transition<State, Trigger>*, enumerator_count<State>> last{};
  std::array<std::size_t, enumerator_count<State>> length{};
  std::size_t all_lengths = 0;

  constexpr explicit BfsTree(TableView<State, Trigger> table) {
    std::array<bool, enumerator_count<State>> reached{};
    if (table.start) reached[index_of(*table.start)] = true;
    // A way of n transitions to a place makes one of n + 1 transitions: round n looks at the transitions that leave ways of
    // that length.
    for (std::size_t n = 0; n < place_count<State>; ++n) {
      for (const auto& transition : table.transitions) {
        if (!transition.to || reached[index_of(*transition.to)]) continue;
        const bool leaves =
            transition.from ? reached[index_of(*transition.from)] && length[index_of(*transition.from)] == n : n == 0;
        if (!leaves) continue;
        reached[index_of(*transition.to)] = true;
        last[index_of(*transition.to)] = &transition;
        length[index_of(*transition.to)] = n + 1;
      }
    }
    for (const std::size_t one : length) all_lengths += one;
  }
};

/// The transitions of a shortest way to each state, a list a state.
template <const auto& table>
inline constexpr auto shortest_paths = [] {
  using State = typename TableOf<table>::StateType;
  using Trigger = typename TableOf<table>::TriggerType;
  constexpr BfsTree<State, Trigger> arrivals(view_of(table));
  ListOfLists<const Transition<State, Trigger>*, arrivals.all_lengths, enumerator_count<State>> lists;
  for (std::size_t i = 0; i < enumerator_count<State>; ++i) {
    lists.first[i + 1] = lists.first[i] + arrivals.length[i];
    std::size_t place = lists.first[i + 1];
    for (auto* transition = arrivals.last[i]; transition != nullptr;
         transition = transition->from ? arrivals.last[index_of(*transition->from)] : nullptr)
      lists.items[--place] = transition;
  }
  return lists;
}();

}  // namespace bankhook::inline BANKHOOK_ABI::detail
