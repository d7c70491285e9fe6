// SPDX-License-Identifier: MIT
// The tables of an archive: which keys their rows begin with, and which rows an event has.
#pragma once

#include <bankhook/base/optional.hpp>
#include <bankhook/columns/derived.hpp>
#include <bankhook/columns/options.hpp>
#include <bankhook/domain/account.hpp>
#include <bankhook/domain/connection.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/reflect/contained.hpp>
#include <bankhook/reflect/meaning.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI {

/// A line of an archive that is in no other table, because it is not an event, or because a column cannot hold one of its
/// values. Each such line is one row of `to_columns<RejectedLine>`.
struct RejectedLine {
  static constexpr std::string_view meaning = "A line of an archive that is in no other table";
  static constexpr Meaning meanings[] = {
      {"rule", "Id of the rule that it breaks first, or decimal_fits_column, timestamp_fits_column, line_fits_column"},
      {"path", "Where, as in RFC 9535"},
      {"offset", "Where, in bytes from the start of the line; null if a column cannot hold the value"},
      {"expected", "What is expected there"},
      {"found", "What is found there, without any value of the payload"},
      {"raw", "The bytes of the line without its end"},
  };

  std::string_view rule{};
  std::string_view path{};
  nullable<std::int64_t> offset{};
  std::string_view expected{};
  std::string_view found{};
  columns::Bytes raw{};
};

}  // namespace bankhook::inline BANKHOOK_ABI

namespace bankhook::inline BANKHOOK_ABI::columns {

/// What each row of each table begins with.
struct LineKeys {
  static constexpr Meaning meanings[] = {
      {"source", "Index of the source among those that were given, from 0"},
      {"line", "Number of the line on which the event starts, counted from 1, blank lines included"},
      {"event_index", "How many events and rejected lines precede it in its source"},
  };

  std::int64_t source{};
  std::int64_t line{};
  std::int64_t event_index{};
};

/// The place of a connection in its event.
struct ConnectionKeys {
  static constexpr Meaning meanings[] = {
      {"list_index", "Index in customer.connections; null for the connection that triggered the event"},
  };

  nullable<std::int64_t> list_index{};
};

/// The place of an account in its event.
struct AccountKeys {
  static constexpr Meaning meanings[] = {
      {"list_index", "Index of its connection in customer.connections; null for the one that triggered the event"},
      {"connection_id", "Id of its connection"},
      {"account_index", "Index in the accounts of its connection"},
  };

  nullable<std::int64_t> list_index{};
  std::string_view connection_id{};
  std::int64_t account_index{};
};

template <class T>
inline constexpr bool is_event = bankhook::detail::is_one_of<AnyEvent, T>;
/// A resource has a table of its own, a row for each place where it is in an event.
template <class T>
concept Flat = std::is_same_v<T, Connection> || std::is_same_v<T, Account>;
/// Rows that are made of a whole line. What there is of it has `begin(line)`, which returns how many rows the line has, and
/// `row(index)`; and `needs_order`, which says whether a row depends on the lines before it.
template <class T>
struct RowsOf {};
template <class T>
concept MadeOfLines = requires { RowsOf<T>::needs_order; };
template <class T>
inline constexpr bool needs_order = false;
template <MadeOfLines T>
inline constexpr bool needs_order<T> = RowsOf<T>::needs_order;
template <class T>
concept Tabular = is_event<T> || Flat<T> || std::is_same_v<T, RejectedLine> || MadeOfLines<T>;

template <class T>
struct KeysOf {
  struct type {};
};
template <>
struct KeysOf<Connection> {
  using type = ConnectionKeys;
};
template <>
struct KeysOf<Account> {
  using type = AccountKeys;
};

/// Whether the table of `T` has columns of this field. The accounts of a connection have a table of their own.
template <class T, std::size_t I>
inline constexpr bool has_columns = !Flat<T> || !reflect::Array<reflect::FieldType<T, I>>;

/// The columns of the table of `T`, without rows. Those of lines begin with their keys.
template <class T>
[[nodiscard]] Column table_of(const ColumnOptions& options) {
  Column table;
  table.kind = Kind::structure;
  table.format = "+s";
  if constexpr (requires { T::meaning; }) table.meaning = T::meaning;
  table.section = section_of<T>;
  if constexpr (Tabular<T>) add_columns_of<LineKeys>(table, options);
  if constexpr (Flat<T>) add_columns_of<typename KeysOf<T>::type>(table, options);
  reflect::for_each_field<T>([&]<std::size_t I>() {
    if constexpr (has_columns<T, I>) add_columns_of_field<T, I>(table, options);
    return true;
  });
  return table;
}

/// The first error of the options, if there is one.
template <class T>
[[nodiscard]] std::optional<ColumnErrc> error_of(const ColumnOptions& options) {
  if (options.scale < 0 || options.scale >= decimal_precision) return ColumnErrc::scale_out_of_range;
  Column table = table_of<T>(options);
  for (const std::string_view path : options.columns) {
    if (!want_path(table, path)) return ColumnErrc::unknown_column;
  }
  return std::nullopt;
}

/// The same columns, of which those are wanted that the options, which have no error, name.
template <class T>
[[nodiscard]] Column wanted_table_of(const ColumnOptions& options) {
  Column table = table_of<T>(options);
  if (options.columns.empty()) return table;
  want(table, false);
  for (const std::string_view path : options.columns) static_cast<void>(want_path(table, path));
  return table;
}

/// Appends a row: values of each of these structs, without those that have no columns.
template <class... Parts>
void append_row(Column& table, const ColumnOptions& options, const Parts&... parts) {
  Column* column = table.children.data();
  const auto append_part = [&]<class T>(const T& part) {
    reflect::for_each_field<T>([&]<std::size_t I>() {
      if constexpr (has_columns<T, I>) {
        append(column, reflect::field<I>(part), options);
        column += column_count<reflect::FieldType<T, I>>;
      }
      return true;
    });
  };
  (append_part(parts), ...);
  table.count(true);
}

/// The connections in an event: the one that triggered it, then those of the customer.
[[nodiscard]] inline std::size_t connection_count(const BankConnectionsUpdateV2& event) {
  return 1 + event.customer.connections.size();
}
[[nodiscard]] inline const Connection& connection_at(const BankConnectionsUpdateV2& event, std::size_t place) {
  return place == 0 ? event.connection : event.customer.connections[place - 1];
}
[[nodiscard]] inline nullable<std::int64_t> list_index_of(std::size_t place) {
  if (place == 0) return {};
  return static_cast<std::int64_t>(place - 1);
}

/// Where the rows of an event go on when a batch has ended among them.
struct Cursor {
  std::size_t connection = 0;
  std::size_t account = 0;
  std::size_t row = 0;  ///< of those that are made of the line
};

}  // namespace bankhook::inline BANKHOOK_ABI::columns
