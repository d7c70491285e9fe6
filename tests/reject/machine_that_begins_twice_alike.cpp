// SPDX-License-Identifier: MIT
// Two rows that begin with one trigger leave open what comes first: the trigger is named.
// expect: error_in_the_transition_table<[^>]*two_rows_begin_with_one_trigger, [^>]*unlock>
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
#ifndef CONTROL
      {begin, unlock, closed, stated, "1"},
#endif
      {open, close, closed, stated, "1"},
      {closed, unlock, open, stated, "1"},
  });
}();

constexpr auto door = bankhook::machine<door_table>;

int main() { return door.states().empty() ? 1 : 0; }
