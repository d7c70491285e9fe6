// SPDX-License-Identifier: MIT
// Reading needs memory and instructions that no constant expression has; the first note says so.
// expect: parse_while_the_program_runs
// lines: 20
#include <bankhook/parse.hpp>

constexpr bool is_event() {
  bankhook::Arena arena;
  return bankhook::parse("{}", arena).has_value();
}
#ifndef CONTROL
static_assert(!is_event());
#endif

int main() { return is_event() ? 1 : 0; }
