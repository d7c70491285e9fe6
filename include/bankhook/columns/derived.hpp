// SPDX-License-Identifier: MIT
// Columns derived from the fields of a struct: their types, whether a value fits into them, and how it is written there.
#pragma once

#include <bankhook/base/members.hpp>
#include <bankhook/columns/column.hpp>
#include <bankhook/columns/rows.hpp>
#include <bankhook/json/field_table.hpp>
#include <bankhook/json/recover/path.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/reflect/wire_names.hpp>
#include <bankhook/text/decimal.hpp>
#include <bankhook/text/number.hpp>
#include <bankhook/text/timestamp.hpp>

#include <array>
#include <bit>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace columns {

inline constexpr int decimal_precision = Decimal::max_digits;

/// The 128 bits of a decimal128 in two's complement: the lower half first, as on every machine that is little-endian.
using Decimal128 = std::array<std::uint64_t, 2>;

/// `amount` in units of 10^-scale, if it is whole in these and has at most 38 digits.
[[nodiscard]] constexpr std::optional<Decimal128> scaled(const Decimal& amount, int scale) {
  const Decimal exact = amount.scale() > scale ? amount.reduced() : amount;
  const std::int64_t places = std::int64_t{scale} - exact.scale();
  Decimal128 value{text::magnitude_of(exact.unscaled()), 0};
  if (value[0] == 0) return value;
  if (places < 0 || text::digit_count(value[0]) + places > decimal_precision) return std::nullopt;
  for (std::int64_t i = 0; i < places; ++i) {
    const std::uint64_t low = (value[0] & 0xFFFFFFFF) * 10;
    const std::uint64_t high = (value[0] >> 32) * 10 + (low >> 32);
    value = {high << 32 | (low & 0xFFFFFFFF), value[1] * 10 + (high >> 32)};
  }
  if (exact.unscaled() < 0) value = {0 - value[0], ~value[1] + (value[0] == 0)};
  return value;
}

/// The moment in units since 1970, if a column can hold it: the instant, or what the clock shows if no offset is written.
/// Microseconds have to be whole, and of the years 1 to 9999, because other libraries cannot read a column with another
/// year, which an offset may lead to. Nanoseconds have to fit 64 bits for certain.
[[nodiscard]] constexpr std::optional<std::int64_t> counted(const auto& time, TimeUnit unit) {
  const bool is_micro = unit == TimeUnit::microseconds;
  const std::int64_t least = is_micro ? -62'135'596'800 : -9'223'372'035, most = is_micro ? 253'402'300'799 : 9'223'372'035;
  std::int64_t seconds = time.local().time_since_epoch().count();
  const std::int64_t nanoseconds = time.subsecond().count();
  if constexpr (requires { time.offset(); }) seconds -= std::chrono::seconds(time.offset()).count();
  if (seconds < least || seconds > most || (is_micro && nanoseconds % 1000 != 0)) return std::nullopt;
  return is_micro ? seconds * 1'000'000 + nanoseconds / 1000 : seconds * 1'000'000'000 + nanoseconds;
}

/// How many columns a field has: a Timestamp has one for instants and one for moments without an offset, because a column
/// has a zone or has none.
template <class V>
inline constexpr std::size_t column_count = std::is_same_v<reflect::InnermostType<V>, Timestamp> ? 2 : 1;

inline void add_columns_of(Column& parent, const json::FieldTable& table, const ColumnOptions& options,
                           bool with_arrays = true);

/// The column of values of this type.
[[nodiscard]] inline Column column_of(std::string name, const json::ValueType& type, const ColumnOptions& options) {
  using enum json::ValueType::Kind;
  Column column;
  const auto is = [&](Kind kind, std::string format, std::size_t width = 0) {
    column.kind = kind;
    column.format = std::move(format);
    column.width = width;
  };
  switch (type.kind) {
    case nullable:
    case maybe_absent:
      column = column_of({}, *type.inner, options);
      column.is_nullable = true;
      break;
    case array:
      if (type.inner == &json::value_type<Bytes::value_type>) {
        is(Kind::text, "Z", sizeof(std::int64_t));
      } else {
        is(Kind::list, "+l", sizeof(std::int32_t));
        column.children.push_back(column_of("item", *type.inner, options));
      }
      break;
    case object:
      is(Kind::structure, "+s");
      add_columns_of(column, *type.table, options);
      break;
    case boolean: is(Kind::boolean, "b"); break;
    case integer: is(Kind::fixed, {(type.is_signed ? "csil" : "CSIL")[std::bit_width(type.size) - 1]}, type.size); break;
    case date: is(Kind::fixed, "tdD", sizeof(std::int32_t)); break;
    case decimal:
      is(Kind::fixed, "d:" + std::to_string(decimal_precision) + "," + std::to_string(options.scale), sizeof(Decimal128));
      break;
    case local_timestamp:
    case timestamp: is(Kind::fixed, options.unit == TimeUnit::microseconds ? "tsu:" : "tsn:", sizeof(std::int64_t)); break;
    case text:
    case enumeration:
    case tag:
    case form: is(Kind::text, "u", sizeof(std::int32_t)); break;
  }
  column.name = std::move(name);
  return column;
}

/// Adds the columns of a struct's fields; a Timestamp has two.
inline void add_columns_of(Column& parent, const json::FieldTable& table, const ColumnOptions& options, bool with_arrays) {
  for (const json::FieldRow& field : table.fields) {
    if (!with_arrays && field.type->kind == json::ValueType::Kind::array) continue;
    const bool is_split = field.type->innermost().kind == json::ValueType::Kind::timestamp;
    const auto add = [&](std::string_view after_name, std::string_view zone, std::string_view after_meaning) {
      const std::string name(field.wire_name());
      Column& added = parent.children.emplace_back(column_of(name + std::string(after_name), *field.type, options));
      added.format += zone;
      added.section = table.section;
      added.meaning = json::meaning_of(field).append(after_meaning);
      added.is_nullable |= is_split;
    };
    add("", is_split ? "UTC" : "", "");
    if (is_split) add("Local", "", "; those without an offset from UTC");
  }
}

/// Why a line is in no table but that of rejected lines, with texts of its own.
struct LineRejection {
  std::string_view rule{};
  std::string path = "$";
  nullable<std::int64_t> offset{};
  std::string expected{};
  std::string found{};

  [[nodiscard]] RejectedLine row(std::string_view raw) const {
    return {rule, path, offset, expected, found, {reinterpret_cast<const Bytes::value_type*>(raw.data()), raw.size()}};
  }
};

/// Whether the columns can hold `value` exactly. If not, the rule, the place, what is expected and what is found are in
/// `why`, whose path leads to `value` before.
template <class V>
[[nodiscard]] bool fits(const V& value, const ColumnOptions& options, LineRejection& why) {
  if constexpr (reflect::HasParts<V>) {
    std::size_t index = 0;
    return reflect::for_each_part(value, [&](const auto& part) {
      if (fits(part, options, why)) return ++index, true;
      std::string step;
      if constexpr (reflect::Array<V>) json::append_index(step, index);
      else if constexpr (reflect::Structure<V>) json::append_name(step, reflect::wire_names<V>[index]);
      why.path.insert(1, step);
      return false;
    });
  } else if constexpr (std::is_same_v<V, Decimal>) {
    if (scaled(value, options.scale)) return true;
    why = {.rule = "decimal_fits_column",
           .expected = "a number of at most 38 digits, " + std::to_string(options.scale) + " of them after the point",
           .found = "more digits"};
    return false;
  } else if constexpr (std::is_same_v<V, LocalTimestamp> || std::is_same_v<V, Timestamp>) {
    if (counted(value, options.unit)) return true;
    const bool is_micro = options.unit == TimeUnit::microseconds,
               is_long = is_micro && value.subsecond().count() % 1000 != 0;
    why = {.rule = "timestamp_fits_column",
           .expected = is_long    ? "a time with at most six fraction digits"
                       : is_micro ? "a time in the years 1 to 9999 of UTC"
                                  : "a time in the years 1678 to 2261",
           .found = is_long ? "more digits" : "another year"};
    return false;
  } else {
    return true;
  }
}

template <class T, bool with_arrays = true>
Column* append_fields(Column* column, const T& value, const ColumnOptions& options);

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
  } else if constexpr (std::is_same_v<V, Bytes>) {
    column->add_text({reinterpret_cast<const char*>(value.data()), value.size()});
  } else if constexpr (reflect::Array<V>) {
    static_assert(column_count<std::remove_const_t<typename V::value_type>> == 1,
                  "write an element of one column in a list");
    for (const auto& item : value) append(&column->children.front(), item, options);
    column->push_offset();
    column->count(true);
  } else if constexpr (reflect::Structure<V>) {
    append_fields(column->children.data(), value, options);
    column->count(true);
  } else if constexpr (std::is_same_v<V, bool>) column->add_boolean(value);
  else if constexpr (std::integral<V>) column->add_fixed(value);
  else if constexpr (std::is_same_v<V, std::chrono::year_month_day>) {
    column->add_fixed(static_cast<std::int32_t>(std::chrono::sys_days(value).time_since_epoch().count()));
  } else if constexpr (std::is_same_v<V, Decimal>) column->add_fixed(*scaled(value, options.scale));
  else if constexpr (std::is_same_v<V, LocalTimestamp>) column->add_fixed(*counted(value, options.unit));
  else if constexpr (reflect::Text<V>) column->add_text(value);
  else {
    static_assert(reflect::OpenEnumeration<V> || reflect::Tag<V>, "write a field that a column can hold");
    column->add_text(value.text());
  }
}

/// Writes the fields of a struct from `column` on; the column after them.
template <class T, bool with_arrays>
Column* append_fields(Column* column, const T& value, const ColumnOptions& options) {
  reflect::for_each_field<T>([&]<std::size_t At>() {
    using Field = reflect::FieldType<T, At>;
    if constexpr (with_arrays || !reflect::Array<Field>) {
      append(column, reflect::field<At>(value), options);
      column += column_count<Field>;
    }
    return true;
  });
  return column;
}

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::columns
