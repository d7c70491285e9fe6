// SPDX-License-Identifier: MIT
// A struct with a field that owns its text is not written either: the library's values are views.
// expect: this_type_has_no_json_codec
#include <bankhook/events/serialize.hpp>

#include <string>
#include <string_view>

struct Order {
#ifdef CONTROL
  std::string_view id;
#else
  std::string id;
#endif
};

int main() { return bankhook::serialize(Order{"a"}).empty() ? 1 : 0; }
