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

namespace bankhook::inline BANKHOOK_ABI::reflect {
namespace detail {

template <class T, class M>
T pointed(M T::*);
/// The struct that has the field `Pointer`.
template <auto Pointer>
using StructOf = decltype(pointed(Pointer));

}  // namespace detail

/// The index of the field that `Pointer` names in its struct.
template <auto Pointer>
inline constexpr std::size_t index_of = [] {
  using T = detail::StructOf<Pointer>;
  const T object{};
  std::size_t index = 0;
  for_each_field<T>([&]<std::size_t I>() {
    const void* const address = &field<I>(object);
    index = I;
    return address != &(object.*Pointer);
  });
  return index;
}();

/// Its wire name, as a FixedString if the compiler knows it.
template <auto Pointer>
inline constexpr auto& name_of_field = wire_name<detail::StructOf<Pointer>, index_of<Pointer>>;

/// The path of nested fields from the root: their names, which have static storage.
struct FieldPath {
  std::span<const std::string_view> names{};
};

namespace detail {

template <auto... Pointers>
inline constexpr std::array<std::string_view, sizeof...(Pointers)> path_names{name_of_field<Pointers>.view()...};

}  // namespace detail

/// `path<&InitialTransactionUpdate::initial_transaction, &InitialTransaction::status>`.
template <auto... Pointers>
inline constexpr FieldPath path{detail::path_names<Pointers...>};

}  // namespace bankhook::inline BANKHOOK_ABI::reflect
