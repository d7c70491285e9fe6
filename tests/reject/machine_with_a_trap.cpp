// SPDX-License-Identifier: MIT
// A state that is never left for another one has to be declared final, or it is a trap: it is named.
// expect: error_in_the_transition_table<[^>]*state_is_a_trap, [^>]*closed>
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
  return bankhook::transitions<Door, Act>({
      {begin, unlock, open, stated, "1"},
      {open, close, closed, stated, "1"},
#ifdef CONTROL
      {closed, unlock, open, stated, "1"},
#else
      {closed, unlock, closed, stated, "1"},
#endif
  });
}();

constexpr auto door = bankhook::machine<door_table>;

int main() { return door.states().empty() ? 1 : 0; }
