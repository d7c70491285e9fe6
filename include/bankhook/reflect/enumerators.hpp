// SPDX-License-Identifier: MIT
// The enumerators of an enumeration and their names at compile time, from 0 without gaps.
#pragma once

#include <bankhook/reflect/members.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace bankhook::reflect {

template <class E>
concept Enumeration = std::is_scoped_enum_v<E>;

}  // namespace bankhook::reflect

namespace bankhook::reflect::detail {

/// `E::name` where the value has an enumerator, `(E)7` where it has none: a name does not follow a parenthesis.
template <class E, std::size_t I>
consteval bool is_enumerator() {
  constexpr std::string_view text = text_with_pointer<static_cast<E>(I)>();
  constexpr std::string_view name = last_identifier(text);
  return !(name.front() >= '0' && name.front() <= '9');
}

template <class E, std::size_t I = 0>
consteval std::size_t count_enumerators() {
  if constexpr (is_enumerator<E, I>()) return count_enumerators<E, I + 1>();
  else return I;
}

}  // namespace bankhook::reflect::detail

namespace bankhook::reflect {

/// How many enumerators `E` has, counted from 0 to the first gap.
template <Enumeration E>
inline constexpr std::size_t enumerator_count = detail::count_enumerators<E>();

/// The name of enumerator `I` as it is written in the enumeration.
template <Enumeration E, std::size_t I>
inline constexpr std::string_view enumerator_name = detail::last_identifier(detail::text_with_pointer<static_cast<E>(I)>());

}  // namespace bankhook::reflect
