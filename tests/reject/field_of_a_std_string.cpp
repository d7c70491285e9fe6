// SPDX-License-Identifier: MIT
// A struct with a field that owns its text is not written either: the library's values are views.
// expect: (id.*write std::string_view for text|write std::string_view for text.*id)
// lines: 20
#include <bankhook/bankhook.hpp>

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
