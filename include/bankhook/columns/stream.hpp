// SPDX-License-Identifier: MIT
// A table as an ArrowArrayStream: what pyarrow, polars, DuckDB and every other reader of Arrow's C interface takes.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/arrow_abi.hpp>
#include <bankhook/base/bad_alloc.hpp>
#include <bankhook/columns/options.hpp>
#include <bankhook/columns/writer.hpp>
#include <bankhook/events/archive/line_reader.hpp>
#include <bankhook/events/parse.hpp>

#include <cerrno>
#include <expected>
#include <memory>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI::columns {

/// Gives the batches of a table. What it throws is std::bad_alloc.
class Batches {
 public:
  Batches() = default;
  Batches(const Batches&) = delete;
  Batches& operator=(const Batches&) = delete;
  virtual ~Batches() = default;

  virtual void schema(ArrowSchema& out) = 0;
  /// The next batch, unchanged `out` at the end; an errno, if it fails.
  virtual int next(ArrowArray& out) = 0;
  /// Why `next` failed; nullptr if there is no message.
  [[nodiscard]] virtual const char* last_error() const { return nullptr; }
};

/// The callbacks of a stream that owns its Batches. After an error there are no more batches.
class StreamState {
 public:
  static void hand_over(std::unique_ptr<Batches> batches, ArrowArrayStream& out) {
    auto state = std::make_unique<StreamState>();
    state->batches_ = std::move(batches);
    out = {get_schema, get_next, get_last_error, release, state.release()};
  }

 private:
  static StreamState& of(ArrowArrayStream* stream) { return *static_cast<StreamState*>(stream->private_data); }

  static int get_schema(ArrowArrayStream* stream, ArrowSchema* out) noexcept {
    StreamState& self = of(stream);
    *out = {};
    if (base::has_memory_for([&] { self.batches_->schema(*out); })) return 0;
    return self.fail(ENOMEM);
  }
  static int get_next(ArrowArrayStream* stream, ArrowArray* out) noexcept {
    StreamState& self = of(stream);
    *out = {};
    if (self.error_ != 0) return self.error_;
    int error = 0;
    if (!base::has_memory_for([&] { error = self.batches_->next(*out); })) error = ENOMEM;
    return error == 0 ? 0 : self.fail(error);
  }
  static const char* get_last_error(ArrowArrayStream* stream) noexcept {
    const StreamState& self = of(stream);
    return self.error_ == ENOMEM ? "no memory for the columns" : self.batches_->last_error();
  }
  /// Harmless for a consumer that kept the callback and calls it again.
  static void release(ArrowArrayStream* stream) noexcept {
    delete static_cast<StreamState*>(stream->private_data);
    stream->release = nullptr;
    stream->private_data = nullptr;
  }

  int fail(int error) { return error_ = error; }

  std::unique_ptr<Batches> batches_;
  int error_ = 0;
};

/// The batches of an archive that lies in memory.
template <Tabular T>
class LineBatches final : public Batches {
 public:
  LineBatches(std::string_view ndjson, const ColumnOptions& options) : reader_(ndjson, arena_, 0), writer_(options) {}

  void schema(ArrowSchema& out) override { writer_.schema(out); }
  int next(ArrowArray& out) override {
    static_cast<void>(writer_.fill(reader_, arena_));
    if (!writer_.is_empty()) writer_.hand_over(out);
    return 0;
  }

 private:
  Arena arena_;
  bankhook::detail::LineReader reader_;
  TableWriter<T> writer_;
};

}  // namespace bankhook::inline BANKHOOK_ABI::columns

namespace bankhook::inline BANKHOOK_ABI {

/// A table of an archive of one event a line, as a stream of Arrow's C interface. `T` says which one:
/// - an event (`BankConnectionsUpdateV2`, `InitialTransactionUpdate`, `UnknownEvent`): a row for each event of this kind,
///   in the order of the archive; structs and arrays are nested;
/// - `Connection`: a row for each connection in an event, the one that triggered it and those of the customer;
/// - `Account`: a row for each account of these connections;
/// - `RejectedLine`: a row for each line that is in none of these tables;
/// - `FindingRow`: a row for each finding of `diagnose` in a line;
/// - `OutcomeRow`: a row for each event, with what it means to a Tracker that has the events before it.
///
/// Each row begins with the columns `source`, `line` and `eventIndex`; a connection then has `listIndex`, an account
/// `listIndex`, `connectionId` and `accountIndex`. The others have the wire names and the order of the specification's
/// tables. Null stands for null and for an absent field: the specification allows only one of them per field. Amounts are
/// decimal128, dates date32, the counts uint64, values of enumerations text, unknown ones included; a `Timestamp` is in
/// one of two columns: `date` holds instants, in UTC, and `dateLocal` what was written without an offset. Each column's
/// metadata has its section and its meaning.
///
/// The values are copied into the batches, which may outlive the stream. A batch is built when it is asked for. The stream
/// may be released early, and from another thread than the one that made it; it is not for use by two threads at once.
/// @param ndjson the archive, which must outlive the stream. Ends of lines are LF or CR LF.
/// @return the stream, which has to be released, or why the options cannot be met. Throws std::bad_alloc only.
///
///     ArrowArrayStream stream = *to_columns<InitialTransactionUpdate>(ndjson);
///     // hand it over, for example to arrow::ImportRecordBatchReader(&stream), or use it here, and then:
///     stream.release(&stream);
template <columns::Tabular T>
[[nodiscard]] std::expected<ArrowArrayStream, ColumnErrc> to_columns(std::string_view ndjson BANKHOOK_LIFETIMEBOUND,
                                                                     const ColumnOptions& options = {}) {
  if (const auto error = columns::error_of<T>(options)) return std::unexpected(*error);
  ArrowArrayStream stream{};
  columns::StreamState::hand_over(std::make_unique<columns::LineBatches<T>>(ndjson, options), stream);
  return stream;
}
template <columns::Tabular T, detail::TemporaryText S>
std::expected<ArrowArrayStream, ColumnErrc> to_columns(S&& ndjson, const ColumnOptions& options = {}) = delete;

}  // namespace bankhook::inline BANKHOOK_ABI
