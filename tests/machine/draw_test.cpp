// SPDX-License-Identifier: MIT
// Machines as pictures: what is assumed looks different, what never happens is not drawn.
#include <bankhook_catch.hpp>

#include <bankhook/machine/draw.hpp>
#include <machine/door.hpp>

#include <cstdint>
#include <string_view>

namespace machine_draw_test {

using bankhook::to_dot;
using bankhook::to_mermaid;

namespace {

enum class Word : std::uint8_t { note, end, plain };
enum class Go : std::uint8_t { on };

constexpr auto word_table = [] {
  using enum Word;
  using enum Go;
  using enum bankhook::Evidence;
  return bankhook::transitions<Word, Go>({{note, on, plain, stated, "1"}, {plain, on, end, stated, "1"}},
                                         {{end, stated, "1"}})
      .starting_in(note);
}();
constexpr bankhook::Machine<word_table> words;

constexpr bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("a machine is drawn as a state diagram, and each transition that is not stated says what it rests on") {
  STATIC_REQUIRE(to_mermaid(door::machine) == R"(stateDiagram-v2
    direction LR
    [*] --> opened : build
    opened --> closed : push
    closed --> locked : push (example)
    locked --> closed : unlock
    closed --> opened : unlock (assumed)
    opened --> opened : unlock (assumed)
    closed --> broken : delete
    broken --> [*]
)");
}

TEST_CASE("a machine is drawn as a graph, assumed transitions dashed and final states with a double border") {
  STATIC_REQUIRE(to_dot(door::machine) == R"dot(digraph {
  rankdir=LR;
  node [shape=box, style=rounded];
  "[*]" [shape=point];
  "opened" [label="opened"];
  "closed" [label="closed"];
  "locked" [label="locked"];
  "broken" [label="broken", peripheries=2];
  "[*]" -> "opened" [label="build"];
  "opened" -> "closed" [label="push"];
  "closed" -> "locked" [label="push\n(example)", style=dotted];
  "locked" -> "closed" [label="unlock"];
  "closed" -> "opened" [label="unlock\n(assumed)", style=dashed];
  "opened" -> "opened" [label="unlock\n(assumed)", style=dashed];
  "closed" -> "broken" [label="delete"];
}
)dot");
}

TEST_CASE("a declared start is drawn without a trigger") {
  STATIC_REQUIRE(contains(to_dot(words), "\"[*]\" -> \"note\";\n"));
  STATIC_REQUIRE(contains(to_mermaid(words), "[*] --> note__\n"));
}

TEST_CASE("a state whose name is a word of the diagram's language is drawn under its name") {
  STATIC_REQUIRE(to_mermaid(words) == R"(stateDiagram-v2
    direction LR
    state "note" as note__
    state "end" as end__
    [*] --> note__
    note__ --> plain : on
    plain --> end__ : on
    end__ --> [*]
)");
}

TEST_CASE("a picture is a text that ends in a zero, for those who print it as C does") {
  STATIC_REQUIRE(to_mermaid(words).data()[to_mermaid(words).size()] == '\0');
  STATIC_REQUIRE(to_dot(words).data()[to_dot(words).size()] == '\0');
}

}  // namespace machine_draw_test
