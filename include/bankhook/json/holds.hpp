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

template <class T>
inline constexpr bool is_std_optional = false;
template <class T>
inline constexpr bool is_std_optional<std::optional<T>> = true;

/// Whether a field can be of type `T`. If not, the compiler says what to write, and names the struct and the field.
template <class Struct, FixedString field, class T>
consteval bool holds_field() {
  if constexpr (requires { sizeof(Codec<T>); }) return true;
  else {
    constexpr bool is_text = std::same_as<T, std::string>, is_array = requires(const T& value) { value.begin(); };
    static_assert(!is_text, "write_std_string_view_for_text");
    static_assert(!is_std_optional<T>, "write_bankhook_nullable_or_maybe_absent");
    static_assert(!std::floating_point<T>, "write_bankhook_Decimal_for_an_amount");
    static_assert(!std::is_enum_v<T>, "write_bankhook_OpenEnum_of_the_enumeration");
    static_assert(is_text || !is_array, "write_std_span_of_const_elements_for_an_array");
    static_assert(is_array || is_std_optional<T> || std::floating_point<T> || std::is_enum_v<T>,
                  "this_type_has_no_json_codec");
    return false;
  }
}

template <class T, class... Above>
consteval bool holds_all();

template <class Struct, std::size_t I, class... Above>
consteval bool holds_field_at() {
  using Inner = reflect::InnermostType<std::remove_cvref_t<decltype(reflect::field<I>(std::declval<Struct&>()))>>;
  if constexpr (reflect::Structure<Inner>) return holds_all<Inner, Struct, Above...>();
  else {
    constexpr std::string_view name = reflect::field_name<Struct, I>;
    return holds_field<Struct, FixedString<name.size()>(name), Inner>();
  }
}

/// Whether a value and all in it can be held; `Above` are the structs that it is in.
template <class T, class... Above>
consteval bool holds_all() {
  using Inner = reflect::InnermostType<T>;
  if constexpr ((std::same_as<Inner, Above> || ...)) return true;  // a struct with an array of itself
  else if constexpr (reflect::Structure<Inner>) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (holds_field_at<Inner, I, Above...>() & ... & true);
    }(std::make_index_sequence<reflect::field_count<Inner>>());
  } else return holds_field<Inner, FixedString(""), Inner>();
}

}  // namespace bankhook::inline BANKHOOK_ABI::json::detail

namespace bankhook::inline BANKHOOK_ABI::json {

/// Whether JSON can hold a `T`. A type that it cannot hold is an error of the compiler, in one sentence.
template <class T>
inline constexpr bool can_hold = detail::holds_all<T>();

}  // namespace bankhook::inline BANKHOOK_ABI::json
