// SPDX-License-Identifier: MIT
// A state that is declared final twice rests on two things at once: it is named.
// expect: error_in_the_transition_table<[^>]*state_is_final_twice, [^>]*gone>
// lines: 20
#include <bankhook/machine/machine.hpp>

#include <cstdint>

enum class Door : std::uint8_t { open, closed, gone };
enum class Act : std::uint8_t { close, unlock, remove };

constexpr auto door_table = [] {
  using enum Door;
  using enum Act;
  using enum bankhook::Evidence;
  using namespace bankhook::table_words;
  return bankhook::transitions<Door, Act>(
      {
          {begin, unlock, open, stated, "1"},
          {open, close, closed, stated, "1"},
          {closed, unlock, open, stated, "1"},
          {closed, remove, gone, stated, "1"},
      },
      {
#ifndef CONTROL
          {gone, assumed, "2"},
#endif
          {gone, stated, "1"},
      });
}();

constexpr auto door = bankhook::machine<door_table>;

int main() { return door.states().empty() ? 1 : 0; }
