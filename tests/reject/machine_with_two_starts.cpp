// SPDX-License-Identifier: MIT
// A machine starts where a row begins or where it is declared to start: both together are refused.
// expect: error_start_is_given_twice<[^>]*closed, [^>]*unlock>
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
#ifndef CONTROL
                                              {begin, unlock, open, stated, "1"},
#endif
                                              {open, close, closed, stated, "1"},
                                              {closed, unlock, open, stated, "1"},
                                          })
      .starting_in(closed);
}();

constexpr bankhook::Machine<door_table> door;

int main() { return door.states().empty() ? 1 : 0; }
