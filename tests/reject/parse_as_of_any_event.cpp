// SPDX-License-Identifier: MIT
// Any event is read by parse, which looks for its name; parse_as reads the type that it is given.
// expect: call parse, which takes any event
// lines: 20
#include <bankhook/parse.hpp>

int main() {
  bankhook::Arena arena;
#ifdef CONTROL
  return bankhook::parse("{}", arena).has_value() ? 1 : 0;
#else
  return bankhook::parse_as<bankhook::UnknownEvent>("{}", arena).has_value() ? 1 : 0;
#endif
}
