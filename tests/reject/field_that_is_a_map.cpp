// SPDX-License-Identifier: MIT
// An object of JSON is a struct: a map has no names that are known.
// expect: write a struct with a field for each name
// lines: 20
#include <bankhook/parse.hpp>

#include <map>
#include <string_view>

struct Order {
#ifdef CONTROL
  int counts = 0;
#else
  std::map<std::string_view, int> counts;
#endif
};

int main() {
  bankhook::Arena arena;
  return bankhook::parse_as<Order>("{}", arena).has_value() ? 1 : 0;
}
