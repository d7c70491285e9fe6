// SPDX-License-Identifier: MIT
// A bit-field has no address to which a value could be read.
// expect: write a whole integer for a bit-field
// lines: 20
#include <bankhook/parse.hpp>

struct Order {
#ifdef CONTROL
  unsigned size = 0;
#else
  unsigned size : 3;
#endif
};

int main() {
  bankhook::Arena arena;
  return bankhook::parse_as<Order>("{}", arena).has_value() ? 1 : 0;
}
