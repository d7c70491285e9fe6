// SPDX-License-Identifier: MIT
// The rows that apply to a struct: its own, and those of every resource in its fields, wherever it occurs.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/events/rules/listed_values.hpp>
#include <bankhook/events/rules/rule_table.hpp>
#include <bankhook/reflect/equality.hpp>
#include <bankhook/reflect/field_path.hpp>
#include <bankhook/reflect/fields.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace bankhook::inline BANKHOOK_ABI::detail {

/// How many rows apply to `T`: its own come first, then those of its fields, in their order.
template <class T>
inline constexpr std::size_t check_count = [] {
  std::size_t count = all_checks<T>.size();
  reflect::for_each_field<T>([&]<std::size_t I>() {
    using Inner = reflect::StructIn<reflect::FieldType<T, I>>;
    if constexpr (!std::is_void_v<Inner>) count += check_count<Inner>;
    return true;
  });
  return count;
}();

/// A row that is not the struct's own: the field that it comes from, and its number there.
struct PlacedRow {
  std::size_t field = 0;
  std::size_t row = 0;
};

template <class T, std::size_t Row>
inline constexpr PlacedRow placed_row = [] {
  PlacedRow found{0, Row - all_checks<T>.size()};
  reflect::for_each_field<T>([&]<std::size_t I>() {
    using Inner = reflect::StructIn<reflect::FieldType<T, I>>;
    if constexpr (!std::is_void_v<Inner>) {
      found.field = I;
      if (found.row < check_count<Inner>) return false;
      found.row -= check_count<Inner>;
    }
    return true;
  });
  return found;
}();

/// Whether `value` breaks row `Row` of its struct; for an array, whether an element does. The predicate is a separate
/// constant, because gcc then inlines it into its caller.
template <std::size_t Row, class T>
BANKHOOK_INLINE constexpr bool is_broken(const T& value) {
  if constexpr (reflect::OptionalValue<T>) {
    return value.has_value() && is_broken<Row>(*value);
  } else if constexpr (reflect::Array<T>) {
    for (const auto& element : value) {
      if (is_broken<Row>(element)) return true;
    }
    return false;
  } else if constexpr (Row < all_checks<T>.size()) {
    constexpr auto predicate = all_checks<T>[Row].is_broken;
    return predicate(value);
  } else {
    constexpr PlacedRow place = placed_row<T, Row>;
    return is_broken<place.row>(reflect::field<place.field>(value));
  }
}

/// The names with dots between them.
template <const auto& names>
inline constexpr auto dotted = [] {
  constexpr std::size_t size = [] {
    std::size_t sum = names.size() - 1;
    for (const std::string_view name : names) sum += name.size();
    return sum;
  }();
  FixedString<size> text;
  char* to = text.characters;
  for (const std::string_view name : names) {
    if (to != text.characters) *to++ = '.';
    to = std::copy(name.begin(), name.end(), to);
  }
  return text;
}();

/// What a row says at its place in `T`: the path from there, and what is expected. A path ends at an array, because a row
/// says that an element breaks the rule, but not which one.
template <class T, std::size_t Row, bool is_own = (Row < all_checks<T>.size())>
struct Placed {
  static constexpr const CheckRow& leaf = all_checks<T>[Row].row;
  static constexpr auto names = [] {
    std::array<std::string_view, leaf.path.names.size()> copy{};
    std::copy(leaf.path.names.begin(), leaf.path.names.end(), copy.begin());
    return copy;
  }();
  static constexpr FixedString<leaf.expected.size()> expected{leaf.expected};
};

template <class T, std::size_t Row>
struct Placed<T, Row, false> {
  static constexpr PlacedRow place = placed_row<T, Row>;
  using Field = reflect::FieldType<T, place.field>;
  using Inner = Placed<reflect::StructIn<Field>, place.row>;
  static constexpr bool is_array = reflect::Array<Field>;

  static constexpr const CheckRow& leaf = Inner::leaf;
  static constexpr auto names = [] {
    std::array<std::string_view, is_array ? 1 : 1 + Inner::names.size()> all{reflect::wire_name<T, place.field>.view()};
    if constexpr (!is_array) std::copy(Inner::names.begin(), Inner::names.end(), all.begin() + 1);
    return all;
  }();
  static constexpr auto expected = [] {
    if constexpr (!is_array) return Inner::expected;
    else return join_literals(FixedString("in each of them "), dotted<Inner::names>, FixedString(" "), Inner::expected);
  }();
};

/// What a finding of row `Row` says about a `T`. Static storage.
template <class T, std::size_t Row>
inline constexpr CheckRow row_of = [] {
  if constexpr (Row < all_checks<T>.size()) {
    return all_checks<T>[Row].row;
  } else {
    using Here = Placed<T, Row>;
    CheckRow row = Here::leaf;
    row.path = {Here::names};
    row.others = {};
    row.expected = Here::expected.view();
    return row;
  }
}();

}  // namespace bankhook::inline BANKHOOK_ABI::detail
