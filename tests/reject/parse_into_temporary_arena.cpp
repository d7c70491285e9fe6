// SPDX-License-Identifier: MIT
// An arena that is gone before its event is no argument of parse.
// expect: keep the arena in a variable that is not const: it holds what is read
// lines: 20
#include <bankhook/events/parse.hpp>

int main() {
#ifdef CONTROL
  bankhook::Arena arena;
  return bankhook::parse("{}", arena).has_value() ? 0 : 1;
#else
  return bankhook::parse("{}", bankhook::Arena()).has_value() ? 0 : 1;
#endif
}
