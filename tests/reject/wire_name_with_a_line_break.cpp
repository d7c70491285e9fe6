// SPDX-License-Identifier: MIT
// A name that is given to a field is written as it stands: one that JSON would escape would break every payload.
// expect: a_wire_name_has_nothing_that_json_would_escape
#include <bankhook/reflect/wire_names.hpp>

#include <array>

struct Order {
#ifdef CONTROL
  static constexpr std::array renamed{bankhook::Renamed{"paid", "settled"}};
#else
  static constexpr std::array renamed{bankhook::Renamed{"paid", "set\ntled"}};
#endif
  bool paid = false;
};

int main() { return bankhook::reflect::wire_names<Order>[0] == "settled" ? 0 : 1; }
