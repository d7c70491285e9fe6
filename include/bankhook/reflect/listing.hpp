// SPDX-License-Identifier: MIT
// Known texts as one text for people: `created, validated or rejected`.
#pragma once

#include <bankhook/base/enumerators.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <cstddef>
#include <utility>

namespace bankhook::inline BANKHOOK_ABI::reflect {

/// The texts as alternatives: with `, ` between them, and ` or ` before the last.
template <std::size_t First, std::size_t... Rest>
consteval auto list(const FixedString<First>& first, const FixedString<Rest>&... rest) {
  if constexpr (sizeof...(Rest) == 0) return first;
  else if constexpr (sizeof...(Rest) == 1) return join_literals(first, FixedString(" or "), rest...);
  else return join_literals(first, FixedString(", "), list(rest...));
}

/// The texts of all enumerators on the wire as alternatives, then `Others`, as a FixedString.
template <Enumeration E, FixedString... Others>
inline constexpr auto listing = []<std::size_t... I>(std::index_sequence<I...>) {
  return list(enumerator_wire_name<E, I>..., Others...);
}(std::make_index_sequence<enumerator_count<E>>());

}  // namespace bankhook::inline BANKHOOK_ABI::reflect
