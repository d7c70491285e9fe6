// SPDX-License-Identifier: MIT
// A plain enumeration has no place for a value from the future; the sentence says what does, after at most 20 lines.
// expect: (paid.*write bankhook::OpenEnum<T> for an enumeration|write bankhook::OpenEnum<T> for an enumeration.*paid)
// lines: 20
#include <bankhook/bankhook.hpp>

#include <string_view>

enum class Paid { yes, no };

struct Order {
  std::string_view id;
#ifdef CONTROL
  bankhook::OpenEnum<Paid> paid;
#else
  Paid paid{};
#endif
};

int main() {
  bankhook::Arena arena;
  return bankhook::parse_as<Order>(R"({"id":"a"})", arena).has_value() ? 0 : 1;
}
