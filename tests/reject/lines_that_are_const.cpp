// SPDX-License-Identifier: MIT
// To walk lines is to read them.
// expect: lines_are_read_while_they_are_walked_so_they_are_not_const
// lines: 20
#include <bankhook/parse.hpp>

int main() {
  bankhook::Arena arena;
#ifndef CONTROL
  const
#endif
      bankhook::Lines lines("{}", arena);
  for (const bankhook::ArchiveLine& line : lines) return line.event.has_value() ? 1 : 0;
}
