// SPDX-License-Identifier: MIT
// What is done with all fields of a plain aggregate: to visit, to copy, to initialise them.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/enumerators.hpp>
#include <bankhook/base/members.hpp>

#include <cstddef>
#include <string_view>
#include <utility>

namespace bankhook::inline BANKHOOK_ABI::reflect {

/// The name of a type without namespace and template arguments.
template <class T>
inline constexpr std::string_view type_name = bankhook::detail::type_in(bankhook::detail::text_with_type<T>());

/// Calls `f.template operator()<I>()` for each field's index, in order; stops where it returns false.
template <Aggregate T, class F>
constexpr bool for_each_field(F&& f) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return (f.template operator()<I>() && ...);
  }(std::make_index_sequence<field_count<T>>());
}

/// A value as its fields declare it.
template <class T>
inline constexpr T declared_value{};

/// A copy for which each field, at any depth, gets its own few stores.
template <class T>
BANKHOOK_INLINE constexpr T copy_of_fields(const T& value);
template <class T, std::size_t... I>
BANKHOOK_INLINE constexpr T copy_of_fields(const T& value, std::index_sequence<I...>) {
  return T{copy_of_fields(field<I>(value))...};
}
template <class T>
BANKHOOK_INLINE constexpr T copy_of_fields(const T& value) {
  if !consteval {
    base::compiler_barrier();  // or the fields would be cleared together again
  }
  if constexpr (Aggregate<T>) return copy_of_fields(value, std::make_index_sequence<field_count<T>>());
  else if constexpr (requires { value.has_value(); }) return value.has_value() ? value : T();  // of an empty one, a byte
  else return value;
}

/// As `T{}`, with the initialisers that the fields declare. For `T{}`, compilers clear the whole value, padding and all, by
/// an instruction or a loop that takes some 30 cycles to begin.
template <class T>
BANKHOOK_INLINE constexpr T value_initialized() {
  return copy_of_fields(declared_value<T>);
}

/// Becomes such a value where only arguments can be given: `std::in_place`.
struct ValueInitialized {
  template <Aggregate T>
  BANKHOOK_INLINE constexpr operator T() const {  // NOLINT(google-explicit-constructor): it stands for a value
    return value_initialized<T>();
  }
};

}  // namespace bankhook::inline BANKHOOK_ABI::reflect
