// SPDX-License-Identifier: MIT
// A meaning is quoted unchanged, in schemas too, so it contains nothing that JSON escapes.
// expect: write a meaning without quotes, backslashes and control characters
// lines: 20
#include <bankhook/reflect/meaning.hpp>

#include <string_view>

struct Order {
#ifdef CONTROL
  static constexpr std::string_view meaning = "What the trade calls an order";
#else
  static constexpr std::string_view meaning = "What the trade calls an \"order\"";
#endif

  std::string_view id{};
};

int main() { return bankhook::detail::reflect::meaning<Order>.empty() ? 1 : 0; }
