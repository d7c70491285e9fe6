// SPDX-License-Identifier: MIT
// A PaddedString that is gone before its event is no argument of parse, as any other text.
// expect: keep what is read in a variable: it is gone before what views it
// lines: 20
#include <bankhook/parse.hpp>

int main() {
  bankhook::Arena arena;
#ifdef CONTROL
  const bankhook::PaddedString text("{}");
  return bankhook::parse(text, arena).has_value() ? 1 : 0;
#else
  return bankhook::parse(bankhook::PaddedString("{}"), arena).has_value() ? 1 : 0;
#endif
}
