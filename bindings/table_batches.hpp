// SPDX-License-Identifier: MIT
// The batches of one table of many archives: read with the interpreter's lock, decoded without it by several threads.
#pragma once

#include "library.hpp"
#include "table_sources.hpp"
#include "unlocked.hpp"

#include <pybind11/pybind11.h>

#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace bankhook::python {

/// What a stream says of an exception, none of which can pass the consumer: an errno, with the message in `message`.
/// EINTR is an interruption: it is to be raised again once Python has the control back, and not before objects are dropped
/// whose finalizers would swallow it.
int errno_of(pybind11::error_already_set& raised, std::string& message);

/// 0, or the errno of what `call()` throws.
template <class Call>
int errno_from(std::string& message, Call call) {
  try {
    call();
    return 0;
  } catch (pybind11::error_already_set& raised) {
    return errno_of(raised, message);
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  } catch (const std::exception& thrown) {
    message = thrown.what();
    return EIO;
  }
}

/// Parts of one source that follow each other, and what they are decoded to.
struct TableChunk {
  std::vector<TablePart> parts{};
  columns::Owner<ArrowArray> batches{};
  std::size_t next = 0;     ///< of the batches
  std::int64_t events = 0;  ///< in the parts, rejected lines included
  std::int64_t lines = 0;   ///< in the parts, if they have lines
  bool has_memory = true;
  bool is_done = false;
};

/// The consumer's thread reads, and is one of those that decode. Beside others it gives each chunk a batch of its own,
/// whose events and lines count from 0 until they are given; alone, it makes each batch as long as it may be.
template <columns::Tabular T>
class TableBatches final : public columns::Batches {
 public:
  TableBatches(pybind11::object sources, ColumnOptions options, std::size_t threads)
      : sources_(std::make_unique<TableSources>(std::move(sources))),
        is_alone_(threads == 1),
        window_(is_alone_ ? 1 : 2 * threads) {
    if (!is_alone_) {
      options.batch_bytes = 2 * chunk_size;  // a chunk is one batch, though its last part may be longer than its share
      event_column_ = index_of("eventIndex", options);
      line_column_ = index_of("line", options);
    }
    for (std::size_t i = 0; i < threads; ++i) writers_.emplace_back(options);
    threads_.reserve(threads - 1);
    try {
      for (std::size_t i = 1; i < threads; ++i) threads_.emplace_back([&, i] { work(writers_[i]); });
    } catch (const std::exception&) {  // the system has no more threads: the others do the work
    }
  }

  /// The consumer may drop the stream wherever it likes, even after the interpreter, which took its objects with it.
  ~TableBatches() override {
    {
      const std::lock_guard guard(mutex_);
      is_over_ = true;
    }
    given_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    if (Py_IsInitialized() == 0) {
      static_cast<void>(sources_.release());
      static_cast<void>(new std::deque<std::unique_ptr<TableChunk>>(std::move(chunks_)));
      return;
    }
    const Locked lock;
    chunks_.clear();
    sources_.reset();
  }

  void schema(ArrowSchema& out) override { writers_.front().schema(out); }
  [[nodiscard]] const char* last_error() const override { return message_.empty() ? nullptr : message_.c_str(); }
  int next(ArrowArray& out) override {
    const Locked lock;
    if (!is_broken_) {
      bool has_batch = false;
      const int thrown = errno_from(message_, [&] { has_batch = take_next(out); });
      if (has_batch) return 0;
      if (thrown != 0) error_ = thrown;
      is_broken_ = error_ != 0;
      if (is_broken_) sources_.reset();
      if (error_ == EINTR) PyErr_SetInterruptEx(SIGINT);
    }
    return error_;
  }

 private:
  /// Text that is worth a thread's turn.
  static constexpr std::size_t chunk_size = std::size_t{512} << 10;

  /// Whether there was another batch: an error of the sources comes after the rows that precede it.
  bool take_next(ArrowArray& out) {
    for (;;) {
      while (sources_ && chunks_.size() < window_) read_chunk();
      if (error_ == EINTR || error_ == ENOMEM) return false;
      if (chunks_.empty()) {
        const bool has_rows = !writers_.front().is_empty();  // of one that is alone
        if (has_rows) writers_.front().hand_over(out);
        return has_rows;
      }
      wait_for_first();
      if (!chunks_.front()->has_memory) throw std::bad_alloc();
      if (take_batch(out)) return true;
    }
  }

  /// Gives the next chunk to the threads; no sources are left at the end.
  void read_chunk() {
    auto chunk = std::make_unique<TableChunk>();
    for (std::size_t size = 0; size < chunk_size && (!is_alone_ || chunk->parts.empty());) {
      TablePart part;
      if (!read_part(part)) break;
      size += part.part.text.size();
      const bool is_last = part.is_last;
      chunk->parts.push_back(std::move(part));
      if (is_last) break;
    }
    if (!chunk->parts.empty()) give(std::move(chunk));
  }
  /// False at the end, or if the sources raise.
  bool read_part(TablePart& part) {
    bool is_read = false;
    error_ = errno_from(message_, [&] { is_read = sources_->next(part); });
    if (!is_read) sources_.reset();
    return is_read;
  }
  void give(std::unique_ptr<TableChunk> chunk) {
    {
      const std::lock_guard guard(mutex_);
      waiting_.push_back(chunk.get());
      chunks_.push_back(std::move(chunk));
    }
    given_.notify_one();
  }

  void wait_for_first() {
    {
      const Unlocked without_lock;
      std::unique_lock guard(mutex_);
      const TableChunk& first = *chunks_.front();
      while (!first.is_done && !waiting_.empty()) decode_next(guard, writers_.front(), arena_);
      done_.wait(guard, [&] { return first.is_done; });
    }
    if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
  }

  /// Takes the next batch of the first chunk, if it has one; the chunk goes with its last.
  bool take_batch(ArrowArray& out) {
    TableChunk& chunk = *chunks_.front();
    if (!chunk.parts.empty()) {
      const bool is_first = chunk.parts.front().is_first;
      events_before_ = is_first ? 0 : events_before_ + events_of_last_;
      lines_before_ = is_first ? 0 : lines_before_ + lines_of_last_;
      events_of_last_ = chunk.events;
      lines_of_last_ = chunk.lines;
      chunk.parts.clear();
    }
    if (chunk.next < chunk.batches.children.size()) {
      out = std::exchange(chunk.batches.children[chunk.next++], ArrowArray{});
      add(out, event_column_, events_before_);
      add(out, line_column_, lines_before_);
      return true;
    }
    const std::lock_guard guard(mutex_);
    chunks_.pop_front();
    return false;
  }

  static void add(ArrowArray& batch, std::int64_t index, std::int64_t before) {
    if (index < 0 || before == 0) return;
    const ArrowArray& column = *batch.children[index];
    auto* const numbers = static_cast<std::int64_t*>(const_cast<void*>(column.buffers[1]));
    for (std::int64_t i = 0; i < column.length; ++i) numbers[i] += before;
  }
  /// Of a column among those that are wanted; -1 if it is not.
  static std::int64_t index_of(std::string_view name, const ColumnOptions& options) {
    std::int64_t index = 0;
    const columns::Column table = *columns::table_of<T>(options);
    for (const columns::Column& column : table.children) {
      if (column.is_wanted && column.name == name) return index;
      index += column.is_wanted;
    }
    return -1;
  }

  void work(columns::TableWriter<T>& writer) {
    Arena arena;
    std::unique_lock guard(mutex_);
    for (;;) {
      given_.wait(guard, [&] { return is_over_ || !waiting_.empty(); });
      if (is_over_) return;
      decode_next(guard, writer, arena);
      done_.notify_one();
    }
  }
  /// Decodes the first chunk that waits; without the mutex meanwhile.
  void decode_next(std::unique_lock<std::mutex>& guard, columns::TableWriter<T>& writer, Arena& arena) {
    TableChunk& chunk = *waiting_.front();
    waiting_.pop_front();
    guard.unlock();
    chunk.has_memory = base::has_memory_for([&] { decode(chunk, writer, arena); });
    guard.lock();
    chunk.is_done = true;
  }
  void decode(TableChunk& chunk, columns::TableWriter<T>& writer, Arena& arena) const {
    const TablePart& first = chunk.parts.front();
    if (!is_alone_ || first.is_first) writer.set_source(first.source);
    else chunk.lines = lines_of_last_;
    for (const TablePart& part : chunk.parts) {
      const auto fill_from = [&](auto reader) {
        while (writer.fill(reader, arena)) writer.hand_over(chunk.batches.children.emplace_back());
        return static_cast<std::int64_t>(reader.number());
      };
      if (part.part.is_lines) {
        const auto before = static_cast<std::size_t>(chunk.lines);
        chunk.lines = fill_from(detail::LineReader(part.part.text, arena, before));
      } else {
        fill_from(ElementReader(part.part.text, part.part.elements, arena));
      }
      if (part.failure) writer.reject(chunk.lines + part.failure->line, part.failure->rejection, part.failure->unread);
    }
    if (!is_alone_ && !writer.is_empty()) writer.hand_over(chunk.batches.children.emplace_back());
    chunk.events = writer.events();
  }

  std::unique_ptr<TableSources> sources_;          ///< null at the end
  bool is_alone_;                                  ///< no thread but the consumer's
  std::size_t window_;                             ///< chunks that are read ahead
  std::deque<columns::TableWriter<T>> writers_{};  ///< one for each thread; the first is the consumer's
  Arena arena_{};                                  ///< the consumer's
  std::int64_t event_column_ = -1, line_column_ = -1;
  std::int64_t events_before_ = 0, events_of_last_ = 0;
  std::int64_t lines_before_ = 0, lines_of_last_ = 0;
  int error_ = 0;  ///< of the sources, or what ended the stream
  bool is_broken_ = false;
  std::string message_{};

  std::mutex mutex_;
  std::condition_variable given_, done_;
  bool is_over_ = false;
  std::deque<TableChunk*> waiting_{};
  std::deque<std::unique_ptr<TableChunk>> chunks_{};  ///< in their order; the first ones may be done
  std::vector<std::thread> threads_{};                ///< the last one: they use all others
};

}  // namespace bankhook::python
