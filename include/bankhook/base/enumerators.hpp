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

namespace detail {

/// `E::name` where the number has an enumerator, `(E)7` where it has none, which is empty here.
template <class E, std::size_t I>
consteval std::string_view name_of_number() {
  constexpr auto value = static_cast<E>(static_cast<std::underlying_type_t<E>>(I));
  const std::string_view name = last_identifier(text_with_value<value>());
  return name.front() > '9' ? name : std::string_view();
}

template <class E, std::size_t I = 0>
consteval std::size_t count_enumerators() {
  constexpr bool is_all = std::is_same_v<std::underlying_type_t<E>, bool> && I == 2;  // any number becomes a bool
  if constexpr (is_all || name_of_number<E, I>().empty()) return I;
  else return count_enumerators<E, I + 1>();
}

/// Whether no enumerator is -1 or one of the 16 numbers that follow the first gap: a mistake that would else be silent.
template <class E>
consteval bool counts_from_zero() {
  constexpr std::size_t gap = count_enumerators<E>();
  if (std::is_same_v<std::underlying_type_t<E>, bool>) return true;
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return gap > 0 && (name_of_number<E, gap + I>().empty() && ...) &&
           name_of_number<E, static_cast<std::size_t>(-1)>().empty();
  }(std::make_index_sequence<16>());
}

}  // namespace detail

/// How many enumerators `E` has, counted from 0 to the first gap.
template <Enumeration E>
inline constexpr std::size_t enumerator_count = detail::count_enumerators<E>();

/// The name of enumerator `I` as written in the enumeration.
template <Enumeration E, std::size_t I>
inline constexpr std::string_view enumerator_name = detail::name_of_number<E, I>();

/// The names of all enumerators, indexed by their value.
template <Enumeration E>
inline constexpr auto enumerator_names = []<std::size_t... I>(std::index_sequence<I...>) {
  return std::array<std::string_view, sizeof...(I)>{enumerator_name<E, I>...};
}(std::make_index_sequence<enumerator_count<E>>());

/// The name of a value of `E`: stable, for programs; empty for a number that no enumerator has. Static storage.
template <Enumeration E>
[[nodiscard]] constexpr std::string_view name_of(E value) {
  const auto index = static_cast<std::size_t>(value);
  return index < enumerator_count<E> ? enumerator_names<E>[index] : std::string_view();
}

/// As text for people and logs: the name, unless the enumeration has sentences (as `Errc` has). Static storage.
template <Enumeration E>
[[nodiscard]] constexpr std::string_view to_string(E value) {
  return name_of(value);
}

}  // namespace bankhook::inline BANKHOOK_ABI
