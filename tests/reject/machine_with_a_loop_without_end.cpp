// SPDX-License-Identifier: MIT
// Where there are final states, a loop that leads to none of them is a trap: its first state is named.
// expect: error_in_the_transition_table<[^>]*state_is_a_trap, [^>]*open>
// lines: 20
#include <bankhook/machine/machine.hpp>

#include <cstdint>

enum class Door : std::uint8_t { open, closed, gone, entered };
enum class Act : std::uint8_t { close, unlock, remove };

constexpr auto door_table = [] {
  using enum Door;
  using enum Act;
  using enum bankhook::Evidence;
  using namespace bankhook::table_words;
  return bankhook::transitions<Door, Act>(
      {
          {begin, close, entered, stated, "1"},
          {entered, unlock, open, stated, "1"},
          {entered, remove, gone, stated, "1"},
          {open, close, closed, stated, "1"},
          {closed, unlock, open, stated, "1"},
#ifdef CONTROL
          {closed, remove, gone, stated, "1"},
#endif
      },
      {{gone, stated, "1"}});
}();

constexpr auto door = bankhook::machine<door_table>;

int main() { return door.states().empty() ? 1 : 0; }
