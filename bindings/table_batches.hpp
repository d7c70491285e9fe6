// SPDX-License-Identifier: MIT
// The batches of one table of many archives: read with the interpreter's lock, decoded without it.
#pragma once

#include "library.hpp"
#include "table_sources.hpp"
#include "unlocked.hpp"

#include <pybind11/pybind11.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace bankhook::python {

/// What a stream says of an exception, none of which can pass the consumer: an errno, with the message in `message`.
/// EINTR is an interruption: it is to be raised again once Python has the control back, and not before objects are dropped
/// whose finalizers would swallow it.
int errno_of(pybind11::error_already_set& raised, std::string& message);

/// What `call()` returns, or the errno of what it throws.
template <class Call>
int errno_from(std::string& message, Call call) {
  try {
    return call();
  } catch (pybind11::error_already_set& raised) {
    return errno_of(raised, message);
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  } catch (const std::exception& thrown) {
    message = thrown.what();
    return EIO;
  }
}

/// A stream's batches, each made when it is asked for, by whichever thread asks.
template <columns::Tabular T>
class TableBatches final : public columns::Batches {
 public:
  TableBatches(pybind11::object sources, const ColumnOptions& options)
      : sources_(std::make_unique<TableSources>(std::move(sources))), writer_(options) {}
  /// The consumer may drop the stream wherever it likes, even after the interpreter, which took its objects with it.
  ~TableBatches() override {
    if (Py_IsInitialized() == 0) {
      static_cast<void>(sources_.release());
      static_cast<void>(part_.part.bytes.release());
      return;
    }
    const Locked lock;
    drop_sources();
  }

  void schema(ArrowSchema& out) override { writer_.schema(out); }
  [[nodiscard]] const char* last_error() const override { return message_.empty() ? nullptr : message_.c_str(); }

  int next(ArrowArray& out) override {
    const Locked lock;
    if (error_ != 0) return error_;
    error_ = errno_from(message_, [&] {
      while (!fill() && read()) {
      }
      return 0;
    });
    if (error_ != 0) drop_sources();
    if (error_ == EINTR) PyErr_SetInterruptEx(SIGINT);
    if (error_ == EINTR || error_ == ENOMEM || writer_.is_empty()) return error_;
    writer_.hand_over(out);  // an error comes after the rows that precede it
    return 0;
  }

 private:
  void drop_sources() {
    reader_ = std::monostate();
    part_ = {};
    sources_.reset();
  }

  /// Decodes what is left of the part; whether a batch is full.
  bool fill() {
    bool is_full = false;
    {
      const Unlocked without_lock;
      is_full = std::visit([&](auto& reader) { return fill_from(reader); }, reader_);
    }
    if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
    return is_full;
  }
  template <class Reader>
  bool fill_from(Reader& reader) {
    if constexpr (std::is_same_v<Reader, std::monostate>) return false;
    else {
      const bool is_full = writer_.fill(reader, arena_);
      if constexpr (std::is_same_v<Reader, detail::LineReader>) lines_ = reader.number();
      return is_full;
    }
  }

  [[nodiscard]] std::int64_t lines() const { return static_cast<std::int64_t>(lines_); }
  /// The next part, after the failure that ended the last one; false at the end.
  bool read() {
    if (part_.failure) writer_.reject(lines() + part_.failure->line, part_.failure->rejection, part_.failure->unread);
    reader_ = std::monostate();
    if (!sources_ || !sources_->next(part_)) {
      drop_sources();
      return false;
    }
    if (part_.is_first) {
      writer_.set_source(part_.source);
      lines_ = 0;
    }
    const ArchivePart& part = part_.part;
    if (part.is_lines) reader_.template emplace<detail::LineReader>(part.text, arena_, lines_);
    else reader_.template emplace<detail::ElementReader>(part.text, part.elements, arena_);
    return true;
  }

  std::unique_ptr<TableSources> sources_;  ///< null at the end
  columns::TableWriter<T> writer_;
  Arena arena_{};
  TablePart part_{};
  std::variant<std::monostate, detail::LineReader, detail::ElementReader> reader_{};
  std::size_t lines_ = 0;  ///< of an archive of lines that were read
  int error_ = 0;
  std::string message_{};
};

}  // namespace bankhook::python
