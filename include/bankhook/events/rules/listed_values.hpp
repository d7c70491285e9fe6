// SPDX-License-Identifier: MIT
// All rows that a struct has of its own: one for each field whose values are listed, derived, then those of the table.
#pragma once

#include <bankhook/base/fixed_string.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/events/rules/rule_table.hpp>
#include <bankhook/reflect/field_path.hpp>
#include <bankhook/reflect/fields.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI::detail {

/// The open enumeration that a field holds, if it holds one: directly, or as an optional value.
template <class Field>
struct ListedIn {
  static constexpr bool is_listed = false;
};
template <reflect::OpenEnumeration Field>
struct ListedIn<Field> {
  static constexpr bool is_listed = true;
  static constexpr auto expected = reflect::listing<typename Field::enum_type>;
  static constexpr bool is_unknown(const Field& field) { return !field.is_known(); }
};
template <reflect::OptionalValue Field>
  requires reflect::OpenEnumeration<typename Field::value_type>
struct ListedIn<Field> {
  using Inner = ListedIn<typename Field::value_type>;
  static constexpr bool is_listed = true;
  static constexpr auto expected = [] {
    if constexpr (base::is_nullable<Field>) return reflect::listing<typename Field::value_type::enum_type, "null">;
    else return Inner::expected;
  }();
  static constexpr bool is_unknown(const Field& field) { return field.has_value() && Inner::is_unknown(*field); }
};

template <class T, std::size_t I>
inline constexpr std::array<std::string_view, 1> own_path{reflect::wire_name<T, I>.view()};

/// The row for field `I`: its value is one of those that its table lists.
template <class T, std::size_t I>
inline constexpr Check<T> listed_value{
    {RuleId::values_are_listed,
     T::section,
     {own_path<T, I>},
     {},
     ListedIn<reflect::FieldType<T, I>>::expected.view(),
     "another value"},
    [](const T& value) { return ListedIn<reflect::FieldType<T, I>>::is_unknown(reflect::field<I>(value)); }};

template <class T>
inline constexpr std::size_t listed_count = [] {
  std::size_t count = 0;
  reflect::for_each_field<T>([&]<std::size_t I>() {
    count += ListedIn<reflect::FieldType<T, I>>::is_listed;
    return true;
  });
  return count;
}();

/// The rows of an event, or of a resource wherever it occurs.
template <class T>
inline constexpr auto all_checks = checks<T>;
template <class T>
  requires(stands_in_an_event<AnyEvent, T> && listed_count<T> > 0)
inline constexpr auto all_checks<T> = [] {
  std::array<Check<T>, listed_count<T> + checks<T>.size()> all{};
  std::size_t count = 0;
  reflect::for_each_field<T>([&]<std::size_t I>() {
    if constexpr (ListedIn<reflect::FieldType<T, I>>::is_listed) all[count++] = listed_value<T, I>;
    return true;
  });
  if constexpr (!checks<T>.empty()) std::copy(checks<T>.begin(), checks<T>.end(), all.begin() + listed_count<T>);
  return all;
}();

}  // namespace bankhook::inline BANKHOOK_ABI::detail
