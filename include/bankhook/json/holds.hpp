// SPDX-License-Identifier: MIT
// Which types JSON can hold: asked first, so that the compiler says one sentence about a field that it cannot.
#pragma once

#include <bankhook/base/fixed_string.hpp>
#include <bankhook/json/codec.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace bankhook::inline BANKHOOK_ABI::json::detail {

/// The structs that a struct is in.
template <class... T>
struct Inside {};

template <class Struct, std::size_t I>
using FieldInner = reflect::InnermostType<reflect::FieldType<Struct, I>>;
template <class Struct, std::size_t I>
inline constexpr FixedString<reflect::field_name<Struct, I>.size()> name_in_struct{reflect::field_name<Struct, I>};

/// The fields of a struct that have to be held; void for any other type.
template <class T, class... Above>
consteval auto indices_to_hold(Inside<Above...>) {
  if constexpr ((std::same_as<T, Above> || ...)) return std::index_sequence<>();  // a struct with an array of itself
  else if constexpr (reflect::Structure<T> && !reflect::detail::TooManyFields<T>)
    return std::make_index_sequence<reflect::field_count<T>>();
}

/// Whether JSON can hold a field. If not, the compiler says what to write, and names the struct, the field and its type.
template <class Struct, std::size_t I, FixedString field = name_in_struct<Struct, I>, class T = FieldInner<Struct, I>,
          class... Above>
consteval bool holds_field(Inside<Above...> above);

}  // namespace bankhook::inline BANKHOOK_ABI::json::detail

namespace bankhook::inline BANKHOOK_ABI::json {

/// Whether JSON can hold a `T`. A type that it cannot hold is an error of the compiler, in one sentence.
template <class T, class Above = detail::Inside<>,
          class Indices = decltype(detail::indices_to_hold<reflect::InnermostType<T>>(Above()))>
inline constexpr bool can_hold = [] {
  using Inner = reflect::InnermostType<T>;
  constexpr bool is_too_large = reflect::Structure<Inner> && reflect::detail::TooManyFields<Inner>;
  static_assert(!is_too_large, "the_struct_has_more_than_24_fields");
  if constexpr (is_too_large) return false;
  else {
    constexpr bool has_codec = requires { sizeof(Codec<Inner>); };
    static_assert(has_codec, "this_type_has_no_json_codec");
    return has_codec;
  }
}();
template <class T, class... Above, std::size_t... I>
inline constexpr bool can_hold<T, detail::Inside<Above...>, std::index_sequence<I...>> =
    (detail::holds_field<reflect::InnermostType<T>, I>(detail::Inside<reflect::InnermostType<T>, Above...>()) & ... & true);

}  // namespace bankhook::inline BANKHOOK_ABI::json

namespace bankhook::inline BANKHOOK_ABI::json::detail {

template <class Struct, std::size_t I, FixedString field, class T, class... Above>
consteval bool holds_field(Inside<Above...>) {
  if constexpr (reflect::Structure<T>) return can_hold<T, Inside<Above...>>;
  else if constexpr (requires { sizeof(Codec<T>); }) return true;
  else {
    constexpr bool is_text = std::same_as<T, std::string>, is_array = requires(const T& value) { value.begin(); };
    static_assert(!is_text, "write_std_string_view_for_text");
    static_assert(!bankhook::detail::is_std_optional<T>, "write_bankhook_nullable_or_maybe_absent");
    static_assert(!std::floating_point<T>, "write_bankhook_Decimal_for_an_amount");
    static_assert(!std::is_enum_v<T>, "write_bankhook_OpenEnum_of_the_enumeration");
    static_assert(is_text || !is_array, "write_std_span_of_const_elements_for_an_array");
    static_assert(is_array || bankhook::detail::is_std_optional<T> || std::floating_point<T> || std::is_enum_v<T>,
                  "this_type_has_no_json_codec");
    return false;
  }
}

}  // namespace bankhook::inline BANKHOOK_ABI::json::detail
