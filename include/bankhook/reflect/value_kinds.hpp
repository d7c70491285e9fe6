// SPDX-License-Identifier: MIT
// The kinds of values that a field can have, and the one walk into a value: all that goes by type is built on these.
#pragma once

#include <bankhook/base/optional.hpp>
#include <bankhook/reflect/fields.hpp>
#include <bankhook/reflect/open_enum.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <variant>

namespace bankhook::inline BANKHOOK_ABI::reflect {
// What has no parts. Whatever is of none of these kinds is a value type by itself: a number, a date, a Decimal.
template <class T>
concept Text = std::same_as<T, std::string_view>;
template <class T>
concept OpenEnumeration = std::same_as<T, OpenEnum<typename T::enum_type>>;
template <class T>
concept Tag = base::is_of<T, TypeTag>;

// What has parts.
template <class T>
concept OptionalValue = base::is_nullable<T> || base::is_maybe_absent<T>;
template <class T>
concept Array = std::same_as<T, std::span<const typename T::value_type>>;
template <class T>
concept Structure = Aggregate<T> && !Tag<T>;
template <class T>
concept Alternatives = base::is_of<T, std::variant>;
template <class T>
concept HasParts = OptionalValue<T> || Array<T> || Structure<T> || Alternatives<T>;

/// A number, a date, a decimal: what neither has parts nor is text by itself. A type of your own is one, too.
template <class T>
concept Scalar = !HasParts<T> && !Text<T> && !OpenEnumeration<T> && !Tag<T>;

/// Calls `f(part)` for each value that lies directly in `value`: the value of an optional, if there is one, the elements of
/// an array, the fields of a struct, what a variant holds. Stops if it returns false, and returns whether it did not.
///
///     // all texts in a value, however deep
///     template <class T>
///     void add_texts(const T& value, std::vector<std::string_view>& texts) {
///       if constexpr (reflect::Text<T>) texts.push_back(value);
///       else if constexpr (reflect::HasParts<T>)
///         reflect::for_each_part(value, [&](const auto& part) { return add_texts(part, texts), true; });
///     }
template <class T, class F>
  requires HasParts<std::remove_const_t<T>>
constexpr bool for_each_part(T& value, F&& f) {
  using Value = std::remove_const_t<T>;
  if constexpr (OptionalValue<Value>) return !value || f(*value);
  else if constexpr (Array<Value>) {
    for (const auto& item : value) {
      if (!f(item)) return false;
    }
    return true;
  } else if constexpr (Alternatives<Value>) {
    return std::visit([&](auto& held) { return static_cast<bool>(f(held)); }, value);
  } else {
    return for_each_field<Value>([&]<std::size_t I>() { return static_cast<bool>(f(field<I>(value))); });
  }
}

/// How many values lie directly in `value`.
template <HasParts T>
constexpr std::size_t part_count(const T& value) {
  if constexpr (OptionalValue<T>) return value.has_value() ? 1 : 0;
  else if constexpr (Array<T>) return value.size();
  else if constexpr (Alternatives<T>) return 1;
  else return field_count<T>;
}

template <class T>
consteval auto innermost() {
  if constexpr (OptionalValue<T> || Array<T>) return innermost<std::remove_const_t<typename T::value_type>>();
  else return std::type_identity<T>();
}

/// What a field contains besides optionals and arrays: `Account` for `nullable<std::span<const Account>>`.
template <class T>
using InnermostType = typename decltype(innermost<T>())::type;

/// The struct that a field of type `Field` contains, itself or as elements; void if it contains no struct.
template <class Field>
using StructIn = std::conditional_t<Structure<InnermostType<Field>>, InnermostType<Field>, void>;

/// Calls `f.template operator()<Inner, I>()` for each field of `T` that contains a struct: with that and its own index.
template <Aggregate T, class F>
constexpr void for_each_struct_in(F&& f) {
  for_each_field<T>([&]<std::size_t I>() {
    using Inner = StructIn<FieldType<T, I>>;
    if constexpr (!std::is_void_v<Inner>) f.template operator()<Inner, I>();
    return true;
  });
}

/// Whether `T` is `Outer` or occurs somewhere in its fields, or in those of its alternatives.
template <class T, class Outer>
inline constexpr bool contains = std::is_same_v<T, Outer>;
template <class T, Structure Outer>
  requires(!std::is_same_v<T, Outer>)
inline constexpr bool contains<T, Outer> =
    !for_each_field<Outer>([]<std::size_t I>() { return !contains<T, StructIn<FieldType<Outer, I>>>; });
template <class T, class... Outer>
inline constexpr bool contains<T, std::variant<Outer...>> = (contains<T, Outer> || ...);

}  // namespace bankhook::inline BANKHOOK_ABI::reflect
