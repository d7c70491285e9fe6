// SPDX-License-Identifier: MIT
// Lines become the rows of one table, a batch at a time: a batch may end, and go on, among the rows of one line.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/columns/column.hpp>
#include <bankhook/columns/findings.hpp>
#include <bankhook/columns/handover.hpp>
#include <bankhook/columns/options.hpp>
#include <bankhook/columns/outcomes.hpp>
#include <bankhook/columns/rejection.hpp>
#include <bankhook/columns/rows.hpp>
#include <bankhook/events/archive/line_reader.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

namespace bankhook::inline BANKHOOK_ABI::columns {

/// Writes the table of `T`.
template <Tabular T>
class TableWriter {
 public:
  /// The options have no error.
  explicit TableWriter(const ColumnOptions& options) : options_(options), table_(wanted_table_of<T>(options)) {
    options_.columns = {};
    options_.batch_rows = std::max<std::size_t>(options.batch_rows, 1);
    options_.batch_bytes = std::clamp<std::size_t>(options.batch_bytes, 1, max_line_size);
    wants_reason_ = has_reason();
  }

  /// The lines that follow are of another source.
  void set_source(std::int64_t source) {
    options_.source = source;
    index_ = 0;
  }

  /// Reads lines until a batch is full; false if there are no more. `reader` has the interface of LineReader, reads into
  /// `arena`, and what it reads must last as long as rows of its last line may be left: until the result is false.
  template <class Reader>
  [[nodiscard]] bool fill(Reader& reader, Arena& arena) {
    for (;;) {
      if (has_rows_) append_rows();
      if (has_rows_ || is_full()) return true;
      arena.reset();
      if (!reader.next(line_)) return false;
      begin_line();
    }
  }

  /// Appends a rejected line that was not read: what is left of a source that fails.
  void reject(std::int64_t line, const Rejection& why, std::string_view raw) {
    if constexpr (std::is_same_v<T, RejectedLine>) {
      append_row(table_, options_, LineKeys{options_.source, line, index_}, row_of(why, raw));
    }
  }

  /// How many events and rejected lines of the source were read.
  [[nodiscard]] std::int64_t events() const { return index_; }

  [[nodiscard]] bool is_empty() const { return table_.length == 0; }
  /// The rows since the last call.
  void hand_over(ArrowArray& out) {
    bytes_ = 0;
    hand_over_values(table_, out);
  }
  void schema(ArrowSchema& out) const { hand_over_schema(table_, out); }

 private:
  /// Whether a column is wanted that says why a line is rejected.
  [[nodiscard]] bool has_reason() const {
    return std::any_of(table_.children.begin(), table_.children.end(), [](const Column& column) {
      return column.is_wanted && column.name != "source" && column.name != "line" && column.name != "eventIndex" &&
             column.name != "raw";
    });
  }
  [[nodiscard]] bool is_full() const {
    return static_cast<std::size_t>(table_.length) >= options_.batch_rows || bytes_ >= options_.batch_bytes;
  }
  [[nodiscard]] LineKeys keys() const { return {options_.source, static_cast<std::int64_t>(line_.number), index_ - 1}; }
  [[nodiscard]] static RejectedLine row_of(const Rejection& why, std::string_view raw) {
    return {why.rule, why.path, why.offset, why.expected, why.found, Bytes(raw)};
  }

  void begin_line() {
    ++index_;
    if (!line_.event && line_.event.error().code == Errc::out_of_memory) base::fail_without_memory();
    cursor_ = {};
    if constexpr (MadeOfLines<T>) {
      row_count_ = rows_.begin(line_);
      has_rows_ = row_count_ > 0;
    } else {
      has_rows_ = is_accepted() ? concerns_table() : std::is_same_v<T, RejectedLine>;
    }
    if (has_rows_) bytes_ += line_.raw.size();
  }
  [[nodiscard]] bool is_accepted() const {
    return line_.event && line_.raw.size() <= max_line_size &&
           std::visit([&](const auto& event) { return fits(event, options_); }, *line_.event);
  }
  [[nodiscard]] bool concerns_table() const {
    if constexpr (is_event<T>) return std::holds_alternative<T>(*line_.event);
    else return Flat<T> && std::holds_alternative<BankConnectionsUpdateV2>(*line_.event);
  }

  /// Appends rows of the line until it has no more or the batch is full.
  void append_rows() {
    if constexpr (is_event<T>) {
      append_row(table_, options_, keys(), *std::get_if<T>(&*line_.event));
      has_rows_ = false;
    } else if constexpr (Flat<T>) {
      const auto& event = *std::get_if<BankConnectionsUpdateV2>(&*line_.event);
      const std::size_t count = connection_count(event);
      for (; cursor_.connection < count && !is_full(); ++cursor_.connection) {
        if (!append_connection(connection_at(event, cursor_.connection))) return;
      }
      has_rows_ = cursor_.connection < count;
    } else if constexpr (MadeOfLines<T>) {
      for (; cursor_.row < row_count_ && !is_full(); ++cursor_.row) {
        append_row(table_, options_, keys(), rows_.row(cursor_.row));
      }
      has_rows_ = cursor_.row < row_count_;
    } else {
      append_row(table_, options_, keys(), row_of(wants_reason_ ? rejection_of(line_, options_) : Rejection(), line_.raw));
      has_rows_ = false;
    }
  }

  /// Whether all rows that a connection has were appended.
  [[nodiscard]] bool append_connection(const Connection& connection) {
    const nullable<std::int64_t> list_index = list_index_of(cursor_.connection);
    if constexpr (std::is_same_v<T, Connection>) {
      append_row(table_, options_, keys(), ConnectionKeys{list_index}, connection);
    } else {
      for (; cursor_.account < connection.accounts.size(); ++cursor_.account) {
        if (is_full()) return false;
        const auto account_index = static_cast<std::int64_t>(cursor_.account);
        append_row(table_, options_, keys(), AccountKeys{list_index, connection.id, account_index},
                   connection.accounts[cursor_.account]);
        bytes_ += connection.id.size();  // repeated for each account: a long one must not fill the memory
      }
      cursor_.account = 0;
    }
    return true;
  }

  ColumnOptions options_;
  Column table_;
  ArchiveLine line_{};
  Cursor cursor_{};
  RowsOf<T> rows_{};
  std::size_t row_count_ = 0;  ///< of the line, if its rows are made of it
  std::int64_t index_ = 0;     ///< of the next event
  std::size_t bytes_ = 0;      ///< of lines in the batch
  bool wants_reason_ = true;
  bool has_rows_ = false;  ///< of the line, that are not in a batch yet
};

}  // namespace bankhook::inline BANKHOOK_ABI::columns
