// SPDX-License-Identifier: MIT
// Machines as pictures: Mermaid state diagrams and Graphviz graphs, written by the compiler.
#pragma once

#include <bankhook/machine/machine.hpp>
#include <bankhook/machine/pen.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace bankhook::detail {

/// What Mermaid reads as a word of its own where a state's name is expected.
inline constexpr std::array<std::string_view, 16> mermaid_words{
    "accDescr", "accTitle", "as",   "class", "classDef", "click", "default", "direction",
    "end",      "hide",     "href", "note",  "scale",    "state", "style",   "title"};

/// Two underscores behind such a word: no other state can have that name, for C++ reserves them.
template <Enumeration State>
constexpr void write_mermaid_id(Pen& pen, State state) {
  pen << name_of(state);
  if (std::ranges::find(mermaid_words, name_of(state)) != mermaid_words.end()) pen << "__";
}

/// A start without a row, then the rows that lead somewhere, then the ends.
template <class M>
constexpr void write_mermaid(Pen& pen) {
  pen << "stateDiagram-v2\n    direction LR\n";
  for (const auto state : M::states()) {
    const bool is_word = std::ranges::find(mermaid_words, name_of(state)) != mermaid_words.end();
    if (!is_word && plain_name(state) == name_of(state)) continue;
    pen << "    state \"" << plain_name(state) << "\" as ";
    write_mermaid_id(pen, state);
    pen << "\n";
  }
  const auto write_place = [&pen](const auto& place) {
    if (place) write_mermaid_id(pen, *place);
    else pen << "[*]";
  };
  if (M::allowed({}).empty()) {
    pen << "    [*] --> ";
    write_place(M::start());
    pen << "\n";
  }
  for (const auto& edge : M::edges()) {
    if (!edge.to) continue;
    pen << "    ";
    write_place(edge.from);
    pen << " --> ";
    write_place(edge.to);
    pen << " : " << plain_name(edge.trigger);
    if (edge.evidence != Evidence::stated) pen << " (" << name_of(edge.evidence) << ")";
    pen << "\n";
  }
  for (const auto& final_state : M::finals()) {
    pen << "    ";
    write_mermaid_id(pen, final_state.state);
    pen << " --> [*]";
    if (final_state.evidence != Evidence::stated) pen << " : " << name_of(final_state.evidence);
    pen << "\n";
  }
}

constexpr std::string_view dot_style(Evidence evidence) {
  switch (evidence) {
    case Evidence::stated: return "";
    case Evidence::example: return "dotted";
    case Evidence::assumed: return "dashed";
  }
  return "";
}

template <class M>
constexpr void write_dot_states(Pen& pen) {
  for (const auto state : M::states()) {
    pen << "  \"" << name_of(state) << "\" [label=\"" << plain_name(state) << "\"";
    for (const auto& final_state : M::finals()) {
      if (final_state.state == state) pen << ", peripheries=2";
    }
    pen << "];\n";
  }
}

/// The begin is called `[*]`, which no enumerator is.
template <class M>
constexpr void write_dot(Pen& pen) {
  pen << "digraph {\n  rankdir=LR;\n  node [shape=box, style=rounded];\n  \"[*]\" [shape=point];\n";
  write_dot_states<M>(pen);
  if (M::allowed({}).empty()) pen << "  \"[*]\" -> \"" << name_of(*M::start()) << "\";\n";
  for (const auto& edge : M::edges()) {
    if (!edge.to) continue;
    pen << "  \"" << (edge.from ? name_of(*edge.from) : "[*]") << "\" -> \"" << name_of(*edge.to) << "\" [label=\""
        << plain_name(edge.trigger);
    if (edge.evidence != Evidence::stated) {
      pen << "\\n(" << name_of(edge.evidence) << ")\", style=" << dot_style(edge.evidence);
    } else {
      pen << "\"";
    }
    pen << "];\n";
  }
  pen << "}\n";
}

}  // namespace bankhook::detail

namespace bankhook {

/// The machine as a Mermaid `stateDiagram-v2`. Edges that are not stated say so in their label, as these diagrams know
/// no dashed arrows; rows that say never are not drawn. Static storage, ends in a zero.
template <const auto& table>
[[nodiscard]] constexpr std::string_view to_mermaid(const Machine<table>&) {
  return detail::written<detail::write_mermaid<Machine<table>>>.view();
}

/// The machine as a Graphviz digraph: assumed edges are dashed, those of examples dotted, both labelled; final states
/// have a double border; rows that say never are not drawn. Static storage, ends in a zero.
template <const auto& table>
[[nodiscard]] constexpr std::string_view to_dot(const Machine<table>&) {
  return detail::written<detail::write_dot<Machine<table>>>.view();
}

}  // namespace bankhook
