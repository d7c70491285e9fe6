// SPDX-License-Identifier: MIT
// A struct with a field that JSON cannot hold has no reader; the sentence says why.
// expect: write the value itself, or bankhook::nullable<T> of it, instead of a pointer
// lines: 20
#include <bankhook/events/parse.hpp>

#include <string_view>

struct Order {
  std::string_view id;
#ifdef CONTROL
  bool paid = false;
#else
  void* paid = nullptr;
#endif
};

int main() {
  bankhook::Arena arena;
  return bankhook::parse_as<Order>(R"({"id":"a","paid":true})", arena).has_value() ? 0 : 1;
}
