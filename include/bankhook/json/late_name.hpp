// SPDX-License-Identifier: MIT
// Fields whose name only the running program knows: how their keys are recognised and written.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/base/simd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>

namespace bankhook::json::detail {

/// Bytes from `window` through the `opener` of the value of the field `name`; 0 if something else stands there. As in the
/// prediction of names that the compiler knows, no white space stands but that of the layout.
template <class Layout>
BANKHOOK_INLINE std::size_t size_of_key(const char* window, std::string_view name, char opener) {
  constexpr auto before = join(Layout::before_name, FixedString("\""));
  constexpr auto after = join(FixedString("\""), Layout::behind_name);
  const char* const key = window + before.size();
  const char* const end = key + name.size();
  // The first letter tells nearly always: it is that of the next field where this one is absent.
  const bool is_it = *key == name.front() && end[after.size()] == opener && simd::begins_with<after>(end) &&
                     simd::begins_with<before>(window) && std::memcmp(key, name.data(), name.size()) == 0;
  return is_it ? before.size() + name.size() + after.size() + 1 : 0;
}

/// `"name":`, with what stands before it. There is room for it.
template <FixedString before, class Out>
constexpr void write_key(Out& out, std::string_view name) {
  out.template literal<join(before, FixedString("\""))>();
  out.printed([name](char* to) { return std::copy(name.begin(), name.end(), to); });
  out.template literal<FixedString("\":")>();
}

}  // namespace bankhook::json::detail
