// SPDX-License-Identifier: MIT
// A wire name is written as it stands: one that JSON would escape would break every payload.
// expect: write a wire name without quotes, backslashes and control characters
// lines: 20
#include <bankhook/reflect/wire_names.hpp>

#include <array>
#include <string_view>

struct Order {
#ifdef CONTROL
  static constexpr std::array renamed{bankhook::Renamed{"id", "größe"}};
#else
  static constexpr std::array renamed{bankhook::Renamed{"id", "the \"id\""}};
#endif
  std::string_view id;
};

int main() { return bankhook::detail::reflect::wire_names<Order>[0].empty() ? 1 : 0; }
