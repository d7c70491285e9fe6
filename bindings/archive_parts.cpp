// SPDX-License-Identifier: MIT
// An archive in parts: finds out how it is laid out, and where its lines or elements end.
#include "archive_parts.hpp"

#include "records.hpp"
#include "unlocked.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::python {
namespace {

/// Bytes in memory that are a part: larger ones leave the processor's cache.
constexpr std::size_t part_size = std::size_t{256} << 10;
/// Bytes that are read at once. From 128 KiB on, malloc takes memory from the system and gives it back, so that every page
/// of every piece is a new one.
constexpr std::size_t read_size = std::size_t{96} << 10;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

/// Calls `read`; false if that failed and `has_rest`, so that what was read before can be given first.
template <class Read>
bool succeeds(bool has_rest, Read read) {
  try {
    read();
    return true;
  } catch (pybind11::error_already_set& raised) {
    if (!has_rest || !raised.matches(PyExc_OSError)) throw;
    return false;
  }
}

}  // namespace

bool ArchiveParts::next(PyObject* source, ArchivePart& part) {
  if (!layout_) start(source);
  part.is_lines = *layout_ == detail::Layout::lines;
  if (!part.is_lines) return next_elements(source, part);
  return PyBytes_CheckExact(source) ? next_window(source, part) : next_lines(source, part);
}

/// Looks at the start of the source: a byte order mark is skipped (RFC 8259, 8.1), and the first event tells the layout.
void ArchiveParts::start(PyObject* source) {
  detail::LayoutFinder finder;
  if (PyBytes_CheckExact(source)) {
    const std::string_view text = text_of(pybind11::reinterpret_borrow<pybind11::object>(source));
    at_ = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
    finder.add(text.substr(at_, part_size));
  } else {
    Piece piece = first_piece(source, finder);
    at_ = piece.text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
    piece.text.remove_prefix(at_);
    first_ = std::move(piece);
  }
  layout_ = finder.found().value_or(detail::Layout::lines);
  offset_ = at_;
}

/// As much of the source as has to be seen, or more; less only if the source fails or ends. What follows a byte order mark
/// goes to `finder`, each byte once: there may be as many pieces as bytes.
ArchiveParts::Piece ArchiveParts::first_piece(PyObject* source, detail::LayoutFinder& finder) {
  std::string head;
  std::size_t pieces = 0, seen = 0;
  Piece piece;
  while (head.size() < part_size && !finder.found()) {
    if (!succeeds(pieces > 0, [&] { piece = read(source); }) || piece.text.empty()) break;
    ++pieces;
    head += piece.text;
    if (byte_order_mark.starts_with(head)) continue;
    if (seen == 0 && head.starts_with(byte_order_mark)) seen = byte_order_mark.size();
    finder.add(std::string_view(head).substr(std::exchange(seen, head.size())));
  }
  if (pieces == 1 && !piece.text.empty()) return piece;
  pybind11::object bytes = bytes_of(head);
  const std::string_view text = text_of(bytes);
  return {std::move(bytes), text};
}

ArchiveParts::Piece ArchiveParts::read(PyObject* source) {
  const pybind11::object size = number(read_size);
  const pybind11::object name = checked(steal(PyUnicode_InternFromString("read")));
  PyObject* const found = calling_python([&] { return PyObject_CallMethodOneArg(source, name.ptr(), size.ptr()); });
  pybind11::object bytes = checked(steal(found));
  if (!PyBytes_CheckExact(bytes.ptr())) {
    PyErr_Format(PyExc_TypeError, "read(): expected bytes, found %s", Py_TYPE(bytes.ptr())->tp_name);
    throw pybind11::error_already_set();
  }
  const std::string_view text = text_of(bytes);
  return {std::move(bytes), text};
}

/// The next bytes of the archive, none at its end.
ArchiveParts::Piece ArchiveParts::next_piece(PyObject* source) {
  if (first_) return *std::exchange(first_, std::nullopt);
  if (!PyBytes_CheckExact(source)) return read(source);
  pybind11::object bytes = pybind11::reinterpret_borrow<pybind11::object>(source);
  const std::string_view text = text_of(bytes).substr(at_, part_size);
  at_ += text.size();
  return {std::move(bytes), text};
}

/// Lines of bytes: nothing is copied.
bool ArchiveParts::next_window(PyObject* source, ArchivePart& part) {
  pybind11::object bytes = pybind11::reinterpret_borrow<pybind11::object>(source);
  const std::string_view text = text_of(bytes);
  const std::size_t end = text.find('\n', at_ + part_size);
  const std::string_view window = text.substr(at_, end == text.npos ? end : end + 1 - at_);
  at_ += window.size();
  if (window.empty()) return false;
  give({std::move(bytes), window}, part);
  return true;
}

bool ArchiveParts::next_lines(PyObject* source, ArchivePart& part) {
  if (waiting_) {
    give(*std::exchange(waiting_, std::nullopt), part);
    return true;
  }
  for (;;) {
    Piece piece;
    const bool is_fine = succeeds(has_rest(), [&] { piece = next_piece(source); });
    if (!is_fine || piece.text.empty()) {
      if (!has_rest()) return false;
      give_rest(part);
      return true;
    }
    const std::size_t end = piece.text.rfind('\n') + 1;
    const std::string_view lines = piece.text.substr(0, end), after = piece.text.substr(end);
    if (end == 0) {
      keep(std::move(piece));
    } else if (!has_rest()) {
      give({std::move(piece.bytes), lines}, part);
      keep(after);
      return true;
    } else {  // only the line that began in another piece is copied
      const std::size_t first = lines.find('\n') + 1;
      keep(lines.substr(0, first));
      give_rest(part);
      keep(after);
      if (first < end) waiting_ = {std::move(piece.bytes), lines.substr(first)};
      return true;
    }
  }
}

bool ArchiveParts::next_elements(PyObject* source, ArchivePart& part) {
  while (!cutter_.has_elements()) {
    Piece piece;
    const bool is_fine = succeeds(cutter_.is_within(), [&] { piece = next_piece(source); });
    if (!piece.text.empty()) {
      const Unlocked without_lock;
      cutter_.add(piece.text);
      continue;
    }
    is_fine ? cutter_.finish() : cutter_.break_off();
    if (!cutter_.has_elements()) return false;
  }
  detail::ElementCutter::Cut cut = cutter_.take();
  part.bytes = bytes_of(cut.text);
  part.text = text_of(part.bytes);
  part.elements = std::move(cut.elements);
  part.offset = offset_ + cut.offset;
  return true;
}

void ArchiveParts::give(Piece piece, ArchivePart& part) {
  part.bytes = std::move(piece.bytes);
  part.text = piece.text;
  part.offset = std::exchange(offset_, offset_ + piece.text.size());
}

/// Keeps text of a line as a copy, so that its piece goes, and the next one gets the piece's memory, which is in the cache.
void ArchiveParts::keep(std::string_view text) { tail_ += text; }

/// Keeps a piece of a line. A small one is copied: there may be as many as bytes.
void ArchiveParts::keep(Piece piece) {
  if (piece.text.size() < read_size / 2) return keep(piece.text);
  if (!tail_.empty()) rest_.push_back(bytes_of(std::exchange(tail_, {})));
  const bool is_whole = piece.text.size() == text_of(piece.bytes).size();
  rest_.push_back(is_whole ? std::move(piece.bytes) : bytes_of(piece.text));
}

/// A line whose pieces were kept one after the other.
void ArchiveParts::give_rest(ArchivePart& part) {
  std::size_t size = tail_.size();
  for (const pybind11::object& piece : rest_) size += text_of(piece).size();
  pybind11::object bytes = checked(steal(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size))));
  char* to = PyBytes_AS_STRING(bytes.ptr());
  for (const pybind11::object& piece : rest_) to = std::ranges::copy(text_of(piece), to).out;
  std::ranges::copy(tail_, to);
  rest_.clear();
  tail_.clear();
  const std::string_view text = text_of(bytes);
  give({std::move(bytes), text}, part);
}

}  // namespace bankhook::python
