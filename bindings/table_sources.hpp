// SPDX-License-Identifier: MIT
// The archives of a table, one after the other, in parts that are decoded apart; one that fails ends with a rejected line.
#pragma once

#include "archive_parts.hpp"
#include "bind.hpp"
#include "library.hpp"
#include "records.hpp"
#include "unlocked.hpp"

#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::python {

/// `str(object)`, with what UTF-8 cannot hold escaped; empty if that fails.
inline std::string lossy_text_of(pybind11::handle object) {
  const auto text = steal(calling_python([&] { return PyObject_Str(object.ptr()); }));
  const auto bytes = text ? steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "backslashreplace")) : pybind11::object();
  if (bytes) return std::string(text_of(bytes));
  PyErr_Clear();
  return {};
}

/// Why a source could not be read to its end.
struct SourceFailure {
  detail::columns::LineRejection rejection{};
  std::size_t line = 0;       ///< that could not be read; in an archive of lines, counted from the end of the part
  std::string_view unread{};  ///< what was read of it, in the part
};

/// What is decoded at once.
struct TablePart {
  ArchivePart part{};
  std::int64_t source = 0;                 ///< its index
  bool is_last = false;                    ///< of its source; perhaps of no lines
  std::optional<SourceFailure> failure{};  ///< which follows the part
};

/// All that it does needs the interpreter's lock. It does not count lines: who reads them does.
class TableSources {
 public:
  /// @param sources an iterator of what archives are read from: bytes, an object with `readinto(buffer)`, or one with
  /// `payloads(*keep)`, which returns a list of line numbers, payloads and kept texts, empty at the end
  /// @param keep fields that are kept of envelopes
  TableSources(pybind11::object sources, std::span<const KeptField> keep) : sources_(std::move(sources)) {
    for (const KeptField& field : keep) keep_.emplace_back(field.name);
  }

  /// The next part, perhaps of no lines; false at the end of the last source. A source that raises OSError ends there.
  /// Throws what else Python raises.
  bool next(TablePart& part) {
    if (!source_ && !open_next()) return false;
    part = {.source = index_};
    if (!read(part)) source_ = {};
    part.is_last = !source_;
    return true;
  }

 private:
  bool open_next() {
    source_ = steal(calling_python([&] { return PyIter_Next(sources_.ptr()); }));
    if (!source_ && PyErr_Occurred() != nullptr) throw pybind11::error_already_set();
    if (!source_) return false;
    ++index_;
    lines_ = 0;
    parts_.reset();
    if (!pybind11::hasattr(source_, "payloads")) parts_.emplace().keep = keep_;
    return true;
  }

  /// False at the end of the source, or if it failed. A line without its end is the last one, or the source fails within
  /// it: then no row is made of half a line.
  bool read(TablePart& part) {
    ArchivePart& read = part.part;
    bool is_read = false;
    try {
      is_read = parts_ ? parts_->next(source_.ptr(), read) : read_payloads(read);
      ArchivePart none;
      if (is_read && read.is_open) parts_->next(source_.ptr(), none);
    } catch (pybind11::error_already_set& raised) {
      if (!raised.matches(PyExc_OSError)) throw;
      // The system's own words without the name of the file, which may be personal.
      const pybind11::object reason = pybind11::getattr(raised.value(), "strerror", pybind11::none());
      part.failure = {.rejection = {.rule = "source_is_readable",
                                    .expected = "a source that can be read to its end",
                                    .found = lossy_text_of(reason.ptr() == Py_None ? raised.value() : reason)},
                      .line = lines_ + 1};
      if (is_read && read.is_lines) {
        part.failure->unread = std::exchange(read.text, {});
      } else if (is_read) {
        part.failure->unread = read.text.substr(read.elements.back().offset, read.elements.back().size);
        read.elements.pop_back();
      }
      return false;
    }
    if (is_read && !read.is_lines) lines_ = parts_ ? parts_->lines : read.elements.back().number;
    return is_read;
  }

  /// Payloads that follow each other: each is an element, because it may have lines.
  bool read_payloads(ArchivePart& part) {
    const pybind11::object method = pybind11::getattr(source_, "payloads");
    const pybind11::tuple keep = tuple_of(keep_);
    PyObject* const found = calling_python([&] { return PyObject_CallObject(method.ptr(), keep.ptr()); });
    const pybind11::list payloads(checked(steal(found)));
    std::string text;
    part.is_lines = false;
    for (const pybind11::handle item : payloads) {
      Py_ssize_t number = 0;
      PyObject *payload = nullptr, *kept = nullptr;
      if (PyTuple_Check(item.ptr()) == 0) fail(PyExc_TypeError, "payloads(): expected tuples");
      take(item, "nSO!;payloads(): expected numbers, bytes and kept texts", &number, &payload, &PyTuple_Type, &kept);
      const std::string_view bytes = detail::json::without_mark(text_of(borrow(payload)));
      part.elements.push_back({.number = static_cast<std::size_t>(number), .offset = text.size(), .size = bytes.size()});
      text.append(bytes).push_back('\n');
      for (const pybind11::handle one : pybind11::tuple(borrow(kept)))
        part.elements.back().kept.push_back(one.ptr() == Py_None ? nullptr
                                                                 : std::make_shared<const std::string>(lossy_text_of(one)));
    }
    part.take(ArchivePiece(bytes_of(text)));
    return !part.elements.empty();
  }

  pybind11::object sources_;
  pybind11::object source_;  ///< none between two of them
  std::vector<std::string> keep_;
  std::int64_t index_ = -1;
  std::optional<ArchiveParts> parts_{};  ///< of the source, unless it gives payloads
  std::size_t lines_ = 0;                ///< before the next part, unless it has lines
};

}  // namespace bankhook::python
