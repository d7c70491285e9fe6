// SPDX-License-Identifier: MIT
// Machines as pictures: Mermaid state diagrams and Graphviz graphs, written by the compiler.
#pragma once

#include <bankhook/machine/machine.hpp>
#include <bankhook/machine/text_builder.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI::detail {

/// What Mermaid reads as a word of its own where a state's name is expected.
inline constexpr std::array<std::string_view, 16> mermaid_words{
    "accDescr", "accTitle", "as",   "class", "classDef", "click", "default", "direction",
    "end",      "hide",     "href", "note",  "scale",    "state", "style",   "title"};

constexpr bool is_mermaid_word(std::string_view name) {
  return std::find(mermaid_words.begin(), mermaid_words.end(), name) != mermaid_words.end();
}

/// Two underscores after such a word: no other state can have that name, for C++ reserves them.
template <Enumeration State>
constexpr void write_mermaid_id(TextBuilder& builder, State state) {
  builder << name_of(state);
  if (is_mermaid_word(name_of(state))) builder << "__";
}

/// A start without a row, then the rows that lead somewhere, then the ends.
template <class M>
constexpr void write_mermaid(TextBuilder& builder) {
  builder << "stateDiagram-v2\n    direction LR\n";
  for (const auto state : M::states()) {
    const bool is_word = is_mermaid_word(name_of(state));
    if (!is_word && plain_name(state) == name_of(state)) continue;
    builder << "    state \"" << plain_name(state) << "\" as ";
    write_mermaid_id(builder, state);
    builder << "\n";
  }
  const auto write_place = [&builder](const auto& place) {
    if (place) write_mermaid_id(builder, *place);
    else builder << "[*]";
  };
  if (M::allowed({}).empty()) {
    builder << "    [*] --> ";
    write_place(M::start());
    builder << "\n";
  }
  for (const auto& transition : M::transitions()) {
    if (!transition.to) continue;
    builder << "    ";
    write_place(transition.from);
    builder << " --> ";
    write_place(transition.to);
    builder << " : " << plain_name(transition.trigger);
    if (transition.evidence != Evidence::stated) builder << " (" << name_of(transition.evidence) << ")";
    builder << "\n";
  }
  for (const auto& final_state : M::final_states()) {
    builder << "    ";
    write_mermaid_id(builder, final_state.state);
    builder << " --> [*]";
    if (final_state.evidence != Evidence::stated) builder << " : " << name_of(final_state.evidence);
    builder << "\n";
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
constexpr void write_dot_states(TextBuilder& builder) {
  for (const auto state : M::states()) {
    builder << "  \"" << name_of(state) << "\" [label=\"" << plain_name(state) << "\"";
    for (const auto& final_state : M::final_states()) {
      if (final_state.state == state) builder << ", peripheries=2";
    }
    builder << "];\n";
  }
}

/// The start is called `[*]`, which no enumerator is.
template <class M>
constexpr void write_dot(TextBuilder& builder) {
  builder << "digraph {\n  rankdir=LR;\n  node [shape=box, style=rounded];\n  \"[*]\" [shape=point];\n";
  write_dot_states<M>(builder);
  if (M::allowed({}).empty()) builder << "  \"[*]\" -> \"" << name_of(*M::start()) << "\";\n";
  for (const auto& transition : M::transitions()) {
    if (!transition.to) continue;
    builder << "  \"" << (transition.from ? name_of(*transition.from) : "[*]") << "\" -> \"" << name_of(*transition.to)
            << "\" [label=\"" << plain_name(transition.trigger);
    if (transition.evidence != Evidence::stated) {
      builder << "\\n(" << name_of(transition.evidence) << ")\", style=" << dot_style(transition.evidence);
    } else {
      builder << "\"";
    }
    builder << "];\n";
  }
  builder << "}\n";
}

}  // namespace bankhook::inline BANKHOOK_ABI::detail

namespace bankhook::inline BANKHOOK_ABI {

/// The machine as a Mermaid `stateDiagram-v2`. Rows that are not stated say so in their label, as these diagrams know
/// no dashed arrows; rows that say never are not drawn. Static storage, ends in a zero.
template <const auto& table>
[[nodiscard]] constexpr std::string_view to_mermaid(const Machine<table>&) {
  return detail::written<detail::write_mermaid<Machine<table>>>.view();
}

/// The machine as a Graphviz digraph: assumed transitions are dashed, those of examples dotted, both labelled; final states
/// have a double border; rows that say never are not drawn. Static storage, ends in a zero.
template <const auto& table>
[[nodiscard]] constexpr std::string_view to_dot(const Machine<table>&) {
  return detail::written<detail::write_dot<Machine<table>>>.view();
}

}  // namespace bankhook::inline BANKHOOK_ABI
