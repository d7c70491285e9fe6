// SPDX-License-Identifier: MIT
// Two fields that differ in C++ only would be one field of the object.
// expect: give the field another name: two fields of the struct have one name on the wire
// lines: 20
#include <bankhook/parse.hpp>

struct Order {
#ifdef CONTROL
  int a_b = 0, bA = 0;
#else
  int a_b = 0, aB = 0;
#endif
};

int main() {
  bankhook::Arena arena;
  return bankhook::parse_as<Order>("{}", arena).has_value() ? 1 : 0;
}
