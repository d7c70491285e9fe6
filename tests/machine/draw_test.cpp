// SPDX-License-Identifier: MIT
// Machines as pictures: what is assumed looks different, what never happens or is unexpected is not drawn.
#include <bankhook_catch.hpp>

#include <bankhook/machine/draw.hpp>
#include <machine/door.hpp>

#include <cstdint>
#include <optional>

namespace machine_draw_test {

using bankhook::to_dot;
using bankhook::to_mermaid;

namespace {

enum class Word : std::uint8_t { note, end, plain, lost };
enum class Go : std::uint8_t { on, astray };

constexpr auto word_table = [] {
  using enum Word;
  using enum Go;
  using enum bankhook::Evidence;
  using namespace bankhook::table_words;
  return bankhook::transitions<Word, Go>({{begin, on, note, stated, "1"},
                                          {note, on, plain, stated, "1"},
                                          {plain, on, end, stated, "1"},
                                          {plain, astray, lost, stated, "1", unexpected}},
                                         {{end, stated, "1"}, {lost, assumed, "1"}});
}();
constexpr auto words = bankhook::machine<word_table>;

}  // namespace

TEST_CASE("a machine is drawn as a state diagram, and each transition that is not stated says what it rests on") {
  CHECK(to_mermaid(door::machine) == R"(stateDiagram-v2
    direction LR
    [*] --> opened : build
    opened --> closed : push
    closed --> locked : push (example)
    locked --> closed : unlock
    closed --> opened : unlock (assumed)
    opened --> opened : unlock (assumed)
    closed --> broken : delete
    locked --> broken : delete (assumed)
    broken --> [*]
)");
}

TEST_CASE("a machine is drawn as a graph, assumed transitions dashed and final states with a double border") {
  CHECK(to_dot(door::machine) == R"dot(digraph {
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
  "locked" -> "broken" [label="delete\n(assumed)", style=dashed];
}
)dot");
}

TEST_CASE("what has a word of the diagram's language as its name is drawn, and what only an unexpected row reaches") {
  CHECK(to_mermaid(words) == R"(stateDiagram-v2
    direction LR
    state "note" as note__
    state "end" as end__
    [*] --> note__ : on
    note__ --> plain : on
    plain --> end__ : on
    plain --> lost : astray (assumed)
    end__ --> [*]
    lost --> [*] : assumed
)");
}

}  // namespace machine_draw_test
