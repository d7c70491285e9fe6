// SPDX-License-Identifier: MIT
// Two rows that leave one state by one trigger are refused, and one that says never counts: the pair is named.
// expect: error_in_the_transition_table<[^>]*two_rows_leave_a_state_by_one_trigger, [^>]*open, [^>]*close>
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
#ifndef CONTROL
      {open, close, never, stated, "1"},
#endif
      {closed, unlock, open, stated, "1"},
  });
}();

constexpr auto door = bankhook::machine<door_table>;

int main() { return door.states().empty() ? 1 : 0; }
