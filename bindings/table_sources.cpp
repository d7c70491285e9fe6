// SPDX-License-Identifier: MIT
// The archives of a table in parts: opens one after the other, and notes which one fails where.
#include "table_sources.hpp"

#include "bind.hpp"
#include "records.hpp"
#include "unlocked.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace bankhook::python {
namespace {

/// What Python says about a failed source: the system's own words without the name of the file, which may be personal.
std::string reason_of(const pybind11::error_already_set& raised) {
  const pybind11::object reason = pybind11::getattr(raised.value(), "strerror", pybind11::none());
  return lossy_text_of(reason.ptr() == Py_None ? raised.value() : reason);
}

}  // namespace

std::string lossy_text_of(pybind11::handle object) {
  const auto text = steal(calling_python([&] { return PyObject_Str(object.ptr()); }));
  const auto bytes = text ? steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "backslashreplace")) : pybind11::object();
  if (bytes) return std::string(text_of(bytes));
  PyErr_Clear();
  return {};
}

bool TableSources::next(TablePart& part) {
  if (!source_ && !open_next()) return false;
  part = {.source = index_, .is_first = std::exchange(is_first_, false)};
  if (!read(part)) source_ = {};
  part.is_last = !source_;
  return true;
}

bool TableSources::open_next() {
  source_ = steal(calling_python([&] { return PyIter_Next(sources_.ptr()); }));
  if (!source_ && PyErr_Occurred() != nullptr) throw pybind11::error_already_set();
  if (!source_) return false;
  ++index_;
  lines_ = 0;
  is_first_ = true;
  parts_.reset();
  if (!pybind11::hasattr(source_, "payloads")) parts_.emplace();
  return true;
}

/// False at the end of the source, or if it failed. A line without its end is the last one, or the source fails within it:
/// then no row is made of half a line.
bool TableSources::read(TablePart& part) {
  ArchivePart& read = part.part;
  bool is_read = false;
  try {
    is_read = parts_ ? parts_->next(source_.ptr(), read) : read_payloads(read);
    ArchivePart none;
    if (is_read && parts_ && parts_->has_lines() && !read.text.ends_with('\n')) parts_->next(source_.ptr(), none);
  } catch (pybind11::error_already_set& raised) {
    end_with(part, raised);
    for (const Element& event : std::exchange(read.elements, {})) read.text = read.text.substr(event.offset, event.size);
    if (is_read) part.failure->unread = std::exchange(read.text, {});
    return false;
  }
  if (is_read && !read.is_lines) lines_ = parts_ ? parts_->lines() : read.elements.back().number;
  return is_read;
}

void TableSources::end_with(TablePart& part, pybind11::error_already_set& raised) {
  if (!raised.matches(PyExc_OSError)) throw;
  part.failure = {.rejection = {.rule = "source_is_readable",
                                .expected = "a source that can be read to its end",
                                .found = reason_of(raised)},
                  .line = static_cast<std::int64_t>(lines_) + 1};
}

/// Payloads that follow each other: each is an element, because it may have lines.
bool TableSources::read_payloads(ArchivePart& part) {
  const pybind11::object name = checked(steal(PyUnicode_InternFromString("payloads")));
  PyObject* const found = calling_python([&] { return PyObject_CallMethodNoArgs(source_.ptr(), name.ptr()); });
  const pybind11::list payloads(checked(steal(found)));
  std::string text;
  part.is_lines = false;
  for (const pybind11::handle item : payloads) {
    Py_ssize_t number = 0;
    PyObject* payload = nullptr;
    if (PyTuple_Check(item.ptr()) == 0) fail(PyExc_TypeError, "payloads(): expected tuples");
    Positional{item.ptr()}.take("nS;payloads(): expected numbers and bytes", &number, &payload);
    const std::string_view bytes = text_of(borrow(payload));
    part.elements.push_back({.number = static_cast<std::size_t>(number), .offset = text.size(), .size = bytes.size()});
    text.append(bytes).push_back('\n');
  }
  part.bytes = bytes_of(text);
  part.text = text_of(part.bytes);
  return !part.elements.empty();
}

}  // namespace bankhook::python
