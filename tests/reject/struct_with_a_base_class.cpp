// SPDX-License-Identifier: MIT
// The fields of a base class are not found by structured bindings.
// expect: write the fields of the base class in the struct itself
// lines: 20
#include <bankhook/parse.hpp>

struct Numbered {
  int number = 0;
};
#ifdef CONTROL
struct Order {
  int number = 0;
#else
struct Order : Numbered {
#endif
  int size = 0;
};

int main() {
  bankhook::Arena arena;
  return bankhook::parse_as<Order>("{}", arena).has_value() ? 1 : 0;
}
