// SPDX-License-Identifier: MIT
// Which structs the fields of a struct contain: directly, as an optional, or as the elements of an array.
#pragma once

#include <bankhook/reflect/fields.hpp>
#include <bankhook/reflect/value_kinds.hpp>

#include <cstddef>
#include <type_traits>

namespace bankhook::inline BANKHOOK_ABI::reflect {

/// The struct that a field of type `Field` contains, itself or as elements; void if it contains no struct.
template <class Field>
using StructIn = std::conditional_t<Structure<InnermostType<Field>>, InnermostType<Field>, void>;

/// Whether `T` is `Outer` or occurs somewhere in its fields.
template <class T, class Outer>
inline constexpr bool contains = [] {
  if constexpr (std::is_same_v<T, Outer>) {
    return true;
  } else {
    bool found = false;
    for_each_field<Outer>([&]<std::size_t I>() {
      using Inner = StructIn<FieldType<Outer, I>>;
      if constexpr (!std::is_void_v<Inner>) found = contains<T, Inner>;
      return !found;
    });
    return found;
  }
}();

}  // namespace bankhook::inline BANKHOOK_ABI::reflect
