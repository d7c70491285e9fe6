// SPDX-License-Identifier: MIT
// Absent and null are two things (2.2, 2.4): a value that may be absent is not assigned to one that may be null.
// expect: (no match for 'operator='|no viable overloaded '=')
// lines: 20
#include <bankhook/base/optional.hpp>

#include <string_view>

int main() {
#ifdef CONTROL
  const bankhook::nullable<std::string_view> source = "reason";
#else
  const bankhook::maybe_absent<std::string_view> source = "reason";
#endif
  bankhook::nullable<std::string_view> reason;
  reason = source;
  return reason.has_value() ? 0 : 1;
}
