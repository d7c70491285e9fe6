// SPDX-License-Identifier: MIT
// The fields of a plain aggregate, as C++23 and C++26 can be made to tell: names, types and values; and walks over them.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/enumerators.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

#if defined(__cpp_impl_reflection)
#include <meta>
#endif

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace reflect {

/// A struct of public fields without bases or constructors, each of which can start empty (`{}`); not a std::array.
template <class T>
concept Aggregate =
    std::is_aggregate_v<T> && std::is_class_v<T> && requires { T{}; } && !requires { std::tuple_size<T>::value; };

/// An object of which nothing is made: its fields have addresses, which a template argument can name.
template <class T>
union Place {
  char nothing = 0;
  T value;

  constexpr Place() {}
  constexpr ~Place() {}
};
template <class T>
inline constexpr Place<T> place{};

#if defined(__cpp_impl_reflection)  // C++26 tells of itself, of any number of fields: g++-16 -std=c++26 -freflection

template <class T>
concept TooManyFields = false;
template <class T>
concept HasBase = !std::meta::bases_of(^^T, std::meta::access_context::unchecked()).empty();
template <class T>
concept Tied = Aggregate<T> && !HasBase<T>;

template <class T>
inline constexpr auto members =
    std::define_static_array(std::meta::nonstatic_data_members_of(^^T, std::meta::access_context::unchecked()));

/// How many fields a struct has.
template <Aggregate T>
inline constexpr std::size_t field_count = reflect::members<T>.size();

/// The type of field `At` as declared.
template <Aggregate T, std::size_t At>
using FieldType = [:std::meta::type_of(reflect::members<T>[At]):];

/// Field `At` of `object`.
template <std::size_t At, class T>
  requires Aggregate<std::remove_const_t<T>>
constexpr auto& field(T& object) {
  return object.[:reflect::members<std::remove_const_t<T>>[At]:];
}

/// The name of field `At` as written in the struct.
template <Aggregate T, std::size_t At>
inline constexpr std::string_view field_name = std::meta::identifier_of(reflect::members<T>[At]);

#else

/// A reference to field `At` of an object.
template <std::size_t At, class M>
struct TiedField {
  M& field;
};

/// What std::tuple of references is, without its many constructors: every type that is read or written needs one.
template <class Indices, class... M>
struct TiedFields;
template <std::size_t... At, class... M>
struct TiedFields<std::index_sequence<At...>, M...> : TiedField<At, M>... {
  static constexpr std::size_t count = sizeof...(M);
};

template <class... M>
constexpr TiedFields<std::index_sequence_for<M...>, M...> tied(M&... fields) {
  return {{fields}...};
}
template <std::size_t At, class M>
constexpr M& get(TiedField<At, M> tied) {
  return tied.field;
}

// clang-format off
/// Becomes any base of `T`, and nothing else.
template <class T>
struct BaseOf {
  template <class Base>
    requires(std::is_base_of_v<Base, T> && !std::is_same_v<Base, T>)
  operator Base() const;  // NOLINT(google-explicit-constructor)
};
/// Structured bindings take the fields of one class only.
template <class T>
concept HasBase = requires { T{BaseOf<T>()}; };

template <class T>
concept TooManyFields = requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; };

/// Instead of references, for a struct to whose fields none can be made.
struct NotTied {
  static constexpr std::size_t count = 0;
};

#define BANKHOOK_TIE(...)                                            \
  auto& [__VA_ARGS__] = object;                                            \
  if constexpr (requires { tied(__VA_ARGS__); }) return tied(__VA_ARGS__); \
  else return NotTied();  // a bit-field
/// References to all fields, in order. An aggregate takes as many `{}` as it has fields and not one more.
template <class T>
constexpr auto tie(T& object) {
  if constexpr (TooManyFields<T> || HasBase<T>) return NotTied();
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) { BANKHOOK_TIE(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x) }
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) { BANKHOOK_TIE(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w) }
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) { BANKHOOK_TIE(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v) }
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) { BANKHOOK_TIE(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u) }
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) { BANKHOOK_TIE(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t) }
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) { BANKHOOK_TIE(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s) }
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) { BANKHOOK_TIE(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r) }
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) { BANKHOOK_TIE(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q) }
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) { BANKHOOK_TIE(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) }
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) { BANKHOOK_TIE(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o) }
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) { BANKHOOK_TIE(a, b, c, d, e, f, g, h, i, j, k, l, m, n) }
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) { BANKHOOK_TIE(a, b, c, d, e, f, g, h, i, j, k, l, m) }
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) { BANKHOOK_TIE(a, b, c, d, e, f, g, h, i, j, k, l) }
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) { BANKHOOK_TIE(a, b, c, d, e, f, g, h, i, j, k) }
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) { BANKHOOK_TIE(a, b, c, d, e, f, g, h, i, j) }
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}}; }) { BANKHOOK_TIE(a, b, c, d, e, f, g, h, i) }
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}}; }) { BANKHOOK_TIE(a, b, c, d, e, f, g, h) }
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}}; }) { BANKHOOK_TIE(a, b, c, d, e, f, g) }
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}}; }) { BANKHOOK_TIE(a, b, c, d, e, f) }
  else if constexpr (requires { T{{}, {}, {}, {}, {}}; }) { BANKHOOK_TIE(a, b, c, d, e) }
  else if constexpr (requires { T{{}, {}, {}, {}}; }) { BANKHOOK_TIE(a, b, c, d) }
  else if constexpr (requires { T{{}, {}, {}}; }) { BANKHOOK_TIE(a, b, c) }
  else if constexpr (requires { T{{}, {}}; }) { BANKHOOK_TIE(a, b) }
  else if constexpr (requires { T{{}}; }) { BANKHOOK_TIE(a) }
  else if constexpr (std::is_empty_v<T>) return tied();
  else return NotTied();  // a field cannot start empty
}
#undef BANKHOOK_TIE
// clang-format on

/// Whether structured bindings can name all fields of a struct.
template <class T>
concept Tied = Aggregate<T> && !std::is_same_v<decltype(reflect::tie(std::declval<T&>())), NotTied>;

template <Aggregate T>
inline constexpr std::size_t field_count = [] {
  static_assert(Tied<T>, "write a struct of at most 24 fields that can start empty, without a base class and bit-fields");
  return decltype(reflect::tie(std::declval<T&>()))::count;
}();

/// The type of field `At` as declared.
template <Aggregate T, std::size_t At>
using FieldType = std::remove_cvref_t<decltype(reflect::get<At>(reflect::tie(std::declval<T&>())))>;

/// Field `At` of `object`.
template <std::size_t At, class T>
  requires Aggregate<std::remove_const_t<T>>
constexpr auto& field(T& object) {
  auto& found = reflect::get<At>(reflect::tie(const_cast<std::remove_const_t<T>&>(object)));  // one `tie` for both
  if constexpr (std::is_const_v<T>) return std::as_const(found);
  else return found;
}

/// The name of field `At` as written in the struct.
template <Aggregate T, std::size_t At>
inline constexpr std::string_view field_name =
    bankhook::detail::last_identifier(bankhook::detail::text_with_value<&field<At>(reflect::place<T>.value)>());

#endif

/// The name of a type without namespace and template arguments.
template <class T>
inline constexpr std::string_view type_name = bankhook::detail::type_in(bankhook::detail::text_with_type<T>());

/// Calls `f.template operator()<At>()` for each field's index, in order; stops where it returns false.
template <Aggregate T, class F>
constexpr bool for_each_field(F&& f) {
  return [&]<std::size_t... At>(std::index_sequence<At...>) {
    return (f.template operator()<At>() && ...);
  }(std::make_index_sequence<field_count<T>>());
}

/// A value as its fields declare it.
template <class T>
inline constexpr T declared_value{};

/// A copy for which each field, at any depth, gets its own few stores.
template <class T>
BANKHOOK_INLINE constexpr T copy_of_fields(const T& value);
template <class T, std::size_t... At>
BANKHOOK_INLINE constexpr T copy_of_fields(const T& value, std::index_sequence<At...>) {
  return T{copy_of_fields(field<At>(value))...};
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

/// As `T{}`, with the initialisers that the fields declare. For `T{}`, compilers clear the whole value, padding and all, by
/// an instruction or a loop that takes some 30 cycles to begin.
template <class T>
BANKHOOK_INLINE constexpr T value_initialized() {
  return copy_of_fields(declared_value<T>);
}

/// Becomes such a value where only arguments can be given: `std::in_place`.
struct ValueInitialized {
  template <Aggregate T>
  BANKHOOK_INLINE constexpr operator T() const {  // NOLINT(google-explicit-constructor): it stands for a value
    return value_initialized<T>();
  }
};

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::reflect
