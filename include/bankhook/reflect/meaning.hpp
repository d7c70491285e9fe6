// SPDX-License-Identifier: MIT
// What a struct, its fields and a value of an enumeration mean: the one source of schemas' descriptions and of docstrings.
#pragma once

#include <bankhook/base/enumerators.hpp>
#include <bankhook/base/members.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace bankhook { inline namespace BANKHOOK_ABI {

/// A row of the table that a struct may declare, one for each field, in their order:
/// `static constexpr Meaning meanings[] = {{"account_hash", "Opaque hash of the account IBAN"}};`
/// Of the struct itself: `static constexpr std::string_view meaning = "A bank account linked to a connection";`
/// Plain text without a full stop, so that what quotes it can add the section.
struct Meaning {
  std::string_view name;
  std::string_view text;
};

/// The table that may stand beside an enumeration, one row for each enumerator, in their order:
/// `template <> inline constexpr std::array bankhook::meanings_of<Colour>{Meaning{"red", "Stop"}, Meaning{"green", "Go"}};`
template <Enumeration E>
inline constexpr std::array<Meaning, 0> meanings_of{};

namespace detail { namespace reflect {

/// Whether an enumeration has no table, or a row for each enumerator, in their order.
template <class E>
consteval bool explains_all_or_none() {
  constexpr const auto& rows = meanings_of<E>;
  const auto fits = [](const Meaning& row, std::string_view name) { return row.name == name && is_plain(row.text); };
  return rows.empty() || std::equal(rows.begin(), rows.end(), enumerator_names<E>.begin(), enumerator_names<E>.end(), fits);
}

/// What `T` is, and what its field `At` is; empty where the struct does not say. Looked at only where it is asked for.
template <Aggregate T>
inline constexpr std::string_view meaning = [] {
  if constexpr (requires { T::meaning; }) {
    static_assert(is_plain(T::meaning), "write a meaning without quotes, backslashes and control characters");
    return T::meaning;
  } else {
    return std::string_view();
  }
}();
template <Aggregate T, std::size_t At>
inline constexpr std::string_view field_meaning = [] {
  using Value = InnermostType<FieldType<T, At>>;
  if constexpr (OpenEnumeration<Value>)
    static_assert(explains_all_or_none<typename Value::enum_type>(),
                  "write one meaning for each enumerator, in their order");
  if constexpr (requires { T::meanings; }) {
    static_assert(std::size(T::meanings) == field_count<T>, "write one meaning for each field");
    constexpr Meaning row = T::meanings[At];
    static_assert(row.name == field_name<T, At>, "write the meanings in the order of the fields");
    static_assert(is_plain(row.text), "write a meaning without quotes, backslashes and control characters");
    return row.text;
  } else {
    return std::string_view();
  }
}();

/// The section of the specification that has the fields of `T`; empty for a struct that is not in it.
template <Aggregate T>
inline constexpr std::string_view section = [] {
  if constexpr (requires { typename std::bool_constant<T::section.empty()>; }) return T::section;
  else return std::string_view();
}();

}}  // namespace detail::reflect

/// What a value means, in the words of its table; empty if its enumeration has none. Static storage.
template <Enumeration E>
[[nodiscard]] constexpr std::string_view meaning_of(E value) {
  static_assert(detail::reflect::explains_all_or_none<E>(), "write one meaning for each enumerator, in their order");
  const auto index = static_cast<std::size_t>(value);
  return index < meanings_of<E>.size() ? meanings_of<E>[index].text : std::string_view();
}

}}  // namespace bankhook::BANKHOOK_ABI
