// SPDX-License-Identifier: MIT
// The tables of an archive: which columns they have, and which rows a line has in each of them.
#pragma once

#include <bankhook/base/enumerators.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/columns/derived.hpp>
#include <bankhook/columns/rows.hpp>
#include <bankhook/domain/account.hpp>
#include <bankhook/domain/connection.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/events/lines.hpp>
#include <bankhook/events/rules/diagnose.hpp>
#include <bankhook/events/rules/explain.hpp>
#include <bankhook/events/serialize.hpp>
#include <bankhook/tracking/changes.hpp>
#include <bankhook/tracking/outcome.hpp>
#include <bankhook/tracking/tracker.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace columns {

/// A line of more bytes is in no batch: offsets of Arrow's texts and lists have 31 bits.
inline constexpr std::size_t max_line_size = std::size_t{1} << 30;

/// Whether a line can be in a batch; if not, `why` says so.
[[nodiscard]] inline bool is_short(const ArchiveLine& line, LineRejection& why) {
  if (line.raw.size() <= max_line_size) return true;
  why = {.rule = "line_fits_column", .expected = "a line of at most 1 GiB", .found = "a longer one"};
  return false;
}

/// The event of a line; nullptr if it is no `T`, or the columns cannot hold it. `why` is made once, not for each line.
template <class T>
[[nodiscard]] const T* accepted(const ArchiveLine& line, const ColumnOptions& options, LineRejection& why) {
  const T* const event = line.event ? std::get_if<T>(&*line.event) : nullptr;
  return event != nullptr && fits(*event, options, why) && is_short(line, why) ? event : nullptr;
}

/// The rows of the table of `T`: `of(line, options)` gives those of a line, which are valid until the next one.
template <class T>
struct RowsOf {};
template <class T>
concept Tabular =
    requires(RowsOf<T> rows, const ArchiveLine& line, const ColumnOptions& options) { rows.of(line, options); };
/// Whether a row depends on the lines before it.
template <class T>
inline constexpr bool needs_order = std::is_same_v<T, OutcomeRow>;

/// A row for each event of this type.
template <class T>
  requires bankhook::detail::is_one_of<AnyEvent, T>
struct RowsOf<T> {
  std::span<const T> of(const ArchiveLine& line, const ColumnOptions& options) {
    const T* const event = accepted<T>(line, options, why);
    return {event, event != nullptr ? std::size_t{1} : 0};
  }

  LineRejection why{};
};

/// A row for each connection in an event, the one that triggered it and those of the customer; or for each account of
/// these.
template <class T>
  requires(std::is_same_v<T, Connection> || std::is_same_v<T, Account>)
struct RowsOf<T> {
  using Keys = std::conditional_t<std::is_same_v<T, Connection>, ConnectionKeys, AccountKeys>;
  using Row = std::pair<Keys, const T*>;

  std::span<const Row> of(const ArchiveLine& line, const ColumnOptions& options) {
    rows.clear();
    if (const auto* const event = accepted<BankConnectionsUpdateV2>(line, options, why)) {
      const std::string_view member = event->customer.id;
      add_rows(member, event->connection, {});
      for (std::int64_t i = 0; const Connection& connection : event->customer.connections)
        add_rows(member, connection, i++);
    }
    return rows;
  }

 private:
  void add_rows(std::string_view member, const Connection& connection, nullable<std::int64_t> list_index) {
    if constexpr (std::is_same_v<T, Connection>) rows.emplace_back(Keys{member, list_index}, &connection);
    else {
      for (std::int64_t i = 0; const Account& account : connection.accounts)
        rows.emplace_back(Keys{member, list_index, connection.id, i++}, &account);
    }
  }

  LineRejection why{};
  std::vector<Row> rows{};  ///< of the line
};

[[nodiscard]] inline nullable<std::int64_t> offset_of(const Finding& finding) {
  return finding.offset.transform([](std::size_t offset) { return static_cast<std::int64_t>(offset); });
}

/// A row if the columns cannot hold the line: the value that does not fit, or the first error of `diagnose`.
template <std::same_as<RejectedLine> T>
struct RowsOf<T> {
  std::span<const RejectedLine> of(const ArchiveLine& line, const ColumnOptions& options) {
    why = {};
    if ((!line.event || fits(*line.event, options, why)) && is_short(line, why)) {
      if (line.event) return {};
      const Finding first = finding_of(line.event.error(), line.raw);
      why = {name_of(first.rule), first.path, offset_of(first), first.expected, first.found};
    }
    row = why.row(line.raw);
    return {&row, 1};
  }
  /// That of a line beside whose event no column holds what a field has.
  std::span<const RejectedLine> misfit(std::string_view field, std::string_view raw) {
    why = {.rule = "timestamp_fits_column", .expected = "a time with an offset in the field ", .found = "another text"};
    why.expected += field;
    row = why.row(raw);
    return {&row, 1};
  }

  LineRejection why{};
  RejectedLine row{};
};

template <std::same_as<FindingRow> T>
struct RowsOf<T> {
  std::span<const FindingRow> of(const ArchiveLine& line, const ColumnOptions&) {
    findings.clear();
    rows.clear();
    if (!bankhook::detail::is_clean(line)) findings = diagnose(line.raw);
    for (const Finding& found : findings)
      rows.push_back({name_of(found.rule), name_of(found.evidence), found.section, name_of(found.severity), found.path,
                      offset_of(found), found.expected, found.found});
    return rows;
  }

  std::vector<Finding> findings{};  ///< of the line
  std::vector<FindingRow> rows{};
};

/// The wire form of a value, without the quotes of what has no escapes there.
[[nodiscard]] std::string bare_text_of(const auto& value) {
  const std::string json = serialize(value);
  const bool is_quoted = json.front() == '"';
  return json.substr(is_quoted, json.size() - 2 * is_quoted);
}

/// Applies each event to a tracker.
template <std::same_as<OutcomeRow> T>
struct RowsOf<T> {
  std::span<const OutcomeRow> of(const ArchiveLine& line, const ColumnOptions&) {
    if (!line.event) return {};
    outcome = tracker.apply(*line.event);
    texts.clear();
    changes.clear();
    for (const Change& change : outcome.changes) changes.push_back(row_of(change));
    rules.clear();
    for (const auto& finding : outcome.findings) rules.push_back(name_of(finding.rule));
    made = {.verdict = name_of(outcome.verdict),
            .section = text_or_null(outcome.reason.section()),
            .accepted = outcome.accepted,
            .repeat = outcome.repeat,
            .seen_before = outcome.seen_before,
            .changes = changes,
            .findings = rules};
    if (const auto* const rule = std::get_if<const Rule*>(&outcome.reason)) made.rule = name_of((*rule)->rule);
    if (const auto evidence = outcome.reason.evidence()) made.evidence = name_of(*evidence);
    const auto set_subject = [&](const auto& event) {
      made.event = event.event;
      if constexpr (requires { event.event_type; }) {
        made.event_type = event.event_type.text();
        made.member_id = event.customer.id;
        made.id = bankhook::detail::id_of(event);
      }
    };
    std::visit(set_subject, *line.event);
    return {&made, 1};
  }

 private:
  static nullable<std::string_view> text_or_null(std::string_view text) {
    return text.empty() ? nullable<std::string_view>() : text;
  }

  ChangeRow row_of(const Change& change) {
    return {name_of(change.kind),
            name_of(change.subject),
            label_of(change),
            change.id,
            text_or_null(change.parent_id),
            text_or_null(change.field),
            wire_text_of(change.before),
            wire_text_of(change.after),
            change.first_event_missing};
  }

  nullable<std::string_view> wire_text_of(const ChangeValue& value) {
    return std::visit(
        [&]<class V>(const V& held) -> nullable<std::string_view> {
          if constexpr (std::is_same_v<V, std::monostate>) return {};
          else if constexpr (std::is_same_v<V, std::string_view>) return held;
          else return std::string_view(texts.emplace_back(bare_text_of(held)));
        },
        value);
  }

  Tracker tracker{};
  Outcome outcome{};  ///< what `made` views
  OutcomeRow made{};
  std::vector<ChangeRow> changes{};
  std::vector<std::string_view> rules{};
  std::deque<std::string> texts{};  ///< of the values in `changes` that are not texts
};

/// Whether the fields of `T` have columns if they are arrays. The accounts of a connection have a table of their own.
template <class T>
inline constexpr bool with_arrays = !std::is_same_v<T, Connection>;

/// The columns of the table of `T`, without rows; those are wanted that the options name. Those of lines begin with keys,
/// and end with a text or a time for each of the fields in `kept`: what is known of the line beside its event.
template <class T>
[[nodiscard]] std::expected<Column, ColumnErrc> table_of(const ColumnOptions& options,
                                                         std::span<const KeptField> kept = {}) {
  if (options.scale < 0 || options.scale >= decimal_precision) return std::unexpected(ColumnErrc::scale_out_of_range);
  Column table;
  table.kind = Kind::structure;
  table.format = "+s";
  table.meaning = reflect::meaning<T>;
  table.section = reflect::section<T>;
  if constexpr (Tabular<T>) add_columns_of(table, json::field_table<LineKeys>, options);
  if constexpr (requires(T row) { row.customer; }) add_columns_of(table, json::field_table<MemberKeys>, options);
  if constexpr (requires { typename RowsOf<T>::Keys; })
    add_columns_of(table, json::field_table<typename RowsOf<T>::Keys>, options);
  add_columns_of(table, json::field_table<T>, options, with_arrays<T>);
  for (const auto [name, is_time] : kept) {
    const auto& type = is_time ? json::value_type<nullable<Timestamp>> : json::value_type<nullable<std::string_view>>;
    Column& column = table.children.emplace_back(column_of(std::string(name), type, options));
    if (is_time) column.format += "UTC";
    column.meaning = "A field of the envelope around the event, or of the stored delivery";
  }
  want(table, options.columns.empty());
  for (const std::string_view path : options.columns) {
    if (!want_path(table, path)) return std::unexpected(ColumnErrc::unknown_column);
  }
  return table;
}

/// Appends a row: the fields of these structs, one after the other. Returns the column after theirs.
template <class... Parts>
Column* append_row(Column& table, const ColumnOptions& options, const Parts&... parts) {
  Column* column = table.children.data();
  ((column = append_fields<Parts, with_arrays<Parts>>(column, parts, options)), ...);
  table.count(true);
  return column;
}

/// The moment that the kept text of a time names, in units since 1970: as ISO 8601 writes it, with an offset, and a blank
/// for the T if it is written as PostgreSQL does. Nothing if it names none, or a column cannot hold it.
[[nodiscard]] inline std::optional<std::int64_t> moment_of(std::string text, TimeUnit unit) {
  if (text.size() > 10 && text[10] == ' ') text[10] = 'T';
  const auto time = Timestamp::parse(text);
  return time && time->has_offset() ? counted(*time, unit) : std::nullopt;
}

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::columns
