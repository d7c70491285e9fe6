// SPDX-License-Identifier: MIT
// A struct whose field has no value to begin with would seem to have no fields.
// expect: write a whole integer for a bit-field, and fields that can start empty
// lines: 20
#include <bankhook/parse.hpp>

struct Size {
  explicit Size(int width) : width_(width) {}
  int width_;
};

struct Order {
#ifdef CONTROL
  int size = 0;
#else
  Size size{1};
#endif
};

int main() {
  bankhook::Arena arena;
  return bankhook::parse_as<Order>("{}", arena).has_value() ? 1 : 0;
}
