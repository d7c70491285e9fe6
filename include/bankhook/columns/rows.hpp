// SPDX-License-Identifier: MIT
// What a user chooses about columns; the rows that an archive's tables have besides those of its events.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/reflect/meaning.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace bankhook { inline namespace BANKHOOK_ABI {

/// What a column of times counts since 1970.
enum class TimeUnit : std::uint8_t {
  microseconds,  ///< holds the years 1 to 9999 of UTC, and six fraction digits
  nanoseconds,   ///< holds all fraction digits, and the years 1678 to 2261
};

/// How the events of an archive become columns. Nothing is rounded: an event with a value that a column cannot hold is
/// rejected.
struct ColumnOptions {
  /// Decimal places of amounts, 0 to 37, in columns of decimal128(38, scale). The specification shows no amount and no
  /// currency (2.4); no currency of ISO 4217 has more than four places.
  int scale = 4;
  TimeUnit unit = TimeUnit::microseconds;
  std::size_t batch_rows = std::size_t{1} << 16;  ///< rows of a batch, at most; at least one
  /// Bytes of lines after which a batch ends, 1 to 2^30. The memory of a larger batch is neither in the processor's cache
  /// nor what the batch before it has left.
  std::size_t batch_bytes = std::size_t{1} << 19;
  /// The columns that are built, by name or by path: `initialTransaction.amount`, `connection.accounts.id`. All if it is
  /// empty. Looked at only by the function that it is given to. Which events are rejected does not depend on it.
  std::span<const std::string_view> columns{};
  std::int64_t source = 0;  ///< what the column `source` says, for archives of several files
};

/// A field of the envelope around an event that becomes a column: text, or instants.
struct KeptField {
  std::string_view name{};
  bool is_time = false;
};

/// Why there are no columns.
enum class ColumnErrc : std::uint8_t {
  unknown_column,      ///< the table has no column of one of the names
  scale_out_of_range,  ///< the scale is not 0 to 37
  value_does_not_fit,  ///< a column cannot hold a value, which has no table of rejected lines to go to
};

/// A line of an archive that is in no other table, because it is not an event, or because a column cannot hold one of its
/// values. Each such line is one row of `to_columns<RejectedLine>`.
struct RejectedLine {
  static constexpr std::string_view meaning = "A line of an archive that is in no other table";
  static constexpr Meaning meanings[] = {
      {"rule",
       "Id of the rule that it breaks first, or decimal_fits_column, timestamp_fits_column, line_fits_column; "
       "source_is_readable where a source ends early"},
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
  std::span<const std::uint8_t> raw{};  ///< need not be UTF-8
};

/// A finding of `diagnose` in a line of an archive, as a row of `to_columns<FindingRow>`. Views live as long as the
/// Finding.
struct FindingRow {
  static constexpr std::string_view meaning = "What is wrong with a line of an archive";
  static constexpr Meaning meanings[] = {
      {"rule", "Id of the rule that is broken"},
      {"evidence", "What the rule rests on: stated, example or assumed"},
      {"section", "Section of the specification"},
      {"severity", "error if parse rejects the line because of it, else warning"},
      {"path", "Where, as in RFC 9535"},
      {"offset", "Where, in bytes from the start of the line"},
      {"expected", "What is expected there"},
      {"found", "What is found there, without any value of the payload"},
  };

  std::string_view rule{};
  std::string_view evidence{};
  std::string_view section{};
  std::string_view severity{};
  std::string_view path{};
  nullable<std::int64_t> offset{};
  std::string_view expected{};
  std::string_view found{};
};

/// A Change as a row within an OutcomeRow.
struct ChangeRow {
  static constexpr Meaning meanings[] = {
      {"kind", "How it changes: added, changed, removed, unlisted, listed_again, reordered or missing"},
      {"subject", "What it is: a member, a connection, an account or a transaction"},
      {"label", "The two in one word, or what the change of this field is called: error_raised"},
      {"id", "Id of the member, connection, account or transaction that changes"},
      {"parent_id", "An account's connection; a connection's or a transaction's member; null for a member"},
      {"field", "Wire name of the field that differs; null if a whole object is added or removed"},
      {"before", "Its value before, as on the wire; null without one"},
      {"after", "Its value after, as on the wire; null without one"},
      {"first_event_missing", "For an added connection or transaction: its create or created has not come"},
  };

  std::string_view kind{};
  std::string_view subject{};
  std::string_view label{};
  std::string_view id{};
  nullable<std::string_view> parent_id{};
  nullable<std::string_view> field{};
  nullable<std::string_view> before{};
  nullable<std::string_view> after{};
  bool first_event_missing = false;
};

/// The Outcome of an event of an archive, as a row of `to_columns<OutcomeRow>`.
struct OutcomeRow {
  static constexpr std::string_view meaning = "What an event means to a tracker that has the events before it";
  static constexpr Meaning meanings[] = {
      {"event", "Name of the event"},
      {"event_type", "Type of the event; null if its name is not listed"},
      {"member_id", "Id of the member; null if the name of the event is not listed"},
      {"id", "Id of the connection or the transaction; null if the name of the event is not listed"},
      {"verdict", "What the specification says about it: specified, assumed, unspecified or contradicts"},
      {"rule", "Id of the rule that the verdict rests on; null if it rests on a row of a lifecycle, or on nothing"},
      {"section", "Section of that rule or row; null without one"},
      {"evidence", "Evidence of that rule or row; null without one"},
      {"accepted", "Whether the event was applied"},
      {"repeat", "Whether the event contains nothing new"},
      {"seen_before", "Whether this very event was accepted earlier"},
      {"changes", "What the event changed"},
      {"findings", "Ids of the rules between its fields that the event breaks"},
  };

  std::string_view event{};
  nullable<std::string_view> event_type{};
  nullable<std::string_view> member_id{};
  nullable<std::string_view> id{};
  std::string_view verdict{};
  nullable<std::string_view> rule{};
  nullable<std::string_view> section{};
  nullable<std::string_view> evidence{};
  bool accepted = true;
  bool repeat = false;
  bool seen_before = false;
  std::span<const ChangeRow> changes{};
  std::span<const std::string_view> findings{};
};

}}  // namespace bankhook::BANKHOOK_ABI

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace columns {

/// Bytes that need not be UTF-8.
using Bytes = decltype(RejectedLine::raw);

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

/// What a row begins with if it concerns a member: the same name in every table, for joins.
struct MemberKeys {
  static constexpr Meaning meanings[] = {{"member_id", "Id of the member"}};

  std::string_view member_id{};
};

/// The place of a connection in its event.
struct ConnectionKeys {
  static constexpr Meaning meanings[] = {
      {"member_id", "Id of the member"},
      {"list_index", "Index in customer.connections; null for the connection that triggered the event"},
  };

  std::string_view member_id{};
  nullable<std::int64_t> list_index{};
};

/// The place of an account in its event.
struct AccountKeys {
  static constexpr Meaning meanings[] = {
      {"member_id", "Id of the member"},
      {"list_index", "Index of its connection in customer.connections; null for the one that triggered the event"},
      {"connection_id", "Id of its connection"},
      {"account_index", "Index in the accounts of its connection"},
  };

  std::string_view member_id{};
  nullable<std::int64_t> list_index{};
  std::string_view connection_id{};
  std::int64_t account_index{};
};

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::columns
