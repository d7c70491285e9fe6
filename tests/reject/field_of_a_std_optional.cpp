// SPDX-License-Identifier: MIT
// std::optional does not say whether it is null or absent; the sentence says what does, after at most 20 lines.
// expect: (paid.*write bankhook::nullable<T>|write bankhook::nullable<T>.*paid)
// lines: 20
#include <bankhook/bankhook.hpp>

#include <optional>
#include <string_view>

struct Order {
  std::string_view id;
#ifdef CONTROL
  bankhook::nullable<bool> paid;
#else
  std::optional<bool> paid;
#endif
};

int main() {
  bankhook::Arena arena;
  return bankhook::parse_as<Order>(R"({"id":"a"})", arena).has_value() ? 0 : 1;
}
