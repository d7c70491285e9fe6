// SPDX-License-Identifier: MIT
// An archive that is gone before it is walked is no argument of Lines.
// expect: keep what is read in a variable: it is gone before what views it
// lines: 20
#include <bankhook/events/lines.hpp>

#include <string>

int main() {
  bankhook::Arena arena;
#ifdef CONTROL
  const std::string archive = "{}\n";
  bankhook::Lines lines(archive, arena);
#else
  bankhook::Lines lines(std::string("{}\n"), arena);
#endif
  return lines.begin() == bankhook::Lines::end() ? 1 : 0;
}
