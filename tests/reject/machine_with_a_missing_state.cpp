// SPDX-License-Identifier: MIT
// A state that no row names was forgotten: it is named.
// expect: error_in_the_transition_table<[^>]*state_is_missing, [^>]*broken>
// lines: 20
#include <bankhook/machine/machine.hpp>

#include <cstdint>

enum class Door : std::uint8_t { open, closed, broken };
enum class Act : std::uint8_t { close, unlock };

constexpr auto door_table = [] {
  using enum Door;
  using enum Act;
  using enum bankhook::Evidence;
  using namespace bankhook::table_words;
  return bankhook::transitions<Door, Act>({
      {begin, unlock, open, stated, "1"},
      {open, close, closed, stated, "1"},
      {closed, unlock, open, stated, "1"},
#ifdef CONTROL
      {open, unlock, broken, stated, "1"},
      {broken, close, closed, stated, "1"},
#endif
  });
}();

constexpr auto door = bankhook::machine<door_table>;

int main() { return door.states().empty() ? 1 : 0; }
