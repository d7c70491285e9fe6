// SPDX-License-Identifier: MIT
// A std::array is no struct of fields, though it is an aggregate: arrays are read as std::span.
// expect: write std::span<const T> for an array
// lines: 20
#include <bankhook/events/parse.hpp>

#include <array>
#include <span>

struct Order {
#ifdef CONTROL
  std::span<const int> sizes;
#else
  std::array<int, 2> sizes{};
#endif
};

int main() {
  bankhook::Arena arena;
  return bankhook::parse_as<Order>(R"({"sizes":[1,2]})", arena).has_value() ? 0 : 1;
}
