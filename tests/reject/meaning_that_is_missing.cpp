// SPDX-License-Identifier: MIT
// A struct that says what its fields mean says it of each: a new field needs its row.
// expect: write one meaning for each field
// lines: 20
#include <bankhook/reflect/meaning.hpp>

#include <string_view>

struct Order {
  static constexpr bankhook::Meaning meanings[] = {
      {"id", "Order id"},
#ifdef CONTROL
      {"paid", "Whether it was paid"},
#endif
  };

  std::string_view id{};
  bool paid{};
};

int main() { return bankhook::detail::reflect::field_meaning<Order, 0>.empty() ? 1 : 0; }
