// SPDX-License-Identifier: MIT
// An archive in parts: finds out how it is laid out, and where its lines or elements end.
#include "archive_parts.hpp"

#include "bind.hpp"
#include "envelopes.hpp"
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

/// Calls `read`; false if that failed and `has_rest`, so that what was read before can be given first.
bool succeeds(bool has_rest, auto read) {
  try {
    read();
    return true;
  } catch (pybind11::error_already_set& raised) {
    if (!has_rest || !raised.matches(PyExc_OSError)) throw;
    return false;
  }
}

/// The lines that are not blank, without their ends; `number` is that of the line before.
std::vector<Element> lines_of(std::string_view text, std::size_t& number) {
  std::vector<Element> lines;
  for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    std::string_view line = json::without_mark(text.substr(at, end - at));
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++number;
    const auto offset = static_cast<std::size_t>(line.data() - text.data());
    if (!json::is_blank(line)) lines.push_back({.number = number, .offset = offset, .size = line.size()});
  }
  return lines;
}

/// Leaves out the start of an element.
void move_on(Element& element, std::string_view start) {
  element.offset += start.size();
  if (const std::size_t line = start.rfind('\n') + 1; line > 0) {
    element.number += static_cast<std::size_t>(std::ranges::count(start, '\n'));
    element.column = element.before = 0;
    start.remove_prefix(line);
  }
  element.column += text::count_characters(start);
  element.before += start.size();
}

}  // namespace

bool ArchiveParts::next(PyObject* source, ArchivePart& part) {
  if (!layout_) start(source);
  part.is_lines = *layout_ == Layout::lines;
  if (!(part.is_lines ? next_lines(source, part) : next_elements(source, part))) return false;
  if (path_) unwrap(part);
  return true;
}

/// Looks at the start of the source: the first event tells the layout.
void ArchiveParts::start(PyObject* source) {
  if (const auto at = pybind11::getattr(source, "at", none()); at.ptr() != Py_None) path_ = text_argument("at", at.ptr());
  ahead_ = PyBytes_CheckExact(source) ? ArchivePiece(borrow(source)) : first_piece(source);
  LayoutFinder finder;
  finder.add(json::without_mark(ahead_.text).substr(0, 2 * part_size));
  layout_ = finder.found().value_or(Layout::lines);
}

/// As much of the source as has to be seen, or more; less only if the source fails or ends. What follows a byte order mark
/// is looked at once: there may be as many pieces as bytes.
ArchivePiece ArchiveParts::first_piece(PyObject* source) {
  LayoutFinder finder;
  std::string head;
  std::size_t seen = 0;
  ArchivePiece piece;
  while (head.size() < part_size && !finder.found()) {
    if (!succeeds(!head.empty(), [&] { piece = read(source); }) || piece.text.empty()) break;
    head += piece.text;
    if (json::byte_order_mark.starts_with(head)) continue;
    if (seen == 0) seen = head.size() - json::without_mark(head).size();
    finder.add(std::string_view(head).substr(std::exchange(seen, head.size())));
  }
  return piece.text.size() == head.size() ? piece : ArchivePiece(bytes_of(head));
}

ArchivePiece ArchiveParts::read(PyObject* source) {
  const pybind11::object size = number(read_size);
  const pybind11::object name = checked(steal(PyUnicode_InternFromString("read")));
  PyObject* const found = calling_python([&] { return PyObject_CallMethodOneArg(source, name.ptr(), size.ptr()); });
  pybind11::object bytes = checked(steal(found));
  if (!PyBytes_CheckExact(bytes.ptr())) refuse_argument("read()", "bytes", bytes.ptr());
  return ArchivePiece(std::move(bytes));
}

/// The next bytes of the archive, none at its end; of what was read ahead a part, whose lines are whole.
ArchivePiece ArchiveParts::next_piece(PyObject* source) {
  if (ahead_.text.empty()) return PyBytes_CheckExact(source) ? ArchivePiece() : read(source);
  ArchivePiece piece = ahead_;
  const std::size_t end = *layout_ == Layout::lines ? piece.text.find('\n', part_size) : part_size;
  if (end < piece.text.size()) piece.text = piece.text.substr(0, end + 1);
  ahead_.text.remove_prefix(piece.text.size());
  if (ahead_.text.empty()) ahead_ = {};
  return piece;
}

bool ArchiveParts::next_lines(PyObject* source, ArchivePart& part) {
  const auto give_tail = [&] { return !tail_.empty() && give(ArchivePiece(bytes_of(std::exchange(tail_, {}))), part); };
  for (;;) {
    ArchivePiece piece;
    const bool is_fine = succeeds(!tail_.empty(), [&] { piece = next_piece(source); });
    part.is_cut = !is_fine;
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
    ArchivePiece piece;
    const bool is_fine = succeeds(cutter_.is_within(), [&] { piece = next_piece(source); });
    if (!piece.text.empty()) {
      const Unlocked without_lock;
      cutter_.add(piece.text);
      continue;
    }
    part.is_cut = !is_fine;
    is_fine ? cutter_.finish() : cutter_.break_off();
    if (cutter_.has_elements()) continue;
    if (cutter_.lines() == lines) return false;
    break;  // the lines at the end that have no elements
  }
  lines = cutter_.lines();
  ElementCutter::Cut cut = cutter_.take();
  part.take(ArchivePiece(bytes_of(cut.text)));
  part.elements = std::move(cut.elements);
  part.offset = offset_ + cut.offset;
  return true;
}

/// Makes elements of what is in the envelopes; one that has no value at the path stays. A text is decoded in its place: it
/// is no longer then.
void ArchiveParts::unwrap(ArchivePart& part) {
  std::string decoded;  // the text of the part, if an event is a text
  {
    const Unlocked without_lock;
    if (std::exchange(part.is_lines, false)) part.elements = lines_of(part.text, lines);
    Arena arena;
    for (Element& element : part.elements) {
      arena.reset();
      std::string_view envelope = part.text.substr(element.offset, element.size);
      if (!keep.empty() && envelope.size() > columns::max_line_size) envelope = {};  // rejected: what is kept might not fit
      for (const std::string& path : keep) element.kept.push_back(kept_text(envelope, path, arena));
      const std::string_view value = value_at(envelope, *path_, arena);
      const std::string_view content = json::without_mark(content_of(value, arena));
      if (content.empty()) continue;
      const bool is_text = value.starts_with('"');
      const auto start = static_cast<std::size_t>(value.data() - envelope.data()) + (is_text ? 1 : 0);
      move_on(element, envelope.substr(0, start));
      element.size = content.size();
      if (!is_text) continue;
      if (decoded.empty()) decoded = part.text;
      std::ranges::replace_copy_if(
          content, decoded.begin() + static_cast<std::ptrdiff_t>(element.offset),
          [](char c) { return c == '\n' || c == '\r'; }, ' ');
    }
  }
  if (!decoded.empty()) part.take(ArchivePiece(bytes_of(decoded)));
}

bool ArchiveParts::give(ArchivePiece piece, ArchivePart& part) {
  part.offset = std::exchange(offset_, offset_ + piece.text.size());
  part.take(std::move(piece));
  return true;
}

}  // namespace bankhook::python
