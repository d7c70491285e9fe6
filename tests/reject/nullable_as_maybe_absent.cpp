// SPDX-License-Identifier: MIT
// Null and absent are two things (2.2, 2.4): neither converts to the other.
// expect: (cannot convert|no viable conversion|could not convert|conversion from)
#include <bankhook/base/optional.hpp>

#include <string_view>

#ifdef CONTROL
using Target = bankhook::nullable<std::string_view>;
#else
using Target = bankhook::maybe_absent<std::string_view>;
#endif

int main() {
  const bankhook::nullable<std::string_view> reason = "reason";
  const Target copy = reason;
  return copy.has_value() ? 0 : 1;
}
