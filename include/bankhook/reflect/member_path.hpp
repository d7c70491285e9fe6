// SPDX-License-Identifier: MIT
// The path of a field in a payload, made from pointers to members: `$.initialTransaction.status`.
#pragma once

#include <bankhook/base/fixed_string.hpp>
#include <bankhook/reflect/members.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>

namespace bankhook::reflect::detail {

template <class P>
struct Pointed;
template <class M, class T>
struct Pointed<M T::*> {
  using Struct = T;
};

template <auto Pointer>
consteval std::size_t index_of() {
  using T = Pointed<decltype(Pointer)>::Struct;
  const T object{};
  std::size_t index = member_count<T>;
  for_each_member<T>([&]<std::size_t I>() {
    if constexpr (std::is_same_v<decltype(&(object.*Pointer)), decltype(&member<I>(object))>) {
      if (&(object.*Pointer) == &member<I>(object)) index = I;
    }
    return true;
  });
  return index;
}

template <auto Pointer>
inline constexpr auto name_of_field = wire_name<typename Pointed<decltype(Pointer)>::Struct, index_of<Pointer>()>;

template <auto... Pointers>
inline constexpr auto path_text = join(FixedString("$"), join(FixedString("."), name_of_field<Pointers>)...);

template <auto... Pointers>
inline constexpr std::array<std::string_view, sizeof...(Pointers)> path_names{name_of_field<Pointers>.view()...};

}  // namespace bankhook::reflect::detail

namespace bankhook::reflect {

/// The path of nested fields from the root: as text and as their names, which have static storage.
struct FieldPath {
  std::string_view text{};
  std::span<const std::string_view> names{};

  // NOLINTNEXTLINE(google-explicit-constructor): it stands for its text
  constexpr operator std::string_view() const { return text; }
};

/// `path<&InitialTransactionUpdate::initial_transaction, &InitialTransaction::status>`.
template <auto... Pointers>
inline constexpr FieldPath path{detail::path_text<Pointers...>.view(), detail::path_names<Pointers...>};

}  // namespace bankhook::reflect
