// SPDX-License-Identifier: MIT
// The batches of one table of many archives: read with the interpreter's lock, decoded without it.
#pragma once

#include "library.hpp"
#include "table_sources.hpp"
#include "unlocked.hpp"

#include <pybind11/pybind11.h>

#include <cerrno>
#include <csignal>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace bankhook::python {

/// What a stream says of an exception of Python, which cannot pass the consumer: an errno, with the message in `message`.
/// EINTR is an interruption: it is to be raised again once Python has the control back, and not before objects are dropped
/// whose finalizers would swallow it.
int errno_of(pybind11::error_already_set& raised, std::string& message);

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
    int error = 0;
    try {
      while (!fill() && read()) {
      }
    } catch (pybind11::error_already_set& raised) {
      error = errno_of(raised, message_);
    }
    if (error != 0) {
      drop_sources();
      if (error == EINTR) PyErr_SetInterruptEx(SIGINT);
    } else if (!writer_.is_empty()) {
      writer_.hand_over(out);
    }
    return error;
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
    else return writer_.fill(reader, arena_);
  }

  /// The next part, after the failure that ended the last one; false at the end.
  bool read() {
    if (part_.failure) writer_.reject(part_.failure->line, part_.failure->rejection, part_.failure->unread);
    reader_ = std::monostate();
    if (!sources_ || !sources_->next(part_)) {
      drop_sources();
      return false;
    }
    if (part_.is_first) writer_.set_source(part_.source);
    const ArchivePart& part = part_.part;
    if (part.is_lines) reader_.template emplace<detail::LineReader>(part.text, arena_, part_.lines_before);
    else reader_.template emplace<detail::ElementReader>(part.text, part.elements, arena_);
    return true;
  }

  std::unique_ptr<TableSources> sources_;  ///< null at the end
  columns::TableWriter<T> writer_;
  Arena arena_{};
  TablePart part_{};
  std::variant<std::monostate, detail::LineReader, detail::ElementReader> reader_{};
  std::string message_{};
};

}  // namespace bankhook::python
