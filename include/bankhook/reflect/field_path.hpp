// SPDX-License-Identifier: MIT
// The path of a field in a payload, made from pointers to fields: its names from the root on.
#pragma once

#include <bankhook/base/fixed_string.hpp>
#include <bankhook/reflect/fields.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>

namespace bankhook::inline BANKHOOK_ABI::reflect::detail {

template <class P>
struct Pointed;
template <class M, class T>
struct Pointed<M T::*> {
  using Struct = T;
};

}  // namespace bankhook::inline BANKHOOK_ABI::reflect::detail

namespace bankhook::inline BANKHOOK_ABI::reflect {

/// The index of the field that `Pointer` names in its struct.
template <auto Pointer>
inline constexpr std::size_t index_of = [] {
  using T = detail::Pointed<decltype(Pointer)>::Struct;
  const T object{};
  std::size_t index = field_count<T>;
  for_each_field<T>([&]<std::size_t I>() {
    if constexpr (std::is_same_v<decltype(&(object.*Pointer)), decltype(&field<I>(object))>) {
      if (&(object.*Pointer) == &field<I>(object)) index = I;
    }
    return true;
  });
  return index;
}();

/// Its wire name, as a FixedString if the compiler knows it.
template <auto Pointer>
inline constexpr auto& name_of_field = wire_name<typename detail::Pointed<decltype(Pointer)>::Struct, index_of<Pointer>>;

}  // namespace bankhook::inline BANKHOOK_ABI::reflect

namespace bankhook::inline BANKHOOK_ABI::reflect::detail {

template <auto... Pointers>
inline constexpr std::array<std::string_view, sizeof...(Pointers)> path_names{name_of_field<Pointers>.view()...};

}  // namespace bankhook::inline BANKHOOK_ABI::reflect::detail

namespace bankhook::inline BANKHOOK_ABI::reflect {

/// The path of nested fields from the root: their names, which have static storage.
struct FieldPath {
  std::span<const std::string_view> names{};
};

/// `path<&InitialTransactionUpdate::initial_transaction, &InitialTransaction::status>`.
template <auto... Pointers>
inline constexpr FieldPath path{detail::path_names<Pointers...>};

}  // namespace bankhook::inline BANKHOOK_ABI::reflect
