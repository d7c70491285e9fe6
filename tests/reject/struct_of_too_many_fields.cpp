// SPDX-License-Identifier: MIT
// A struct has up to 24 fields; one with more is refused by a sentence, not read wrongly.
// expect: write at most 24 fields in a struct, and others in a struct in it
// lines: 20
#include <bankhook/bankhook.hpp>

struct Wide {
  int a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, c0, c1, c2, c3;
#ifndef CONTROL
  int c4;
#endif
};

int main() {
  bankhook::Arena arena;
  return bankhook::parse_as<Wide>("{}", arena) ? 0 : 1;
}
