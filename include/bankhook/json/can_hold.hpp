// SPDX-License-Identifier: MIT
// What JSON can hold, and the sentences of the compiler for what it cannot.
#pragma once

#include <bankhook/base/enumerators.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/base/members.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/json/codec.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/reflect/wire_names.hpp>
#include <bankhook/text/number.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <variant>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace json {

/// The structs that a struct is in.
template <class... T>
struct Inside {};

template <class Struct, std::size_t At>
using FieldInner = reflect::InnermostType<reflect::FieldType<Struct, At>>;
template <class Struct, std::size_t At>
inline constexpr FixedString<reflect::field_name<Struct, At>.size()> name_in_struct{reflect::field_name<Struct, At>};

/// Stands outside of all: the fields will be read, so that none is const.
struct Filled {};

/// Of an enumeration with gaps another sentence was reported.
template <class T>
inline constexpr bool is_misnumbered = false;
template <class E>
inline constexpr bool is_misnumbered<OpenEnum<E>> = !bankhook::detail::counts_from_zero<E>();

/// Not for the event that is not listed, whose codec is declared only.
template <class T>
concept HasCodec = !is_misnumbered<T> && requires { sizeof(Codec<T>); };

/// The fields of a struct that have to be held; void for any other type.
template <class T, class... Outer>
consteval auto indices_to_hold(Inside<Outer...>) {
  if constexpr ((std::same_as<T, Outer> || ...)) return std::index_sequence<>();  // a struct with an array of itself
  else if constexpr (reflect::Structure<T> && HasCodec<T> && reflect::Tied<T>)
    return std::make_index_sequence<reflect::field_count<T>>();
}

/// Whether JSON can hold a `T` that is a field, or no struct. If not, the compiler says what to write, and names the
/// struct, the field and its type.
template <class T, class Struct, std::size_t At, FixedString field, class... Outer>
consteval bool holds(Inside<Outer...>);

/// Whether JSON can hold a `T`: asked first. A type that it cannot hold is an error of the compiler, in one sentence.
template <class T, class Outer = Inside<>, class Indices = decltype(indices_to_hold<reflect::InnermostType<T>>(Outer()))>
inline constexpr bool can_hold = holds<reflect::InnermostType<T>, void, 0, FixedString("")>(Outer());
template <class T, class... Outer, std::size_t... At>
inline constexpr bool can_hold<T, Inside<Outer...>, std::index_sequence<At...>> =
    (holds<FieldInner<reflect::InnermostType<T>, At>, reflect::InnermostType<T>, At,
           name_in_struct<reflect::InnermostType<T>, At>>(Inside<reflect::InnermostType<T>, Outer...>()) &
     ... & true);

template <class T, class Struct, std::size_t At, FixedString field, class... Outer>
consteval bool holds(Inside<Outer...>) {
  if constexpr (!std::is_void_v<Struct>) {
    constexpr bool is_filled = (std::same_as<Filled, Outer> || ...), is_repeated = reflect::repeats_a_name<Struct, At>();
    using Declared = std::remove_reference_t<decltype(reflect::field<At>(std::declval<Struct&>()))>;
    static_assert(!is_filled || !std::is_const_v<Declared>, "write the field without const: what is read is written to it");
    static_assert(!is_repeated, "give the field another name: two fields of the struct have one name on the wire");
    if constexpr ((is_filled && std::is_const_v<Declared>) || is_repeated) return false;
  }
  constexpr bool is_struct = reflect::Structure<T> && HasCodec<T>;
  if constexpr (is_misnumbered<T>) return false;
  else if constexpr (is_struct && reflect::Tied<T>) return can_hold<T, Inside<Outer...>>;
  else if constexpr (HasCodec<T> && !is_struct) return true;
  else {
    using Innermost = std::remove_cv_t<std::remove_pointer_t<std::remove_all_extents_t<T>>>;
    constexpr bool is_text =
        requires { typename T::traits_type; } || (std::integral<Innermost> && !text::Integer<Innermost>);
    constexpr bool is_event = base::is_of<T, std::variant> || (reflect::Structure<T> && !is_struct);
    constexpr bool is_map = requires { typename T::mapped_type; };
    constexpr bool is_array = std::is_array_v<T> || requires(const T& value) { value.begin(); };
    constexpr bool is_optional = bankhook::detail::is_std_optional<T>;
    constexpr bool is_large = is_struct && reflect::TooManyFields<T>, has_base = is_struct && reflect::HasBase<T>;
    constexpr bool is_other =
        std::is_class_v<T> && !(is_struct || is_text || is_event || is_map || is_array || is_optional);
    constexpr bool is_pointer = !(std::is_class_v<T> || is_text || is_array || std::floating_point<T> || std::is_enum_v<T>);
    static_assert(!is_large, "write at most 24 fields in a struct, and others in a struct in it");
    static_assert(!has_base, "write the fields of the base class in the struct itself");
    static_assert(!is_struct || is_large || has_base,
                  "write a whole integer for a bit-field, and fields that can start empty");
    static_assert(!is_text, "write std::string_view for text");
    static_assert(!is_event, "call parse, which takes any event; a field is one of the listed events");
    static_assert(!is_map, "write a struct with a field for each name");
    static_assert(is_text || is_map || !is_array, "write std::span<const T> for an array");
    static_assert(!is_optional, "write bankhook::nullable<T> or bankhook::maybe_absent<T>");
    static_assert(!std::floating_point<T>, "write bankhook::Decimal for an amount");
    static_assert(!std::is_enum_v<T>, "write bankhook::OpenEnum<T> for an enumeration");
    static_assert(!is_other, "write a struct of public fields, without constructors, references and private fields");
    static_assert(!is_pointer, "write the value itself, or bankhook::nullable<T> of it, instead of a pointer");
    return false;
  }
}

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::json
