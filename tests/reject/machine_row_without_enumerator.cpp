// SPDX-License-Identifier: MIT
// A row of a machine names enumerators; a number that was made one is refused, and the row is named.
// expect: error_in_the_transition_table<[^>]*row_names_no_enumerator, 2[a-zA-Z]*>
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
      {closed, unlock, static_cast<Door>(7), stated, "1"},
#endif
  });
}();

constexpr auto door = bankhook::machine<door_table>;

int main() { return door.states().empty() ? 1 : 0; }
