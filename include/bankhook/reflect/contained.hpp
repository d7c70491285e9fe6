// SPDX-License-Identifier: MIT
// Which structs the fields of a struct contain: directly, as an optional, or as the elements of an array.
#pragma once

#include <bankhook/base/optional.hpp>
#include <bankhook/reflect/equality.hpp>
#include <bankhook/reflect/members.hpp>
#include <bankhook/reflect/type_tag.hpp>

#include <cstddef>
#include <type_traits>

namespace bankhook::reflect {

/// The struct that a field of type `Field` contains, itself or as elements; void if there is none.
template <class Field>
struct StructIn {
  using type = std::conditional_t<Aggregate<Field> && !is_type_tag<Field>, Field, void>;
};
template <class Field>
  requires(is_nullable<Field> || is_maybe_absent<Field> || detail::is_span<Field>)
struct StructIn<Field> : StructIn<std::remove_cv_t<typename Field::value_type>> {};

/// Whether `T` is `Outer` or occurs somewhere in its fields.
template <class T, class Outer>
inline constexpr bool contains = [] {
  if constexpr (std::is_same_v<T, Outer>) {
    return true;
  } else {
    bool found = false;
    for_each_member<Outer>([&]<std::size_t I>() {
      using Inner = typename StructIn<MemberType<Outer, I>>::type;
      if constexpr (!std::is_void_v<Inner>) found = contains<T, Inner>;
      return !found;
    });
    return found;
  }
}();

}  // namespace bankhook::reflect
