// SPDX-License-Identifier: MIT
// A new value made field by field: clearing all its bytes at once takes longer than most of what is read into it.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/reflect/fields.hpp>

#include <cstddef>
#include <utility>

namespace bankhook::inline BANKHOOK_ABI::reflect {

/// As `T()`. For that compilers clear the whole value, padding and all, by an instruction or a loop that takes some 30
/// cycles to begin; here each field gets its own few stores.
template <class T>
BANKHOOK_INLINE constexpr T value_initialized() {
  if !consteval {
    base::compiler_barrier();  // or the fields would be cleared together again
  }
  if constexpr (Aggregate<T>) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return T{value_initialized<FieldType<T, I>>()...};
    }(std::make_index_sequence<field_count<T>>());
  } else {
    return T();
  }
}

/// Becomes such a value where only arguments can be given: `std::in_place`.
struct ValueInitialized {
  template <Aggregate T>
  BANKHOOK_INLINE constexpr operator T() const {  // NOLINT(google-explicit-constructor): it stands for a value
    return value_initialized<T>();
  }
};

}  // namespace bankhook::inline BANKHOOK_ABI::reflect
