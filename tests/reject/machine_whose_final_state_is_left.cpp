// SPDX-License-Identifier: MIT
// A state that is declared final is not left: it and the trigger that leads out of it are named.
// expect: error_in_the_transition_table<[^>]*transition_leaves_a_final_state, [^>]*closed, [^>]*unlock>
// lines: 20
#include <bankhook/machine/machine.hpp>

#include <cstdint>

enum class Door : std::uint8_t { open, closed };
enum class Act : std::uint8_t { close, unlock };

constexpr auto door_table = [] {
  using enum Door;
  using enum Act;
  using enum bankhook::Evidence;
  using namespace bankhook::table_words;
  return bankhook::transitions<Door, Act>(
      {
          {begin, unlock, open, stated, "1"},
          {open, close, closed, stated, "1"},
#ifdef CONTROL
          {closed, unlock, closed, stated, "1"},
#else
          {closed, unlock, open, stated, "1"},
#endif
      },
      {{closed, stated, "1"}});
}();

constexpr auto door = bankhook::machine<door_table>;

int main() { return door.states().empty() ? 1 : 0; }
