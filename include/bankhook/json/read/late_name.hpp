// SPDX-License-Identifier: MIT
// Fields whose names are known only at run time: how their keys are recognised and written.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/base/simd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI::json::detail {

/// The number of bytes from `window` through the `opener` of the value of the field `name`; 0 if something else is there.
/// As for names that the compiler knows, no white space is expected.
BANKHOOK_INLINE std::size_t size_of_key(const char* window, std::string_view name, char opener) {
  constexpr FixedString before(",\"");
  constexpr FixedString after("\":");
  const char* const key = window + before.size();
  const char* const end = key + name.size();
  // The first letter nearly always decides: if this field is absent, it is that of the next field.
  const bool is_it = *key == name.front() && end[after.size()] == opener && simd::begins_with<after>(end) &&
                     simd::begins_with<before>(window) && std::memcmp(key, name.data(), name.size()) == 0;
  return is_it ? before.size() + name.size() + after.size() + 1 : 0;
}

/// Writes `"name":` and what precedes it. There is room for it.
template <FixedString before, class Out>
constexpr void write_key(Out& out, std::string_view name) {
  out.template literal<join_literals(before, FixedString("\""))>();
  out.printed([name](char* to) { return std::copy(name.begin(), name.end(), to); });
  out.template literal<FixedString("\":")>();
}

}  // namespace bankhook::inline BANKHOOK_ABI::json::detail
