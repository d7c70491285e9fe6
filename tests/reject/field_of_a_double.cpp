// SPDX-License-Identifier: MIT
// A floating-point number would not keep an amount as it was written; the sentence says what does, after at most 20 lines.
// expect: (paid.*write bankhook::Decimal for an amount|write bankhook::Decimal for an amount.*paid)
// lines: 20
#include <bankhook/bankhook.hpp>

#include <string_view>

struct Order {
  std::string_view id;
#ifdef CONTROL
  bankhook::Decimal paid{};
#else
  double paid = 0;
#endif
};

int main() {
  bankhook::Arena arena;
  return bankhook::parse_as<Order>(R"({"id":"a"})", arena).has_value() ? 0 : 1;
}
