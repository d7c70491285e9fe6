// SPDX-License-Identifier: MIT
// What a struct and its fields mean, in words: the one source of schemas' descriptions and of docstrings.
#pragma once

#include <bankhook/reflect/fields.hpp>

#include <cstddef>
#include <iterator>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI {

/// A row of the table that a struct may declare, one for each field, in their order:
/// `static constexpr Meaning meanings[] = {{"account_hash", "Opaque hash of the account IBAN"}};`
/// Of the struct itself: `static constexpr std::string_view meaning = "A bank account linked to a connection";`
/// Plain text without a full stop, so that what quotes it can add the section.
struct Meaning {
  std::string_view field;
  std::string_view text;
};

}  // namespace bankhook::inline BANKHOOK_ABI

namespace bankhook::inline BANKHOOK_ABI::reflect::detail {

/// Whether a JSON string can hold it without escapes.
constexpr bool is_plain(std::string_view text) {
  for (const char c : text) {
    if (c == '"' || c == '\\' || c < ' ') return false;
  }
  return true;
}

template <class T>
consteval std::string_view meaning_of_struct() {
  if constexpr (requires { T::meaning; }) {
    static_assert(is_plain(T::meaning), "a_meaning_is_plain_text");
    return T::meaning;
  } else {
    return {};
  }
}

template <class T, std::size_t I>
consteval std::string_view meaning_of_field() {
  if constexpr (requires { T::meanings; }) {
    static_assert(std::size(T::meanings) == field_count<T>, "each_field_has_one_meaning");
    constexpr Meaning row = T::meanings[I];
    static_assert(row.field == field_name<T, I>, "meanings_stand_in_the_order_of_the_fields");
    static_assert(is_plain(row.text), "a_meaning_is_plain_text");
    return row.text;
  } else {
    return {};
  }
}

}  // namespace bankhook::inline BANKHOOK_ABI::reflect::detail

namespace bankhook::inline BANKHOOK_ABI::reflect {

/// What `T` is, and what its field `I` is; empty where the struct does not say. Looked at only where it is asked for.
template <Aggregate T>
inline constexpr std::string_view meaning = detail::meaning_of_struct<T>();
template <Aggregate T, std::size_t I>
inline constexpr std::string_view field_meaning = detail::meaning_of_field<T, I>();

}  // namespace bankhook::inline BANKHOOK_ABI::reflect
