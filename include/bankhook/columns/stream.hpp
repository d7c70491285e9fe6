// SPDX-License-Identifier: MIT
// Archives and structs in memory as streams of tables: rows are appended until a batch is full, even among those of a line.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/arrow_abi.hpp>
#include <bankhook/base/compiler.hpp>
#include <bankhook/columns/handover.hpp>
#include <bankhook/columns/rows.hpp>
#include <bankhook/columns/tables.hpp>
#include <bankhook/events/lines.hpp>
#include <bankhook/events/parse.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace columns {

/// Lines become the rows of the table of `T`, a batch at a time.
template <Tabular T>
class TableWriter {
 public:
  /// The options have no error. A row ends with what is kept of its line: these fields.
  explicit TableWriter(const ColumnOptions& options, std::span<const KeptField> kept = {})
      : options_(options), table_(*table_of<T>(options, kept)), kept_(kept.size()) {
    options_.batch_rows = std::max<std::size_t>(options.batch_rows, 1);
    options_.batch_bytes = std::clamp<std::size_t>(options.batch_bytes, 1, max_line_size);
  }

  /// The lines that follow are of another source.
  void set_source(std::int64_t source) {
    options_.source = source;
    index_ = 0;
  }

  /// Reads lines until a batch is full; false if there are no more. `reader` has the interface of LineReader, reads into
  /// `arena`, and what it reads must last as long as rows of its last line may be left: until the result is false. If it
  /// has `kept()`, that gives the kept texts of its last line, or nothing; else they are null.
  [[nodiscard]] bool fill(auto& reader, Arena& arena) {
    while (static_cast<std::size_t>(table_.length) < options_.batch_rows && bytes_ < options_.batch_bytes) {
      while (left_.empty()) {
        arena.reset();
        if (!reader.next(line_)) return false;
        ++index_;
        if (!line_.event && line_.event.error().code == Errc::out_of_memory) base::fail_without_memory();
        left_ = rows_.of(line_, options_);
        if constexpr (requires { reader.kept(); }) reject_misfit(reader.kept());
        if (!left_.empty()) bytes_ += line_.raw.size();
      }
      const LineKeys keys{options_.source, static_cast<std::int64_t>(line_.number), index_ - 1};
      const auto& row = left_.front();
      Column* after = nullptr;
      if constexpr (requires { row.second; }) after = append_row(table_, options_, keys, row.first, *row.second);
      else if constexpr (requires { row.customer; })
        after = append_row(table_, options_, keys, MemberKeys{row.customer.id}, row);
      else after = append_row(table_, options_, keys, row);
      if constexpr (requires { reader.kept(); }) append_kept(after, reader.kept());
      else append_kept(after);
      // Repeated for each connection or account: a long one must not fill the memory.
      if constexpr (requires { row.first.member_id; }) bytes_ += row.first.member_id.size();
      if constexpr (requires { row.first.connection_id; }) bytes_ += row.first.connection_id.size();
      left_ = left_.subspan(1);
    }
    return true;
  }

  /// Appends a rejected line that was not read: what is left of a source that fails.
  void reject(std::int64_t line, const LineRejection& why, std::string_view raw) {
    if constexpr (std::is_same_v<T, RejectedLine>)
      append_kept(append_row(table_, options_, LineKeys{options_.source, line, index_}, why.row(raw)));
  }

  /// How many events and rejected lines of the source were read.
  [[nodiscard]] std::int64_t events() const { return index_; }

  /// The rows since the last call; false without one.
  bool hand_over(ArrowArray& out) {
    if (table_.length == 0) return false;
    bytes_ = 0;
    hand_over_values(table_, out);
    return true;
  }
  void schema(ArrowSchema& out) const { hand_over_schema(table_, out); }

 private:
  /// Ends a row, from `column` on. The texts are repeated for each row of a line: long ones must not fill the memory.
  BANKHOOK_INLINE void append_kept(Column* column, std::span<const std::shared_ptr<const std::string>> texts = {}) {
    const Column* const end = table_.children.data() + table_.children.size();
    for (std::size_t i = 0; column != end; ++column, ++i) {
      if (!column->is_wanted) continue;
      const std::string* const text = i < texts.size() && texts[i] ? &*texts[i] : nullptr;
      const bool is_time = column->kind == Kind::fixed;
      if (const auto moment = text && is_time ? moment_of(*text, options_.unit) : std::nullopt) column->add_fixed(*moment);
      else if (text == nullptr || is_time) column->add_null();
      else bytes_ += text->size(), column->add_text(*text);
    }
  }

  /// Where columns of times cannot hold what is kept of a line, it is in no table but those of rejected lines, of findings
  /// and of outcomes, whichever columns are wanted.
  void reject_misfit(std::span<const std::shared_ptr<const std::string>> texts) {
    const Column* column = table_.children.data() + table_.children.size() - kept_;
    for (const auto& text : texts) {
      const Column& held = *column++;
      if (!line_.event || !text || held.kind != Kind::fixed || moment_of(*text, options_.unit)) continue;
      if constexpr (std::is_same_v<T, RejectedLine>) left_ = rows_.misfit(held.name, line_.raw);
      else if constexpr (!std::is_same_v<T, FindingRow> && !std::is_same_v<T, OutcomeRow>) left_ = {};
    }
  }

  ColumnOptions options_;
  Column table_;
  std::size_t kept_ = 0;  ///< columns, the last ones
  ArchiveLine line_{};
  RowsOf<T> rows_{};
  decltype(rows_.of(line_, options_)) left_{};  ///< rows of the line
  std::int64_t index_ = 0;                      ///< of the next event
  std::size_t bytes_ = 0;                       ///< of lines in the batch
};

/// The batches of an archive that lies in memory.
template <Tabular T>
class LineBatches final : public Batches {
 public:
  LineBatches(std::string_view ndjson, const ColumnOptions& options) : reader_(ndjson, arena_, 0), writer_(options) {}

  void schema(ArrowSchema& out) override { writer_.schema(out); }
  int next(ArrowArray& out) override {
    static_cast<void>(writer_.fill(reader_, arena_));
    writer_.hand_over(out);
    return 0;
  }

 private:
  Arena arena_;
  bankhook::detail::LineReader reader_;
  TableWriter<T> writer_;
};

/// The most bytes that a column of texts has.
[[nodiscard]] inline std::size_t max_text_bytes(const Column& column) {
  std::size_t most = column.bytes.size();
  for (const Column& child : column.children) most = (std::max)(most, max_text_bytes(child));
  return most;
}

/// The batches of rows that fit, all of them made at once: what the rows view may change afterwards.
template <reflect::Structure T>
class StateBatches final : public Batches {
 public:
  StateBatches(std::span<const T> rows, const ColumnOptions& options) : table_(*table_of<T>(options)) {
    const std::size_t most_bytes = (std::min)(options.batch_bytes, max_line_size);
    for (const T& row : rows) {
      if constexpr (requires { row.customer; }) append_row(table_, options, MemberKeys{row.customer.id}, row);
      else append_row(table_, options, row);
      const auto length = static_cast<std::size_t>(table_.length);
      if (length >= options.batch_rows || max_text_bytes(table_) >= most_bytes) end_batch();
    }
    if (table_.length > 0) end_batch();
  }

  void schema(ArrowSchema& out) override { hand_over_schema(table_, out); }
  int next(ArrowArray& out) override {
    if (next_ < batches_.children.size()) out = std::exchange(batches_.children[next_++], ArrowArray{});
    return 0;
  }

 private:
  void end_batch() { hand_over_values(table_, batches_.children.emplace_back()); }

  Column table_;
  Owner<ArrowArray> batches_{};
  std::size_t next_ = 0;
};

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::columns

namespace bankhook { inline namespace BANKHOOK_ABI {

/// A table of an archive of one event a line, as a stream of Arrow's C interface. The type `T` says
/// which one:
/// - an event (`BankConnectionsUpdateV2`, `InitialTransactionUpdate`, `UnknownEvent`): a row for each event of this kind,
///   in the order of the archive; structs and arrays are nested;
/// - `Connection`: a row for each connection in an event, the one that triggered it and those of the customer;
/// - `Account`: a row for each account of these connections;
/// - `RejectedLine`: a row for each line that is in none of these tables;
/// - `FindingRow`: a row for each finding of `diagnose` in a line;
/// - `OutcomeRow`: a row for each event, with what it means to a Tracker that has the events before it.
///
/// Each row begins with the columns `source`, `line` and `eventIndex`, and if it concerns a member, `memberId`; a
/// connection then has `listIndex`, an account `listIndex`, `connectionId` and `accountIndex`. The others have the wire
/// names and the order of the specification's tables. Null stands for null and for an absent field: the specification
/// allows only one of them per field. Amounts are decimal128, dates date32, the counts uint64, values of enumerations text,
/// unknown ones included; a `Timestamp` is in one of two columns: `date` holds instants, in UTC, and `dateLocal` what was
/// written without an offset. Each column's metadata has its section and its meaning.
///
/// The values are copied into the batches, which may outlive the stream. A batch is built when it is asked for. The stream
/// may be released early, and from another thread than the one that made it; it is not for use by two threads at once.
/// @param ndjson the archive, which must outlive the stream. Ends of lines are LF or CR LF.
/// @return the stream, which has to be released, or why the options cannot be met. Throws std::bad_alloc only.
///
///     ArrowArrayStream stream = *to_columns<InitialTransactionUpdate>(ndjson);
///     // hand it over, for example to arrow::ImportRecordBatchReader(&stream), or use it here, and then:
///     stream.release(&stream);
template <detail::columns::Tabular T>
[[nodiscard]] std::expected<ArrowArrayStream, ColumnErrc> to_columns(Bytes ndjson BANKHOOK_LIFETIMEBOUND,
                                                                     const ColumnOptions& options = {}) {
  if (const auto table = detail::columns::table_of<T>(options); !table) return std::unexpected(table.error());
  return detail::columns::stream_of(std::make_unique<detail::columns::LineBatches<T>>(ndjson, options));
}

/// Structs in memory as a stream of Arrow's C interface, a row each, with the columns of their fields: `TrackedMember`,
/// `TrackedConnection` and `TrackedTransaction` of a Tracker, or any other struct of the library. Types and metadata are
/// those of the tables of an archive; only `memberId` stands before the columns, if they have a `customer`.
///
/// The values are copied before the function returns: the stream views neither the rows nor what they view.
/// @return the stream, which has to be released, or why the options cannot be met. Throws std::bad_alloc only.
///
///     const std::vector<TrackedConnection> waiting = tracker.awaiting_accounts();
///     ArrowArrayStream stream = *to_columns(std::span<const TrackedConnection>(waiting));
template <detail::reflect::Structure T>
[[nodiscard]] std::expected<ArrowArrayStream, ColumnErrc> to_columns(std::span<const T> rows,
                                                                     const ColumnOptions& options = {}) {
  if (const auto table = detail::columns::table_of<T>(options); !table) return std::unexpected(table.error());
  detail::columns::LineRejection why;
  if (!detail::columns::fits(rows, options, why)) return std::unexpected(ColumnErrc::value_does_not_fit);
  return detail::columns::stream_of(std::make_unique<detail::columns::StateBatches<T>>(rows, options));
}

}}  // namespace bankhook::BANKHOOK_ABI
