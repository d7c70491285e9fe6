// SPDX-License-Identifier: MIT
// Machines as pictures: Mermaid state diagrams and Graphviz graphs.
#pragma once

#include <bankhook/machine/machine.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace bankhook { inline namespace BANKHOOK_ABI {
namespace detail {

/// What Mermaid reads as a word of its own where a state's name is expected.
inline constexpr std::array<std::string_view, 16> mermaid_words{
    "accDescr", "accTitle", "as",   "class", "classDef", "click", "default", "direction",
    "end",      "hide",     "href", "note",  "scale",    "state", "style",   "title"};

/// Two underscores after such a word: no other state can have that name, for C++ reserves them. `[*]` is before the first.
template <Enumeration State>
constexpr std::string mermaid_id(std::optional<State> state) {
  if (!state) return "[*]";
  const std::string_view name = name_of(*state);
  const bool is_word = std::find(mermaid_words.begin(), mermaid_words.end(), name) != mermaid_words.end();
  return std::string(name) + (is_word ? "__" : "");
}

/// Whether a row is drawn: it is expected, or no expected row leads to its state from another one.
template <Enumeration State, Enumeration Trigger>
constexpr bool is_drawn(const Machine<State, Trigger>& machine, const Transition<State, Trigger>& row) {
  const auto rows = machine.transitions();
  const auto leads_there = [&](const auto& one) { return one.is_expected() && one.to == row.to && one.from != row.to; };
  return row.is_expected() || (row.to && std::none_of(rows.begin(), rows.end(), leads_there));
}

}  // namespace detail

/// The machine as a Mermaid `stateDiagram-v2`. Rows that are not stated say so in their label, as these diagrams know
/// no dashed arrows; rows that say never are not drawn, and unexpected ones only where no expected one leads to their
/// state.
template <Enumeration State, Enumeration Trigger>
[[nodiscard]] constexpr std::string to_mermaid(const Machine<State, Trigger>& machine) {
  std::string out = "stateDiagram-v2\n    direction LR\n";
  const auto write = [&out](const auto&... parts) { (out.append(parts), ...); };
  for (const State state : machine.states()) {
    const std::string id = detail::mermaid_id(std::optional(state));
    if (id != detail::plain_name(state)) write("    state \"", detail::plain_name(state), "\" as ", id, "\n");
  }
  for (const auto& row : machine.transitions()) {
    if (!detail::is_drawn(machine, row)) continue;
    write("    ", detail::mermaid_id(row.from), " --> ", detail::mermaid_id(row.to), " : ",
          detail::plain_name(row.trigger));
    if (row.basis() != Evidence::stated) write(" (", name_of(row.basis()), ")");
    write("\n");
  }
  for (const auto& one : machine.final_states()) {
    write("    ", detail::mermaid_id(std::optional(one.state)), " --> [*]");
    if (one.evidence != Evidence::stated) write(" : ", name_of(one.evidence));
    write("\n");
  }
  return out;
}

/// The machine as a Graphviz digraph: assumed transitions are dashed, those of examples dotted, both labelled; final states
/// have a double border; rows that say never are not drawn, and unexpected ones only where no expected one leads to their
/// state from another one. The start is called `[*]`, which no enumerator is.
template <Enumeration State, Enumeration Trigger>
[[nodiscard]] constexpr std::string to_dot(const Machine<State, Trigger>& machine) {
  std::string out = "digraph {\n  rankdir=LR;\n  node [shape=box, style=rounded];\n  \"[*]\" [shape=point];\n";
  const auto write = [&out](const auto&... parts) { (out.append(parts), ...); };
  for (const State state : machine.states()) {
    write("  \"", name_of(state), "\" [label=\"", detail::plain_name(state), "\"");
    for (const auto& one : machine.final_states()) write(one.state == state ? ", peripheries=2" : "");
    write("];\n");
  }
  for (const auto& row : machine.transitions()) {
    if (!detail::is_drawn(machine, row)) continue;
    write("  \"", row.from ? name_of(*row.from) : "[*]", "\" -> \"", name_of(*row.to), "\" [label=\"",
          detail::plain_name(row.trigger));
    if (row.basis() == Evidence::stated) write("\"");
    else write("\\n(", name_of(row.basis()), ")\", style=", row.evidence == Evidence::example ? "dotted" : "dashed");
    write("];\n");
  }
  return out + "}\n";
}

}}  // namespace bankhook::BANKHOOK_ABI
