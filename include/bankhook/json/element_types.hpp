// SPDX-License-Identifier: MIT
// Which arrays a type holds, at any depth, and whether a struct can hold itself in one of them.
#pragma once

#include <bankhook/reflect/fields.hpp>
#include <bankhook/reflect/value_kinds.hpp>

#include <cstddef>
#include <span>
#include <type_traits>

namespace bankhook::inline BANKHOOK_ABI::json::detail {

template <class... T>
struct TypeList {
  static constexpr std::size_t size = sizeof...(T);
};

template <class List, class T>
struct Append;
template <class... Known, class T>
struct Append<TypeList<Known...>, T> {
  using type = std::conditional_t<(std::is_same_v<Known, T> || ...), TypeList<Known...>, TypeList<Known..., T>>;
};

/// `List` and the types of the elements of all arrays within a `T`.
template <class List, class T>
struct Elements {
  using type = List;
};
template <class List, class T>
using ElementsOf = typename Elements<List, T>::type;

template <class List, reflect::OptionalValue T>
struct Elements<List, T> : Elements<List, typename T::value_type> {};
template <class List, class T>
struct Elements<List, std::span<const T>> {
  using WithElement = typename Append<List, T>::type;
  using type = typename std::conditional_t<std::is_same_v<List, WithElement>, std::type_identity<List>,
                                           Elements<WithElement, T>>::type;
};
template <class List, reflect::Structure T>
struct Elements<List, T> {
  template <std::size_t I, class Found>
  static consteval auto from(Found found) {
    if constexpr (I == reflect::field_count<T>) return found;
    else return from<I + 1>(ElementsOf<Found, reflect::FieldType<T, I>>());
  }
  using type = decltype(from<0>(List()));
};

template <class List, class T>
inline constexpr bool lists = false;
template <class... Known, class T>
inline constexpr bool lists<TypeList<Known...>, T> = (std::is_same_v<Known, T> || ...);

/// Whether some array within a `T` has elements of type `T`: reading one then calls itself.
template <class T>
inline constexpr bool is_recursive = lists<ElementsOf<TypeList<>, T>, T>;

}  // namespace bankhook::inline BANKHOOK_ABI::json::detail
