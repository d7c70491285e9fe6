// SPDX-License-Identifier: MIT
// The path of a member in a payload, made from pointers to members: `$.initialTransaction.status`.
#pragma once

#include <bankhook/base/fixed_string.hpp>
#include <bankhook/reflect/members.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <cstddef>
#include <type_traits>

namespace bankhook::reflect::detail {

template <class P>
struct Pointed;
template <class M, class T>
struct Pointed<M T::*> {
  using Struct = T;
};

template <auto Pointer>
consteval std::size_t index_of() {
  using T = Pointed<decltype(Pointer)>::Struct;
  const T object{};
  std::size_t index = member_count<T>;
  for_each_member<T>([&]<std::size_t I>() {
    if constexpr (std::is_same_v<decltype(&(object.*Pointer)), decltype(&member<I>(object))>) {
      if (&(object.*Pointer) == &member<I>(object)) index = I;
    }
    return true;
  });
  return index;
}

template <auto Pointer>
consteval auto step() {
  return join(FixedString("."), wire_name<typename Pointed<decltype(Pointer)>::Struct, index_of<Pointer>()>);
}

}  // namespace bankhook::reflect::detail

namespace bankhook::reflect {

/// `path<&InitialTransactionUpdate::initial_transaction, &InitialTransaction::status>`, as a FixedString.
template <auto... Pointers>
inline constexpr auto path = join(FixedString("$"), detail::step<Pointers>()...);

}  // namespace bankhook::reflect
