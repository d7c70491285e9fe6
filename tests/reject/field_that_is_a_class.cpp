// SPDX-License-Identifier: MIT
// A class has fields of its own, which nothing outside can read.
// expect: write a struct of public fields, without constructors, references and private fields
// lines: 20
#include <bankhook/parse.hpp>

class Size {
 public:
  Size() : width_(1) {}

 private:
  int width_;
};

struct Order {
#ifdef CONTROL
  int size = 0;
#else
  Size size;
#endif
};

int main() {
  bankhook::Arena arena;
  return bankhook::parse_as<Order>("{}", arena).has_value() ? 1 : 0;
}
