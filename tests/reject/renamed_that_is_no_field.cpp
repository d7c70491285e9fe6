// SPDX-License-Identifier: MIT
// A name for a field that is not there would have no effect.
// expect: name a field of the struct in `renamed`: it has none of this name
// lines: 20
#include <bankhook/reflect/wire_names.hpp>

#include <array>
#include <string_view>

struct Order {
#ifdef CONTROL
  static constexpr std::array renamed{bankhook::Renamed{"order_id", "id"}};
#else
  static constexpr std::array renamed{bankhook::Renamed{"orderId", "id"}};
#endif
  std::string_view order_id;
};

int main() { return bankhook::detail::reflect::wire_names<Order>[0].empty() ? 1 : 0; }
