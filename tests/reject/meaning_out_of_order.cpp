// SPDX-License-Identifier: MIT
// Meanings stand in the order of the fields, so that none is read as that of another.
// expect: write the meanings in the order of the fields
// lines: 20
#include <bankhook/reflect/meaning.hpp>

#include <string_view>

struct Order {
  static constexpr bankhook::Meaning meanings[] = {
#ifdef CONTROL
      {"id", "Order id"},
      {"paid", "Whether it was paid"},
#else
      {"paid", "Whether it was paid"},
      {"id", "Order id"},
#endif
  };

  std::string_view id{};
  bool paid{};
};

int main() { return bankhook::detail::reflect::field_meaning<Order, 1>.empty() ? 1 : 0; }
