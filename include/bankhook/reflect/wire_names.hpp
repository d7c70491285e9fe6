// SPDX-License-Identifier: MIT
// Wire names derived from the names in the code, none of which is typed anywhere; paths of fields, from pointers to them.
#pragma once

#include <bankhook/base/enumerators.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/base/members.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace bankhook { inline namespace BANKHOOK_ABI {

/// A wire name that does not follow the rule, declared in its struct; if it is empty, the rule applies.
/// `static constexpr std::array renamed{Renamed{"iban_hash", "IBANHash"}};`
struct Renamed {
  std::string_view field;
  std::string_view wire;
};

}}  // namespace bankhook::BANKHOOK_ABI

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace reflect {
constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr char to_upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
constexpr char to_lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

/// Whether a JSON string can hold it without escapes.
constexpr bool is_plain(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == '"' || c == '\\'; });
}

/// `account_hash` is `accountHash`, `delete_` is `delete`: each underscore goes and raises the letter after it. Writes to
/// `out` if there is one; the result is the length.
constexpr std::size_t camel(std::string_view name, char* out) {
  std::size_t length = 0;
  bool raise = false;
  for (const char c : name) {
    if (c != '_' && out != nullptr) out[length] = raise ? to_upper(c) : c;
    length += c != '_';
    raise = c == '_' && length > 0;
  }
  return length;
}

/// `BankConnectionsUpdateV2` is `bank_connections_update_v2`: each capital begins a word; digits stay with the word before
/// them.
constexpr std::size_t snake(std::string_view name, char* out) {
  std::size_t length = 0;
  for (const char c : name) {
    const bool begins = is_upper(c) && length > 0;
    if (begins && out != nullptr) out[length] = '_';
    length += begins;
    if (out != nullptr) out[length] = to_lower(c);
    ++length;
  }
  return length;
}

/// `name` as `spell` writes it.
template <const std::string_view& name, std::size_t (*spell)(std::string_view, char*)>
consteval auto spelled() {
  FixedString<spell(name, nullptr)> wire;
  spell(name, wire.characters);
  return wire;
}

/// Whether each of the struct's own names is that of a field.
template <class T>
consteval bool renames_its_fields() {
  return std::ranges::all_of(T::renamed, [](const auto& entry) {
    return !for_each_field<T>([&]<std::size_t At>() { return entry.field != field_name<T, At>; });
  });
}

template <class T, std::size_t At>
consteval auto field_wire_name() {
  if constexpr (requires { T::renamed; })
    static_assert(renames_its_fields<T>(), "name a field of the struct in `renamed`: it has none of this name");
  constexpr std::string_view renamed = [] {
    if constexpr (requires { T::renamed; }) {
      for (const auto& entry : T::renamed) {
        if (entry.field == field_name<T, At>) return entry.wire;
      }
    }
    return std::string_view();
  }();
  if constexpr (renamed.empty()) return spelled<field_name<T, At>, camel>();
  else {
    static_assert(is_plain(renamed), "write a wire name without quotes, backslashes and control characters");
    return FixedString<renamed.size()>(renamed);
  }
}

template <class T, class M>
T pointed(M T::*);
/// The struct that has the field `Pointer`.
template <auto Pointer>
using StructOf = decltype(pointed(Pointer));

/// The name of field `At` on the wire, as a FixedString; static storage.
/// A binding whose users give a name at run time specialises it with something that has `view()` and `max_size`.
template <Aggregate T, std::size_t At>
inline constexpr auto wire_name = field_wire_name<T, At>();

/// Whether the compiler knows the name of field `At`.
template <class T, std::size_t At>
inline constexpr bool has_fixed_name = requires { wire_name<T, At>.characters; };

/// Whether a field before field `At` has its name, as far as the compiler knows the names.
template <class T, std::size_t At, std::size_t Before = 0>
consteval bool repeats_a_name() {
  if constexpr (Before == At || !has_fixed_name<T, At>) return false;
  else if constexpr (!has_fixed_name<T, Before>) return repeats_a_name<T, At, Before + 1>();
  else return wire_name<T, Before>.view() == wire_name<T, At>.view() || repeats_a_name<T, At, Before + 1>();
}

/// The text of enumerator `At` on the wire, as a FixedString.
template <Enumeration E, std::size_t At>
inline constexpr auto enumerator_wire_name = spelled<enumerator_name<E, At>, camel>();

/// The name that type `T` has on the wire, as a FixedString.
template <class T>
inline constexpr auto type_wire_name = spelled<type_name<T>, snake>();

/// The texts of all enumerators on the wire, indexed by their value.
template <Enumeration E>
inline constexpr auto enumerator_texts = []<std::size_t... At>(std::index_sequence<At...>) {
  return std::array<std::string_view, sizeof...(At)>{enumerator_wire_name<E, At>.view()...};
}(std::make_index_sequence<enumerator_count<E>>());

/// The wire names of all fields of `T`, in order.
template <Aggregate T>
inline constexpr auto wire_names = []<std::size_t... At>(std::index_sequence<At...>) {
  constexpr bool repeats = (repeats_a_name<T, At>() || ...);
  static_assert(!repeats, "give another name to one of two fields that have one name on the wire");
  return std::array<std::string_view, sizeof...(At)>{wire_name<T, At>.view()...};
}(std::make_index_sequence<field_count<T>>());

/// The texts as alternatives, for people: `created, validated or rejected`.
template <std::size_t First, std::size_t... Rest>
consteval auto list(const FixedString<First>& first, const FixedString<Rest>&... rest) {
  if constexpr (sizeof...(Rest) == 0) return first;
  else if constexpr (sizeof...(Rest) == 1) return join_literals(first, FixedString(" or "), rest...);
  else return join_literals(first, FixedString(", "), list(rest...));
}

/// The texts of all enumerators on the wire as alternatives, then `Others`, as a FixedString.
template <Enumeration E, FixedString... Others>
inline constexpr auto listing = []<std::size_t... At>(std::index_sequence<At...>) {
  return list(enumerator_wire_name<E, At>..., Others...);
}(std::make_index_sequence<enumerator_count<E>>());

/// The index of the field that `Pointer` names in its struct.
template <auto Pointer>
inline constexpr std::size_t index_of = [] {
  using T = StructOf<Pointer>;
  const T object{};
  std::size_t index = 0;
  for_each_field<T>([&]<std::size_t At>() {
    const void* const address = &field<At>(object);
    index = At;
    return address != &(object.*Pointer);
  });
  return index;
}();

/// Its wire name, as a FixedString if the compiler knows it.
template <auto Pointer>
inline constexpr auto& name_of_field = wire_name<StructOf<Pointer>, index_of<Pointer>>;

/// The path of nested fields from the root: their names, which have static storage.
struct FieldPath {
  std::span<const std::string_view> names{};
};

template <auto... Pointers>
inline constexpr std::array<std::string_view, sizeof...(Pointers)> path_names{name_of_field<Pointers>.view()...};

/// `path<&InitialTransactionUpdate::initial_transaction, &InitialTransaction::status>`.
template <auto... Pointers>
inline constexpr FieldPath path{path_names<Pointers...>};

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::reflect
