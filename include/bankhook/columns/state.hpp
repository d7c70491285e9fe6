// SPDX-License-Identifier: MIT
// Structs in memory, such as those that a tracker's queries give, as a table: a row each.
#pragma once

#include <bankhook/base/arrow_abi.hpp>
#include <bankhook/columns/column.hpp>
#include <bankhook/columns/handover.hpp>
#include <bankhook/columns/options.hpp>
#include <bankhook/columns/rejection.hpp>
#include <bankhook/columns/rows.hpp>
#include <bankhook/columns/stream.hpp>
#include <bankhook/reflect/value_kinds.hpp>

#include <algorithm>
#include <cstddef>
#include <expected>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string_view>
#include <utility>

namespace bankhook::inline BANKHOOK_ABI::columns {

/// The most bytes that a column of texts has.
[[nodiscard]] inline std::size_t max_text_bytes(const Column& column) {
  std::size_t most = column.bytes.size();
  for (const Column& child : column.children) most = std::max(most, max_text_bytes(child));
  return most;
}

/// The first value that no column holds.
template <reflect::Structure T>
[[nodiscard]] std::optional<Rejection> unfit_of(std::span<const T> rows, const ColumnOptions& options) {
  for (const T& row : rows) {
    Rejection rejection;
    if (find_unfit(row, options, rejection.path, rejection)) return rejection;
  }
  return std::nullopt;
}

/// The batches of rows that fit, all of them made at once: what the rows view may change afterwards.
template <reflect::Structure T>
class StateBatches final : public Batches {
 public:
  StateBatches(std::span<const T> rows, const ColumnOptions& options) : table_(wanted_table_of<T>(options)) {
    for (const T& row : rows) {
      append_row(table_, options, row);
      const bool is_full = static_cast<std::size_t>(table_.length) >= std::max<std::size_t>(options.batch_rows, 1) ||
                           max_text_bytes(table_) >= std::min(options.batch_bytes, max_line_size);
      if (is_full) end_batch();
    }
    if (table_.length > 0) end_batch();
  }

  void schema(ArrowSchema& out) override { hand_over_schema(table_, out); }
  int next(ArrowArray& out) override {
    if (next_ < batches_.structs.size()) out = std::exchange(batches_.structs[next_++], ArrowArray{});
    return 0;
  }

 private:
  void end_batch() {
    batches_.structs.push_back(ArrowArray{});
    hand_over_values(table_, batches_.structs.back());
  }

  Column table_;
  Children<ArrowArray> batches_{};
  std::size_t next_ = 0;
};

}  // namespace bankhook::inline BANKHOOK_ABI::columns

namespace bankhook::inline BANKHOOK_ABI {

/// Structs in memory as a stream of Arrow's C interface, a row each, with the columns of their fields: `TrackedMember`,
/// `TrackedConnection` and `TrackedTransaction` of a Tracker, or any other struct of the library. Types and metadata are
/// those of the tables of an archive; there are no keys before the columns.
///
/// The values are copied before the function returns: the stream views neither the rows nor what they view.
/// @return the stream, which has to be released, or why the options cannot be met. Throws std::bad_alloc only.
///
///     const std::vector<TrackedConnection> waiting = tracker.awaiting_accounts();
///     ArrowArrayStream stream = *to_columns(std::span<const TrackedConnection>(waiting));
template <reflect::Structure T>
[[nodiscard]] std::expected<ArrowArrayStream, ColumnErrc> to_columns(std::span<const T> rows,
                                                                     const ColumnOptions& options = {}) {
  if (const auto error = columns::error_of<T>(options)) return std::unexpected(*error);
  if (columns::unfit_of(rows, options)) return std::unexpected(ColumnErrc::value_does_not_fit);
  ArrowArrayStream stream{};
  columns::StreamState::hand_over(std::make_unique<columns::StateBatches<T>>(rows, options), stream);
  return stream;
}

}  // namespace bankhook::inline BANKHOOK_ABI
