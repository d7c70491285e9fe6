// SPDX-License-Identifier: MIT
// The batches of one table of many archives: read with the interpreter's lock, decoded without it by several threads.
#pragma once

#include "library.hpp"
#include "table_sources.hpp"
#include "unlocked.hpp"

#include <pybind11/pybind11.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <expected>
#include <future>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::python {

/// What is kept of envelopes.
using KeptFields = std::span<const KeptField>;

/// What a stream says of an exception, none of which can pass the consumer: an errno, with the message in `message`.
/// EINTR is an interruption: it is to be raised again once Python has the control back, and not before objects are dropped
/// whose finalizers would swallow it. 0 if `call()` throws nothing.
int errno_from(std::string& message, auto call) {
  try {
    call();
    return 0;
  } catch (pybind11::error_already_set& raised) {
    const bool is_interrupted = raised.matches(PyExc_KeyboardInterrupt);
    if (!is_interrupted && raised.matches(PyExc_MemoryError)) return ENOMEM;
    message = is_interrupted ? "interrupted"
                             : lossy_text_of(raised.type().attr("__name__")) + ": " + lossy_text_of(raised.value());
    return is_interrupted ? EINTR : EIO;
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  } catch (const std::exception& thrown) {
    message = thrown.what();
    return EIO;
  }
}

class TableDecoder;

/// Parts of one source that follow each other, and what is decoded of them so far.
struct TableChunk {
  TableDecoder* decoder = nullptr;
  std::vector<TablePart> parts{};
  bool is_first = false;  ///< of its source; or its events and lines count from 0
  bool is_whole = false;  ///< no rows are left for the batches of the next one
  std::size_t at = 0;     ///< the part that is decoded; their count at the end
  detail::columns::Owner<ArrowArray> batches{};
  std::size_t next = 0;         ///< of the batches
  std::int64_t events = 0;      ///< in the parts, rejected lines included
  std::size_t lines = 0;        ///< the same, if they have lines
  std::future<void> decoded{};  ///< the last one: destroyed first, it waits for the thread that writes to the others
};

/// Makes batches of the rows of one table; each thread has its own.
class TableDecoder {
 public:
  virtual ~TableDecoder() = default;
  /// Decodes a chunk from where the last call ended, without the interpreter's lock: to batches as long as they may be,
  /// until so many are there. Those of the last call are gone.
  virtual void decode(TableChunk& chunk, std::size_t most) = 0;
};

template <detail::columns::Tabular T>
class DecoderOf final : public TableDecoder {
 public:
  DecoderOf(const ColumnOptions& options, KeptFields kept) : writer_(options, kept) {}

  void decode(TableChunk& chunk, std::size_t most) override {
    if (std::exchange(chunk.is_first, false)) {
      writer_.set_source(chunk.parts.front().source);
      lines_ = 0;
    }
    auto& batches = chunk.batches.children;
    for (; chunk.at < chunk.parts.size(); ++chunk.at) {
      const auto& [part, source, is_last, failure] = chunk.parts[chunk.at];
      if (!reader_) reader_.emplace(part, arena_, lines_);
      while (writer_.fill(*reader_, arena_)) {
        writer_.hand_over(batches.emplace_back());
        if (batches.size() == most) return;
      }
      reader_.reset();
      if (failure) writer_.reject(static_cast<std::int64_t>(lines_ + failure->line), failure->rejection, failure->unread);
    }
    chunk.events = writer_.events();
    chunk.lines = lines_;
    if (chunk.is_whole && !writer_.hand_over(batches.emplace_back())) batches.pop_back();
  }

 private:
  detail::columns::TableWriter<T> writer_;
  Arena arena_{};
  std::size_t lines_ = 0;               ///< of the source, if it has lines
  std::optional<PartReader> reader_{};  ///< of the part that is decoded
};

using OwnedBatches = std::unique_ptr<detail::columns::Batches>;

/// A table by the name that Python gives it, and what makes its rows: from archives, or from a tracker.
struct KnownTable {
  std::string_view name;
  std::expected<detail::columns::Column, ColumnErrc> (*columns)(const ColumnOptions& options, KeptFields kept);
  std::unique_ptr<TableDecoder> (*decoder)(const ColumnOptions& options, KeptFields kept);
  OwnedBatches (*of_tracker)(const Tracker& tracker, const ColumnOptions& options, std::string_view name);
  bool needs_order = false;  ///< a row depends on those before it
};

/// How often this process was forked off another one since the module was imported there.
inline std::atomic<unsigned> forks{0};

/// The consumer's thread reads, and others decode a chunk each: a chunk is a batch of its own, whose events and lines count
/// from 0 until they are given. Without other threads, each batch is as long as it may be.
class TableBatches final : public detail::columns::Batches {
 public:
  TableBatches(pybind11::object sources, const KnownTable& table, ColumnOptions options, KeptFields kept,
               std::size_t threads)
      : sources_(std::make_unique<TableSources>(std::move(sources), kept)),
        table_(*table.columns(options, kept)),
        is_alone_(threads == 1) {
    // A chunk is one batch, though its last part may be longer than its share.
    if (!is_alone_) options.batch_bytes = 2 * chunk_size;
    for (std::size_t i = 0; i < threads; ++i) decoders_.push_back(table.decoder(options, kept));
  }

  /// The consumer may drop the stream wherever it likes, even after the interpreter, which took its objects with it, or in
  /// a forked child, which has no threads to wait for and does not touch what they were at.
  ~TableBatches() override {
    if (!lacks_threads()) {
      for (TableChunk& chunk : chunks_) chunk.decoded = {};
      if (Py_IsInitialized() != 0) {
        const Locked lock;
        chunks_.clear();
        sources_.reset();
        return;
      }
    }
    static_cast<void>(sources_.release());
    static_cast<void>(new std::deque<TableChunk>(std::move(chunks_)));
    static_cast<void>(new std::vector<std::unique_ptr<TableDecoder>>(std::move(decoders_)));
  }

  void schema(ArrowSchema& out) override { detail::columns::hand_over_schema(table_, out); }
  [[nodiscard]] const char* last_error() const override { return message_.empty() ? nullptr : message_.c_str(); }
  int next(ArrowArray& out) override {
    if (lacks_threads()) return message_ = "the stream has threads of another process: make it after the fork", EIO;
    const Locked lock;
    bool has_batch = false;
    const int thrown = errno_from(message_, [&] { has_batch = take_next(out); });
    if (has_batch) return 0;
    if (thrown != 0) error_ = thrown;
    if (error_ != 0) sources_.reset();
    if (error_ == EINTR) PyErr_SetInterruptEx(SIGINT);
    return error_;
  }

 private:
  [[nodiscard]] bool lacks_threads() const { return !is_alone_ && forks != made_in_; }

  /// Text that is worth a thread's turn.
  static constexpr std::size_t chunk_size = std::size_t{512} << 10;
  /// How many batches of a chunk threads make before one is taken: what the rows of a line repeat takes memory.
  static constexpr std::size_t most_ahead = 8;

  /// Whether there was another batch: an error of the sources comes after the rows that precede it.
  bool take_next(ArrowArray& out) {
    for (;;) {
      while (sources_ && chunks_.size() < decoders_.size()) read_chunk();
      if (error_ == EINTR || error_ == ENOMEM || chunks_.empty()) return false;
      TableChunk& chunk = chunks_.front();
      if (chunk.decoded.valid()) wait_for(chunk);
      if (take_batch(chunk, out)) return true;
      if (chunk.at < chunk.parts.size()) decode(chunk);
      else finish(chunk);
    }
  }

  /// Gives the next chunk to a thread; no sources are left at the end, where a chunk without parts has the rows that are
  /// left.
  void read_chunk() {
    TableChunk& chunk = chunks_.emplace_back();
    bool is_last = false;
    for (std::size_t size = 0; size < chunk_size && !is_last && (!is_alone_ || chunk.parts.empty());) {
      TablePart part;
      if (!read_part(part)) break;
      size += part.part.text.size();
      is_last = part.is_last;
      chunk.parts.push_back(std::move(part));
    }
    if (chunk.parts.empty() && !is_alone_) return chunks_.pop_back();
    chunk.is_first = !chunk.parts.empty() && (!is_alone_ || is_first_);
    chunk.is_whole = !is_alone_ || chunk.parts.empty();
    is_first_ = is_last;
    chunk.decoder = decoders_[turn_++ % decoders_.size()].get();
    decode(chunk);
  }
  /// Has the next batches of a chunk made. If the system has no more threads, the consumer does the work when it waits.
  void decode(TableChunk& chunk) const {
    chunk.batches.children.clear();
    chunk.next = 0;
    chunk.decoded = std::async(is_alone_ ? std::launch::deferred : std::launch::async | std::launch::deferred,
                               [&chunk, most = is_alone_ ? 1 : most_ahead] { chunk.decoder->decode(chunk, most); });
  }
  /// False at the end, or if the sources raise.
  bool read_part(TablePart& part) {
    bool is_read = false;
    error_ = errno_from(message_, [&] { is_read = sources_->next(part); });
    if (!is_read) sources_.reset();
    return is_read;
  }

  static void wait_for(TableChunk& chunk) {
    {
      const Unlocked without_lock;
      chunk.decoded.wait();
    }
    check_signals();
    chunk.decoded.get();
  }

  /// Takes the next batch of the first chunk, if one was made.
  bool take_batch(TableChunk& chunk, ArrowArray& out) const {
    if (chunk.next == chunk.batches.children.size()) return false;
    out = std::exchange(chunk.batches.children[chunk.next++], ArrowArray{});
    add(out, "eventIndex", events_before_);
    add(out, "line", static_cast<std::int64_t>(lines_before_));
    return true;
  }
  /// Counts the first chunk, whose batches were taken, and lets it go.
  void finish(const TableChunk& chunk) {
    const bool is_new = is_alone_ || chunk.parts.back().is_last;
    events_before_ = is_new ? 0 : events_before_ + chunk.events;
    lines_before_ = is_new ? 0 : lines_before_ + chunk.lines;
    chunks_.pop_front();
  }

  /// Adds to the numbers in a column of the batch, if it is wanted.
  void add(ArrowArray& batch, std::string_view name, std::int64_t before) const {
    ArrowArray** child = batch.children;
    for (const detail::columns::Column& column : table_.children) {
      if (column.is_wanted && column.name == name) {
        auto* const numbers = static_cast<std::int64_t*>(const_cast<void*>((*child)->buffers[1]));
        for (std::int64_t i = 0; i < batch.length; ++i) numbers[i] += before;
      }
      child += column.is_wanted;
    }
  }

  std::unique_ptr<TableSources> sources_;                  ///< null at the end
  detail::columns::Column table_;                          ///< no rows of it
  bool is_alone_;                                          ///< no thread but the consumer's
  std::vector<std::unique_ptr<TableDecoder>> decoders_{};  ///< taken in turns: as many chunks are read ahead
  std::size_t turn_ = 0;
  bool is_first_ = true;            ///< the next chunk is the first of its source
  std::int64_t events_before_ = 0;  ///< in the source before the first chunk
  std::size_t lines_before_ = 0;    ///< the same
  unsigned made_in_ = forks;
  int error_ = 0;  ///< of the sources, or what ended the stream
  std::string message_{};
  std::deque<TableChunk> chunks_{};  ///< in their order
};

}  // namespace bankhook::python
