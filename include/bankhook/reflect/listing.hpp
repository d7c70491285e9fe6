// SPDX-License-Identifier: MIT
// Known texts as one text for people: `created, validated, rejected`.
#pragma once

#include <bankhook/base/enumerators.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <cstddef>
#include <utility>

namespace bankhook::inline BANKHOOK_ABI::reflect {

/// The texts `rest` after `first`, with `, ` between them.
template <std::size_t First, std::size_t... Rest>
consteval auto list(const FixedString<First>& first, const FixedString<Rest>&... rest) {
  return join_literals(first, join_literals(FixedString(", "), rest)...);
}

/// The texts of all enumerators on the wire, as a FixedString.
template <Enumeration E>
inline constexpr auto listing = []<std::size_t... I>(std::index_sequence<I...>) {
  return list(enumerator_wire_name<E, I>...);
}(std::make_index_sequence<enumerator_count<E>>());

}  // namespace bankhook::inline BANKHOOK_ABI::reflect
