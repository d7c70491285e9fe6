// SPDX-License-Identifier: MIT
// An archive in parts: finds out how it is laid out, and where its lines or elements end.
#include "archive_parts.hpp"

#include "records.hpp"
#include "unlocked.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

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
  part.is_lines = *layout_ == Layout::lines;
  return part.is_lines ? next_lines(source, part) : next_elements(source, part);
}

/// Looks at the start of the source: a byte order mark is skipped (RFC 8259, 8.1), and the first event tells the layout.
void ArchiveParts::start(PyObject* source) {
  ahead_ = PyBytes_CheckExact(source) ? Piece(borrow(source)) : first_piece(source);
  if (ahead_.text.starts_with(byte_order_mark)) offset_ = byte_order_mark.size();
  ahead_.text.remove_prefix(offset_);
  LayoutFinder finder;
  finder.add(ahead_.text.substr(0, 2 * part_size));
  layout_ = finder.found().value_or(Layout::lines);
}

/// As much of the source as has to be seen, or more; less only if the source fails or ends. What follows a byte order mark
/// is looked at once: there may be as many pieces as bytes.
ArchiveParts::Piece ArchiveParts::first_piece(PyObject* source) {
  LayoutFinder finder;
  std::string head;
  std::size_t seen = 0;
  Piece piece;
  while (head.size() < part_size && !finder.found()) {
    if (!succeeds(!head.empty(), [&] { piece = read(source); }) || piece.text.empty()) break;
    head += piece.text;
    if (byte_order_mark.starts_with(head)) continue;
    if (seen == 0 && head.starts_with(byte_order_mark)) seen = byte_order_mark.size();
    finder.add(std::string_view(head).substr(std::exchange(seen, head.size())));
  }
  return piece.text.size() == head.size() ? piece : Piece(bytes_of(head));
}

ArchiveParts::Piece ArchiveParts::read(PyObject* source) {
  const pybind11::object size = number(read_size);
  const pybind11::object name = checked(steal(PyUnicode_InternFromString("read")));
  PyObject* const found = calling_python([&] { return PyObject_CallMethodOneArg(source, name.ptr(), size.ptr()); });
  pybind11::object bytes = checked(steal(found));
  if (!PyBytes_CheckExact(bytes.ptr())) refuse_argument("read()", "bytes", bytes.ptr());
  return Piece(std::move(bytes));
}

/// The next bytes of the archive, none at its end; of what was read ahead a part, whose lines are whole.
ArchiveParts::Piece ArchiveParts::next_piece(PyObject* source) {
  if (ahead_.text.empty()) return PyBytes_CheckExact(source) ? Piece() : read(source);
  Piece piece = ahead_;
  const std::size_t end = *layout_ == Layout::lines ? piece.text.find('\n', part_size) : part_size;
  if (end < piece.text.size()) piece.text = piece.text.substr(0, end + 1);
  ahead_.text.remove_prefix(piece.text.size());
  if (ahead_.text.empty()) ahead_ = {};
  return piece;
}

bool ArchiveParts::next_lines(PyObject* source, ArchivePart& part) {
  const auto give_tail = [&] { return !tail_.empty() && give(Piece(bytes_of(std::exchange(tail_, {}))), part); };
  for (;;) {
    Piece piece;
    const bool is_fine = succeeds(!tail_.empty(), [&] { piece = next_piece(source); });
    if (!is_fine || piece.text.empty()) return give_tail();
    const std::size_t end = piece.text.rfind('\n') + 1;
    if (end == 0) {
      tail_ += piece.text;
    } else if (tail_.empty()) {
      // What follows is copied, so that its piece goes, and the next one gets the piece's memory, which is in the cache.
      tail_ = piece.text.substr(end);
      piece.text = piece.text.substr(0, end);
      return give(std::move(piece), part);
    } else {  // only the line that began in another piece is copied
      const std::size_t first = piece.text.find('\n') + 1;
      tail_ += piece.text.substr(0, first);
      piece.text.remove_prefix(first);
      if (!piece.text.empty()) ahead_ = std::move(piece);
      return give_tail();
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
  ElementCutter::Cut cut = cutter_.take();
  part.bytes = bytes_of(cut.text);
  part.text = text_of(part.bytes);
  part.elements = std::move(cut.elements);
  part.offset = offset_ + cut.offset;
  return true;
}

bool ArchiveParts::give(Piece piece, ArchivePart& part) {
  part.bytes = std::move(piece.bytes);
  part.text = piece.text;
  part.offset = std::exchange(offset_, offset_ + piece.text.size());
  return true;
}

}  // namespace bankhook::python
