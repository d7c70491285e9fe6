// SPDX-License-Identifier: MIT
// A new value made field by field: clearing all its bytes at once takes longer than most of what is read into it.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/reflect/fields.hpp>

#include <cstddef>
#include <utility>

namespace bankhook::inline BANKHOOK_ABI::reflect {

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

/// As `T{}`, with the initialisers that the fields declare. For that compilers clear the whole value, padding and all, by
/// an instruction or a loop that takes some 30 cycles to begin.
template <class T>
BANKHOOK_INLINE constexpr T value_initialized() {
  return copy_of_fields(detail::sample<T>.value);
}

/// Becomes such a value where only arguments can be given: `std::in_place`.
struct ValueInitialized {
  template <Aggregate T>
  BANKHOOK_INLINE constexpr operator T() const {  // NOLINT(google-explicit-constructor): it stands for a value
    return value_initialized<T>();
  }
};

}  // namespace bankhook::inline BANKHOOK_ABI::reflect
