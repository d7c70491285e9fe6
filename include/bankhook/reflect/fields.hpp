// SPDX-License-Identifier: MIT
// Names, types and fields of a plain aggregate at compile time: the one file that knows how C++23 can be made to tell.
#pragma once

#include <bankhook/base/spelling.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace bankhook::inline BANKHOOK_ABI::reflect {

/// A struct of public fields without bases or constructors, each of which can start empty (`{}`); not a std::array.
template <class T>
concept Aggregate =
    std::is_aggregate_v<T> && std::is_class_v<T> && requires { T{}; } && !requires { std::tuple_size<T>::value; };

}  // namespace bankhook::inline BANKHOOK_ABI::reflect

namespace bankhook::inline BANKHOOK_ABI::reflect::detail {

/// A reference to field `I` of an object.
template <std::size_t I, class M>
struct TiedField {
  M& field;
};

/// What std::tuple of references is, without its many constructors: every type that is read or written needs one.
template <class Indices, class... M>
struct TiedFields;
template <std::size_t... I, class... M>
struct TiedFields<std::index_sequence<I...>, M...> : TiedField<I, M>... {};

template <class... M>
constexpr TiedFields<std::index_sequence_for<M...>, M...> tied(M&... fields) {
  return {{fields}...};
}
template <std::size_t I, class M>
constexpr M& get(TiedField<I, M> tied) {
  return tied.field;
}

// clang-format off
/// An aggregate takes as many `{}` as it has fields and not one more.
template <class T>
consteval std::size_t count_fields() {
  static_assert(!requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }, "the_struct_has_more_than_24_fields");
  if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 24;
  if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 23;
  if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 22;
  if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 21;
  if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 20;
  if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 19;
  if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 18;
  if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 17;
  if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 16;
  if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 15;
  if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 14;
  if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 13;
  if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 12;
  if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 11;
  if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 10;
  if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 9;
  if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}}; }) return 8;
  if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}}; }) return 7;
  if constexpr (requires { T{{}, {}, {}, {}, {}, {}}; }) return 6;
  if constexpr (requires { T{{}, {}, {}, {}, {}}; }) return 5;
  if constexpr (requires { T{{}, {}, {}, {}}; }) return 4;
  if constexpr (requires { T{{}, {}, {}}; }) return 3;
  if constexpr (requires { T{{}, {}}; }) return 2;
  if constexpr (requires { T{{}}; }) return 1;
  return 0;
}

template <class T>
inline constexpr std::size_t count = count_fields<std::remove_const_t<T>>();

/// References to all fields, in order.
template <class T>
constexpr auto tie(T& object) {
  if constexpr (count<T> == 0) return tied();
  else if constexpr (count<T> == 1) { auto& [m0] = object; return tied(m0); }
  else if constexpr (count<T> == 2) { auto& [m0, m1] = object; return tied(m0, m1); }
  else if constexpr (count<T> == 3) { auto& [m0, m1, m2] = object; return tied(m0, m1, m2); }
  else if constexpr (count<T> == 4) { auto& [m0, m1, m2, m3] = object; return tied(m0, m1, m2, m3); }
  else if constexpr (count<T> == 5) { auto& [m0, m1, m2, m3, m4] = object; return tied(m0, m1, m2, m3, m4); }
  else if constexpr (count<T> == 6) { auto& [m0, m1, m2, m3, m4, m5] = object; return tied(m0, m1, m2, m3, m4, m5); }
  else if constexpr (count<T> == 7) { auto& [m0, m1, m2, m3, m4, m5, m6] = object; return tied(m0, m1, m2, m3, m4, m5, m6); }
  else if constexpr (count<T> == 8) { auto& [m0, m1, m2, m3, m4, m5, m6, m7] = object; return tied(m0, m1, m2, m3, m4, m5, m6, m7); }
  else if constexpr (count<T> == 9) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8] = object; return tied(m0, m1, m2, m3, m4, m5, m6, m7, m8); }
  else if constexpr (count<T> == 10) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9] = object; return tied(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9); }
  else if constexpr (count<T> == 11) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10] = object; return tied(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10); }
  else if constexpr (count<T> == 12) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11] = object; return tied(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11); }
  else if constexpr (count<T> == 13) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12] = object; return tied(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12); }
  else if constexpr (count<T> == 14) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13] = object; return tied(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13); }
  else if constexpr (count<T> == 15) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14] = object; return tied(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14); }
  else if constexpr (count<T> == 16) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15] = object; return tied(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15); }
  else if constexpr (count<T> == 17) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16] = object; return tied(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16); }
  else if constexpr (count<T> == 18) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17] = object; return tied(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17); }
  else if constexpr (count<T> == 19) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18] = object; return tied(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18); }
  else if constexpr (count<T> == 20) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19] = object; return tied(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19); }
  else if constexpr (count<T> == 21) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20] = object; return tied(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20); }
  else if constexpr (count<T> == 22) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21] = object; return tied(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21); }
  else if constexpr (count<T> == 23) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22] = object; return tied(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22); }
  else if constexpr (count<T> == 24) { auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23] = object; return tied(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23); }
}
// clang-format on

/// An object whose fields have addresses that a template argument can name.
template <class T>
struct Holder {
  T value;
};
template <class T>
inline constexpr Holder<T> sample{};

}  // namespace bankhook::inline BANKHOOK_ABI::reflect::detail

namespace bankhook::inline BANKHOOK_ABI::reflect {

template <Aggregate T>
inline constexpr std::size_t field_count = detail::count<T>;

/// The type of field `I` as declared.
template <Aggregate T, std::size_t I>
using FieldType = std::remove_cvref_t<decltype(detail::get<I>(detail::tie(std::declval<T&>())))>;

/// Field `I` of `object`.
template <std::size_t I, class T>
  requires Aggregate<std::remove_const_t<T>>
constexpr auto& field(T& object) {
  return detail::get<I>(detail::tie(object));
}

/// The name of field `I` as written in the struct.
template <Aggregate T, std::size_t I>
inline constexpr std::string_view field_name = bankhook::detail::last_identifier(
    bankhook::detail::text_with_value<&detail::get<I>(detail::tie(detail::sample<T>.value))>());

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

}  // namespace bankhook::inline BANKHOOK_ABI::reflect
