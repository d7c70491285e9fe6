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

/// Bytes that are a part, and that are read at once: larger ones leave the processor's cache.
constexpr std::size_t part_size = std::size_t{256} << 10;
/// Bytes of a line that are copied to where its rest is read; with more of them, a line that comes byte by byte would be
/// copied for longer than it takes to read.
constexpr std::size_t most_copied = std::size_t{32} << 10;
/// Of how many parts the memory is used again: that of those before is still read, by threads or as the last event.
constexpr std::size_t most_rooms = 8;

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
    std::string_view line = detail::json::without_mark(text.substr(at, end - at));
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++number;
    const auto offset = static_cast<std::size_t>(line.data() - text.data());
    if (!detail::json::is_blank(line)) lines.push_back({.number = number, .offset = offset, .size = line.size()});
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
  element.column += detail::text::count_characters(start);
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
  finder.add(detail::json::without_mark(ahead_.text).substr(0, 2 * part_size));
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
    if (detail::json::byte_order_mark.starts_with(head)) continue;
    if (seen == 0) seen = head.size() - detail::json::without_mark(head).size();
    finder.add(std::string_view(head).substr(std::exchange(seen, head.size())));
  }
  return piece.text.size() == head.size() ? piece : ArchivePiece(bytes_of(head));
}

/// `start` and the next bytes of the source after it; nothing at its end.
ArchivePiece ArchiveParts::read(PyObject* source, std::string_view start) {
  ArchivePiece piece(room());
  char* const to = std::ranges::copy(start, PyBytes_AS_STRING(piece.bytes.ptr())).out;
  const pybind11::object view = checked(steal(PyMemoryView_FromMemory(to, part_size, PyBUF_WRITE)));
  const pybind11::object name = checked(steal(PyUnicode_InternFromString("readinto")));
  PyObject* const found = calling_python([&] { return PyObject_CallMethodOneArg(source, name.ptr(), view.ptr()); });
  const std::size_t size = PyLong_AsSize_t(checked(steal(found)).ptr());
  if (PyErr_Occurred() != nullptr) throw pybind11::error_already_set();
  view.attr("release")();
  piece.text = piece.text.substr(0, size == 0 ? 0 : start.size() + size);
  return piece;
}

/// Memory for a part and the start of its first line: that of an earlier part which nobody keeps, because malloc would take
/// it from the system and give it back, and a new page costs more than to read one.
pybind11::object ArchiveParts::room() {
  const auto is_free = [](const pybind11::object& bytes) { return Py_REFCNT(bytes.ptr()) == 1; };
  if (const auto found = std::ranges::find_if(rooms_, is_free); found != rooms_.end()) return *found;
  if (rooms_.size() == most_rooms) rooms_.erase(rooms_.begin());
  return rooms_.emplace_back(checked(steal(PyBytes_FromStringAndSize(nullptr, Py_ssize_t{part_size + most_copied}))));
}

/// The next bytes of the archive, after `start` if they are read from a source; none at its end. Of what was read ahead a
/// part, whose lines are whole.
ArchivePiece ArchiveParts::next_piece(PyObject* source, std::string_view start) {
  if (ahead_.text.empty()) return PyBytes_CheckExact(source) ? ArchivePiece() : read(source, start);
  ArchivePiece piece = ahead_;
  const std::size_t end = *layout_ == Layout::lines ? piece.text.find('\n', part_size) : part_size;
  if (end < piece.text.size()) piece.text = piece.text.substr(0, end + 1);
  ahead_.text.remove_prefix(piece.text.size());
  if (ahead_.text.empty()) ahead_ = {};
  return piece;
}

bool ArchiveParts::next_lines(PyObject* source, ArchivePart& part) {
  for (;;) {
    const bool is_long = tail_.size() > most_copied;
    ArchivePiece piece;
    part.is_cut = !succeeds(!tail_.empty(), [&] { piece = next_piece(source, is_long ? std::string_view() : tail_); });
    if (part.is_cut || piece.text.empty())
      return !tail_.empty() && give(ArchivePiece(bytes_of(std::exchange(tail_, {}))), part);
    if (!is_long) tail_.clear();
    const std::size_t end = piece.text.rfind('\n') + 1;
    const std::string_view rest = piece.text.substr(end);
    if (end > 0) {
      ArchivePiece whole = piece;
      whole.text.remove_suffix(rest.size());
      if (!tail_.empty()) whole = ArchivePiece(bytes_of(tail_ += whole.text));
      tail_ = rest;
      return give(std::move(whole), part);
    }
    tail_ += rest;
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
      if (!keep.empty() && envelope.size() > detail::columns::max_line_size)
        envelope = {};  // rejected: what is kept might not fit
      for (const std::string& path : keep) element.kept.push_back(kept_text(envelope, path, arena));
      const std::string_view value = value_at(envelope, *path_, arena);
      const std::string_view content = detail::json::without_mark(content_of(value, arena));
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
