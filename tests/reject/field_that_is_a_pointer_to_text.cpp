// SPDX-License-Identifier: MIT
// A pointer to characters has no size, and JSON text may hold a zero.
// expect: write std::string_view for text
// lines: 20
#include <bankhook/parse.hpp>

#include <string_view>

struct Order {
#ifdef CONTROL
  std::string_view id;
#else
  const char* id = nullptr;
#endif
};

int main() {
  bankhook::Arena arena;
  return bankhook::parse_as<Order>("{}", arena).has_value() ? 1 : 0;
}
