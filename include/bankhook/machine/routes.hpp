// SPDX-License-Identifier: MIT
// Shortest ways from the begin of a machine to each of its states, at compile time.
#pragma once

#include <bankhook/machine/lookup.hpp>

#include <array>
#include <cstddef>

namespace bankhook::detail {

/// The only state that comes first, if there is only one.
template <const auto& table>
inline constexpr auto first_state = [] {
  auto start = table.start;
  for (const auto& edge : table.edges) {
    if (edge.from || !edge.to) continue;
    if (start && start != edge.to) return decltype(start)();
    start = edge.to;
  }
  return start;
}();

/// How each state of a sound table is come to first: the last edge of a shortest way and the number of edges.
template <Enumeration State, Enumeration Trigger>
struct Arrivals {
  std::array<const Edge<State, Trigger>*, enumerator_count<State>> last{};
  std::array<std::size_t, enumerator_count<State>> length{};
  std::size_t all_lengths = 0;

  constexpr explicit Arrivals(TableView<State, Trigger> table) {
    std::array<bool, enumerator_count<State>> reached{};
    if (table.start) reached[index_of(*table.start)] = true;
    // A way of n edges to a place makes one of n + 1 edges: round n looks at the edges that leave ways of that length.
    for (std::size_t n = 0; n < place_count<State>; ++n) {
      for (const auto& edge : table.edges) {
        if (!edge.to || reached[index_of(*edge.to)]) continue;
        const bool leaves = edge.from ? reached[index_of(*edge.from)] && length[index_of(*edge.from)] == n : n == 0;
        if (!leaves) continue;
        reached[index_of(*edge.to)] = true;
        last[index_of(*edge.to)] = &edge;
        length[index_of(*edge.to)] = n + 1;
      }
    }
    for (const std::size_t one : length) all_lengths += one;
  }
};

/// The edges of a shortest way to each state, a list a state.
template <const auto& table>
inline constexpr auto routes = [] {
  using State = typename TableOf<table>::StateType;
  using Trigger = typename TableOf<table>::TriggerType;
  constexpr Arrivals<State, Trigger> arrivals(view_of(table));
  ListOfLists<const Edge<State, Trigger>*, arrivals.all_lengths, enumerator_count<State>> lists;
  for (std::size_t i = 0; i < enumerator_count<State>; ++i) {
    lists.first[i + 1] = lists.first[i] + arrivals.length[i];
    std::size_t place = lists.first[i + 1];
    for (auto* edge = arrivals.last[i]; edge != nullptr; edge = edge->from ? arrivals.last[index_of(*edge->from)] : nullptr)
      lists.items[--place] = edge;
  }
  return lists;
}();

}  // namespace bankhook::detail
