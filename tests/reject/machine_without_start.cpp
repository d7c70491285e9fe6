// SPDX-License-Identifier: MIT
// A machine that starts nowhere is refused.
// expect: error_in_the_transition_table<[^>]*nothing_comes_first>
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
#ifdef CONTROL
      {begin, unlock, open, stated, "1"},
#endif
      {open, close, closed, stated, "1"},
      {closed, unlock, open, stated, "1"},
  });
}();

constexpr auto door = bankhook::machine<door_table>;

int main() { return door.states().empty() ? 1 : 0; }
