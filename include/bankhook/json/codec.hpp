// SPDX-License-Identifier: MIT
// How a type is read and written: one specialisation of Codec a type, both side by side; and which types JSON can hold.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/json/read/parse_context.hpp>
#include <bankhook/json/read/skip.hpp>
#include <bankhook/json/write/sink.hpp>
#include <bankhook/reflect/fields.hpp>
#include <bankhook/reflect/value_kinds.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

namespace bankhook::inline BANKHOOK_ABI::json {

/// What the type is specialised for that JSON can hold; CodecOf says what a specialisation has.
template <class T>
struct Codec;

/// - `opener` is the character that each value begins with (`"`, `[`, `{`), or 0 if that varies;
/// - `expected` is the error where another kind of value stands;
/// - `read(in, p, window, out, length)` reads the value at `p`, after the opener if there is one, of which `window` has the
///   same bytes with `window_size` that can be read; `length` is what the reader remembers for the field; the result is the
///   position after the value, or nullptr after `in.fail`;
/// - `fixed` are the bytes that `write` needs at most beside those for which it asks the Sink itself;
/// - `write<before>(out, value, room)` appends the literal `before` and the value to a Sink, which has room for the
///   literal and for `fixed` bytes; false if it does not fit, or `room` more bytes after it do not.
template <class C, class T>
concept CodecOf =
    requires(ParseContext& in, const char* p, T& out, RememberedLength& length, Sink& sink, std::size_t room) {
      { C::opener } -> std::convertible_to<char>;
      { C::expected } -> std::convertible_to<Errc>;
      { C::read(in, p, p, out, length) } -> std::same_as<const char*>;
      { C::fixed } -> std::convertible_to<std::size_t>;
      { C::template write<FixedString("")>(sink, out, room) } -> std::same_as<bool>;
    };

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

/// Whether JSON can hold a `T`: asked first. A type that it cannot hold is an error of the compiler, in one sentence.
template <class T, class Above = Inside<>, class Indices = decltype(indices_to_hold<reflect::InnermostType<T>>(Above()))>
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
inline constexpr bool can_hold<T, Inside<Above...>, std::index_sequence<I...>> =
    (holds_field<reflect::InnermostType<T>, I>(Inside<reflect::InnermostType<T>, Above...>()) & ... & true);

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

/// 1 if the values of this type, null aside, are objects or arrays, else 0: by how much each of them is nested deeper.
template <class T>
inline constexpr std::size_t is_container =
    Codec<T>::expected == Errc::expected_object || Codec<T>::expected == Errc::expected_array;

/// Reads the value of any kind at `p` into a `T`; the complete way, without a guess about what stands there.
template <class T>
BANKHOOK_INLINE const char* read_value(ParseContext& in, const char* p, T& out, RememberedLength& length) {
  static_assert(CodecOf<Codec<T>, T>);
  if constexpr (base::is_maybe_absent<T>) {
    constexpr bool keeps_null = base::is_nullable<typename T::value_type>;
    if (!keeps_null && null_at(in, p)) {  // null for a field that may be absent: read as absent
      in.has_notes = true;
      out.reset();
      return p + 4;
    }
  }
  if constexpr (Codec<T>::opener != '\0') {
    if (in.peek(p) != Codec<T>::opener) {
      in.fail_or_end(Codec<T>::expected, p);
      return nullptr;
    }
    ++p;
  }
  return Codec<T>::read(in, p, in.window(p), out, length);
}

/// As `read_value`, once a type: what is read here is rare or was a surprise.
template <class T>
BANKHOOK_NOINLINE const char* read_value_outlined(ParseContext& in, const char* p, T& out, RememberedLength& length) {
  return read_value(in, p, out, length);
}

/// Appends `value` to `sink` as minified JSON; false if it does not fit.
template <class T>
[[nodiscard]] bool write(const T& value, Sink& sink) {
  return sink.has_room(Codec<T>::fixed) && Codec<T>::template write<FixedString("")>(sink, value, 0);
}

/// Appends `value` to `out`, which grows where it has to.
template <class T>
BANKHOOK_ENTRY void write(const T& value, std::string& out) {
  append(out, [&](Sink& sink) { return write(value, sink); });
}

}  // namespace bankhook::inline BANKHOOK_ABI::json
