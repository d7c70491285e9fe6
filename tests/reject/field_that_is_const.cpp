// SPDX-License-Identifier: MIT
// What is read is written to its field.
// expect: write the field without const: what is read is written to it
// lines: 20
#include <bankhook/parse.hpp>

struct Order {
#ifdef CONTROL
  int size = 0;
#else
  const int size = 0;
#endif
};

int main() {
  bankhook::Arena arena;
  return bankhook::parse_as<Order>("{}", arena).has_value() ? 1 : 0;
}
