// SPDX-License-Identifier: MIT
// Wire names derived from the names in the code; none is typed anywhere.
#pragma once

// account_hash is accountHash, delete_ is delete, BankConnectionsUpdateV2 is bank_connections_update_v2

#include <bankhook/base/enumerators.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/reflect/fields.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace bankhook::inline BANKHOOK_ABI {

/// A wire name that does not follow the rule, declared in its struct; if it is empty, the rule applies.
/// `static constexpr std::array renamed{Renamed{"iban_hash", "IBANHash"}};`
struct Renamed {
  std::string_view field;
  std::string_view wire;
};

}  // namespace bankhook::inline BANKHOOK_ABI

namespace bankhook::inline BANKHOOK_ABI::reflect::detail {

constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr char to_upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
constexpr char to_lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

/// Each underscore goes and raises the letter after it. Writes to `out` if there is one; the result is the length.
constexpr std::size_t camel(std::string_view name, char* out) {
  std::size_t length = 0;
  bool raise = false;
  for (const char c : name) {
    if (c == '_') {
      raise = length > 0;
      continue;
    }
    if (out != nullptr) out[length] = raise ? to_upper(c) : c;
    raise = false;
    ++length;
  }
  return length;
}

/// Each capital begins a word; digits stay with the word before them.
constexpr std::size_t snake(std::string_view name, char* out) {
  std::size_t length = 0;
  for (const char c : name) {
    if (is_upper(c) && length > 0) {
      if (out != nullptr) out[length] = '_';
      ++length;
    }
    if (out != nullptr) out[length] = to_lower(c);
    ++length;
  }
  return length;
}

template <class T, std::size_t I>
consteval std::string_view renamed_or_name() {
  if constexpr (requires { T::renamed; }) {
    for (const auto& entry : T::renamed) {
      if (entry.field == field_name<T, I>) return entry.wire;
    }
  }
  return {};
}

template <class T, std::size_t I>
consteval auto field_wire_name() {
  constexpr std::string_view renamed = renamed_or_name<T, I>();
  if constexpr (!renamed.empty()) {
    constexpr auto is_plain = [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\'; };
    static_assert(std::all_of(renamed.begin(), renamed.end(), is_plain), "a_wire_name_has_nothing_that_json_would_escape");
    return FixedString<renamed.size()>(renamed);
  } else {
    FixedString<camel(field_name<T, I>, nullptr)> wire;
    camel(field_name<T, I>, wire.characters);
    return wire;
  }
}

template <class T>
inline constexpr bool is_fixed_string = false;
template <std::size_t N>
inline constexpr bool is_fixed_string<FixedString<N>> = true;

template <std::size_t N>
consteval bool are_different(const std::array<std::string_view, N>& names) {
  for (std::size_t i = 0; i < N; ++i) {
    if (std::find(names.begin(), names.begin() + i, names[i]) != names.begin() + i) return false;
  }
  return true;
}

template <class E, std::size_t I>
consteval auto enumerator_wire_name() {
  FixedString<camel(enumerator_name<E, I>, nullptr)> wire;
  camel(enumerator_name<E, I>, wire.characters);
  return wire;
}

template <class T>
consteval auto type_wire_name() {
  FixedString<snake(type_name<T>, nullptr)> wire;
  snake(type_name<T>, wire.characters);
  return wire;
}

}  // namespace bankhook::inline BANKHOOK_ABI::reflect::detail

namespace bankhook::inline BANKHOOK_ABI::reflect {

/// The name of field `I` on the wire, as a FixedString; static storage.
/// A binding whose users give a name at run time specialises it with something that has `view()` and `max_size`.
template <Aggregate T, std::size_t I>
inline constexpr auto wire_name = detail::field_wire_name<T, I>();

/// Whether the compiler knows the name of field `I`.
template <class T, std::size_t I>
inline constexpr bool has_fixed_name = detail::is_fixed_string<std::remove_const_t<decltype(wire_name<T, I>)>>;

/// The text of enumerator `I` on the wire, as a FixedString.
template <Enumeration E, std::size_t I>
inline constexpr auto enumerator_wire_name = detail::enumerator_wire_name<E, I>();

/// The name that type `T` has on the wire, as a FixedString.
template <class T>
inline constexpr auto type_wire_name = detail::type_wire_name<T>();

/// The texts of all enumerators on the wire, indexed by their value.
template <Enumeration E>
inline constexpr auto enumerator_texts = []<std::size_t... I>(std::index_sequence<I...>) {
  return std::array<std::string_view, sizeof...(I)>{enumerator_wire_name<E, I>.view()...};
}(std::make_index_sequence<enumerator_count<E>>());

/// The wire names of all fields of `T`, in order.
template <Aggregate T>
inline constexpr auto wire_names = []<std::size_t... I>(std::index_sequence<I...>) {
  constexpr std::array<std::string_view, sizeof...(I)> names{wire_name<T, I>.view()...};
  static_assert(detail::are_different(names), "no_two_fields_of_a_struct_have_one_wire_name");
  return names;
}(std::make_index_sequence<field_count<T>>());

}  // namespace bankhook::inline BANKHOOK_ABI::reflect
