// SPDX-License-Identifier: MIT
// A field of type `char` has no reader: as a number it would surprise, and a text is a std::string_view.
// expect: write std::string_view for text
// lines: 20
#include <bankhook/events/parse.hpp>

struct Order {
#ifdef CONTROL
  signed char size = 0;
#else
  char size = 0;
#endif
};

int main() {
  bankhook::Arena arena;
  return bankhook::parse_as<Order>(R"({"size":7})", arena).has_value() ? 0 : 1;
}
