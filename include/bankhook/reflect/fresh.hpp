// SPDX-License-Identifier: MIT
// A new value made member by member: clearing all its bytes at once takes longer than most of what is read into it.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/reflect/members.hpp>

#include <cstddef>
#include <utility>

namespace bankhook::reflect {

/// Converts to any `T`, which is then as `T()`. For `T()` itself compilers clear the whole value, padding and all, by an
/// instruction or a loop that takes some 30 cycles to begin; here each member gets its own few stores.
struct Fresh {
  template <class T>
  BANKHOOK_INLINE constexpr operator T() const {  // NOLINT(google-explicit-constructor): it stands for a value
    if constexpr (Aggregate<T>) {
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return T{member<MemberType<T, I>>()...};
      }(std::make_index_sequence<member_count<T>>());
    } else {
      return T();
    }
  }

 private:
  template <class T>
  BANKHOOK_INLINE static constexpr T member() {
    if !consteval {
      keep_branch();  // or the members would be cleared together again
    }
    return Fresh();
  }
};

}  // namespace bankhook::reflect
