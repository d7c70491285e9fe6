// SPDX-License-Identifier: MIT
// The enumerators of an enumeration and their names at compile time, from 0 without gaps.
#pragma once

#include <bankhook/base/format.hpp>
#include <bankhook/base/spelling.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace bankhook::inline BANKHOOK_ABI {

/// An `enum class`.
template <class E>
concept Enumeration = std::is_scoped_enum_v<E>;

}  // namespace bankhook::inline BANKHOOK_ABI

namespace bankhook::inline BANKHOOK_ABI::detail {

/// `E::name` where the value has an enumerator, `(E)7` where it has none: a name does not follow a parenthesis.
template <class E, std::size_t I>
consteval bool is_enumerator() {
  constexpr std::string_view text = text_with_value<static_cast<E>(I)>();
  constexpr std::string_view name = last_identifier(text);
  return !(name.front() >= '0' && name.front() <= '9');
}

template <class E, std::size_t I = 0>
consteval std::size_t count_enumerators() {
  if constexpr (is_enumerator<E, I>()) return count_enumerators<E, I + 1>();
  else return I;
}

}  // namespace bankhook::inline BANKHOOK_ABI::detail

namespace bankhook::inline BANKHOOK_ABI {

/// How many enumerators `E` has, counted from 0 to the first gap.
template <Enumeration E>
inline constexpr std::size_t enumerator_count = detail::count_enumerators<E>();

/// The name of enumerator `I` as written in the enumeration.
template <Enumeration E, std::size_t I>
inline constexpr std::string_view enumerator_name = detail::last_identifier(detail::text_with_value<static_cast<E>(I)>());

/// The names of all enumerators, indexed by their value.
template <Enumeration E>
inline constexpr auto enumerator_names = []<std::size_t... I>(std::index_sequence<I...>) {
  return std::array<std::string_view, sizeof...(I)>{enumerator_name<E, I>...};
}(std::make_index_sequence<enumerator_count<E>>());

/// The name of a value of `E` that has one: stable, for programs. Static storage.
template <Enumeration E>
[[nodiscard]] constexpr std::string_view name_of(E value) {
  return enumerator_names<E>[static_cast<std::size_t>(value)];
}

/// As text for people and logs: the name, unless the enumeration has sentences (as `Errc` has). Static storage.
template <Enumeration E>
[[nodiscard]] constexpr std::string_view to_string(E value) {
  return name_of(value);
}

}  // namespace bankhook::inline BANKHOOK_ABI
