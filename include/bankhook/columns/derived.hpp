// SPDX-License-Identifier: MIT
// Columns derived from the fields of a struct: their types, how a value is written into them, and whether it fits.
#pragma once

#include <bankhook/columns/column.hpp>
#include <bankhook/columns/fixed_point.hpp>
#include <bankhook/reflect/fields.hpp>
#include <bankhook/reflect/meaning.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/reflect/wire_names.hpp>
#include <bankhook/text/quoted_form.hpp>

#include <array>
#include <bit>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace bankhook::inline BANKHOOK_ABI::columns {

/// Bytes that need not be UTF-8.
struct Bytes {
  Bytes() = default;
  explicit Bytes(std::string_view given) : text(given) {}
  std::string_view text{};
};

/// How many columns a field has: a Timestamp has one for instants and one for moments without an offset, because a column
/// has a zone or has none.
template <class V>
inline constexpr std::size_t column_count = std::is_same_v<V, Timestamp> ? 2 : 1;
template <reflect::OptionalValue V>
inline constexpr std::size_t column_count<V> = column_count<typename V::value_type>;

/// Whether a column may be unable to hold a value of this type.
template <class V>
inline constexpr bool may_not_fit =
    std::is_same_v<V, Decimal> || std::is_same_v<V, LocalTimestamp> || std::is_same_v<V, Timestamp>;
template <class V>
  requires(reflect::OptionalValue<V> || reflect::Array<V>)
inline constexpr bool may_not_fit<V> = may_not_fit<reflect::InnermostType<V>>;
template <reflect::Structure V>
inline constexpr bool may_not_fit<V> =
    !reflect::for_each_field<V>([]<std::size_t I>() { return !may_not_fit<reflect::FieldType<V, I>>; });

/// Arrow's spelling of a number's type.
template <class V>
consteval std::string_view number_format() {
  if constexpr (std::floating_point<V>) return sizeof(V) == 8 ? "g" : "f";
  else if constexpr (std::is_signed_v<V>) return std::array{"c", "s", "i", "l"}[std::bit_width(sizeof(V)) - 1];
  else return std::array{"C", "S", "I", "L"}[std::bit_width(sizeof(V)) - 1];
}

/// The section of the specification that a struct declares, or empty. A field may have this name, too.
template <class T>
inline constexpr std::string_view section_of{};
template <class T>
  requires requires { typename std::bool_constant<T::section.empty()>; }
inline constexpr std::string_view section_of<T> = T::section;

template <class T>
void add_columns_of(Column& column, const ColumnOptions& options);

/// The column of values of type `V`.
template <class V>
[[nodiscard]] Column column_of(std::string_view name, const ColumnOptions& options) {
  Column column;
  column.name = name;
  const auto fixed = [&](std::string_view format, std::size_t width) {
    column.format = format;
    column.width = width;
  };
  if constexpr (reflect::OptionalValue<V>) {
    column = column_of<typename V::value_type>(name, options);
    column.is_nullable = true;
  } else if constexpr (reflect::Array<V>) {
    static_assert(column_count<std::remove_const_t<typename V::value_type>> == 1, "an_element_of_a_list_has_one_column");
    column.kind = Kind::list;
    column.format = "+l";
    column.children.push_back(column_of<std::remove_const_t<typename V::value_type>>("item", options));
  } else if constexpr (std::is_same_v<V, Bytes>) {
    column.kind = Kind::long_binary;
    column.format = "Z";
  } else if constexpr (reflect::Structure<V>) {
    column.kind = Kind::structure;
    column.format = "+s";
    add_columns_of<V>(column, options);
  } else if constexpr (std::is_same_v<V, bool>) {
    column.kind = Kind::boolean;
    column.format = "b";
  } else if constexpr (std::is_arithmetic_v<V>) fixed(number_format<V>(), sizeof(V));
  else if constexpr (std::is_same_v<V, std::chrono::year_month_day>) fixed("tdD", sizeof(std::int32_t));
  else if constexpr (std::is_same_v<V, Decimal>) {
    fixed("d:" + std::to_string(decimal_precision) + "," + std::to_string(options.scale), sizeof(Decimal128));
  } else if constexpr (std::is_same_v<V, LocalTimestamp> || std::is_same_v<V, Timestamp>) {
    fixed(options.unit == TimeUnit::microseconds ? "tsu:" : "tsn:", sizeof(std::int64_t));
  } else {
    static_assert(reflect::Text<V> || reflect::OpenEnumeration<V> || reflect::Tag<V> || QuotedForm<V>,
                  "a_value_of_this_type_has_no_column");
    column.kind = Kind::text;
    column.format = "u";
  }
  return column;
}

/// Adds the columns of field `I`.
template <class T, std::size_t I>
void add_columns_of_field(Column& column, const ColumnOptions& options) {
  using Field = reflect::FieldType<T, I>;
  const auto& name = reflect::wire_name<T, I>;
  Column added = column_of<Field>(name.view(), options);
  added.meaning = reflect::field_meaning<T, I>;
  added.section = section_of<T>;
  if constexpr (column_count<Field> == 2) {
    added.is_nullable = true;
    Column without_offset = column_of<Field>(added.name + "Local", options);
    without_offset.is_nullable = true;
    without_offset.section = added.section;
    without_offset.meaning = added.meaning + "; those without an offset from UTC";
    added.format += "UTC";
    column.children.push_back(std::move(added));
    column.children.push_back(std::move(without_offset));
  } else {
    column.children.push_back(std::move(added));
  }
}

template <class T>
void add_columns_of(Column& column, const ColumnOptions& options) {
  reflect::for_each_field<T>([&]<std::size_t I>() {
    add_columns_of_field<T, I>(column, options);
    return true;
  });
}

/// Whether the columns can hold `value` exactly.
template <class V>
[[nodiscard]] bool fits(const V& value, const ColumnOptions& options) {
  if constexpr (!may_not_fit<V>) return true;
  else if constexpr (std::is_same_v<V, Decimal>) return scaled(value, options.scale).has_value();
  else if constexpr (reflect::HasParts<V>) {
    return reflect::for_each_part(value, [&](const auto& part) { return fits(part, options); });
  } else {
    return counted(value, options.unit).has_value();
  }
}

template <class T>
void append_fields(Column* columns, const T& value, const ColumnOptions& options);

/// Writes a value that fits into its column, or its columns.
template <class V>
void append(Column* column, const V& value, const ColumnOptions& options) {
  if constexpr (reflect::OptionalValue<V>) {
    if (value) return append(column, *value, options);
    for (std::size_t i = 0; i < column_count<V>; ++i) {
      if (column[i].is_wanted) column[i].add_null();
    }
  } else if constexpr (std::is_same_v<V, Timestamp>) {
    for (std::size_t i = 0; i < 2; ++i) {
      if (!column[i].is_wanted) continue;
      if (value.has_offset() == (i == 0)) column[i].add_fixed(*counted(value, options.unit));
      else column[i].add_null();
    }
  } else if (!column->is_wanted) {
    return;
  } else if constexpr (reflect::Array<V>) {
    for (const auto& item : value) append(&column->children.front(), item, options);
    column->push_offset();
    column->count(true);
  } else if constexpr (std::is_same_v<V, Bytes>) column->add_text(value.text);
  else if constexpr (reflect::Structure<V>) {
    append_fields(column->children.data(), value, options);
    column->count(true);
  } else if constexpr (std::is_same_v<V, bool>) column->add_boolean(value);
  else if constexpr (std::is_arithmetic_v<V>) column->add_fixed(value);
  else if constexpr (std::is_same_v<V, std::chrono::year_month_day>) {
    column->add_fixed(static_cast<std::int32_t>(std::chrono::sys_days(value).time_since_epoch().count()));
  } else if constexpr (std::is_same_v<V, Decimal>) column->add_fixed(*scaled(value, options.scale));
  else if constexpr (std::is_same_v<V, LocalTimestamp>) column->add_fixed(*counted(value, options.unit));
  else if constexpr (reflect::Text<V>) column->add_text(value);
  else if constexpr (reflect::OpenEnumeration<V> || reflect::Tag<V>) column->add_text(value.text());
  else {
    char printed[V::max_printed];
    column->add_text({printed, value.print(printed)});
  }
}

template <class T>
void append_fields(Column* columns, const T& value, const ColumnOptions& options) {
  reflect::for_each_field<T>([&]<std::size_t I>() {
    append(columns, reflect::field<I>(value), options);
    columns += column_count<reflect::FieldType<T, I>>;
    return true;
  });
}

}  // namespace bankhook::inline BANKHOOK_ABI::columns
