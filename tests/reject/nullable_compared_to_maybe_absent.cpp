// SPDX-License-Identifier: MIT
// Null and absent are two things (2.2, 2.4): whether one equals the other is no question.
// expect: compare_the_values_because_null_is_not_absent
// lines: 20
#include <bankhook/base/optional.hpp>

#include <string_view>

int main() {
  const bankhook::nullable<std::string_view> store = "store-1";
#ifdef CONTROL
  const bankhook::nullable<std::string_view> place = "place-1";
#else
  const bankhook::maybe_absent<std::string_view> place = "place-1";
#endif
  return store == place ? 1 : 0;
}
