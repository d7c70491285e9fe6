// SPDX-License-Identifier: MIT
// An archive in parts: finds out how it is laid out, and where its lines or elements end.
#include "archive_parts.hpp"

#include "bind.hpp"
#include "records.hpp"
#include "unlocked.hpp"

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::python {

std::vector<Element> lines_of(const ArchivePart& part, std::size_t& number) {
  const std::string_view text = part.text;
  std::vector<Element> lines;
  for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    std::string_view line = detail::json::without_mark(text.substr(at, end - at));
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++number;
    const auto offset = static_cast<std::size_t>(line.data() - text.data());
    if (detail::json::is_blank(line)) continue;
    lines.push_back({.number = number, .offset = offset, .size = line.size(), .place = part.offset + offset});
  }
  return lines;
}

bool ArchiveParts::next(PyObject* source, ArchivePart& part) {
  if (!layout_) start(source);
  if (!refusal_.empty()) refuse(source, std::string(refusal_));
  if (!is_base64_ && !at_) {
    if (!next_contained(source, part)) return false;
    if (!is_looked_at_) look_at(source, part, part);
    return true;
  }
  if (next_ == unwrapped_.elements.size()) {
    unwrapped_ = {};
    next_ = 0;
    if (!next_contained(source, unwrapped_)) return false;
  }
  // A line may have many payloads, and an event takes more memory than its text: few are given at once.
  auto& elements = unwrapped_.elements;
  const std::size_t first = next_;
  for (std::size_t size = 0; next_ < elements.size() && size < part_size; ++next_) size += elements[next_].size;
  const bool is_last = next_ == elements.size();
  if (first == 0 && is_last) {
    next_ = 0;
    part = std::exchange(unwrapped_, {});
    return true;
  }
  part = {};
  part.take(unwrapped_);
  part.is_lines = false;
  const auto all = elements.begin();
  part.elements.assign(std::make_move_iterator(all + static_cast<std::ptrdiff_t>(first)),
                       std::make_move_iterator(all + static_cast<std::ptrdiff_t>(next_)));
  part.is_cut = is_last && unwrapped_.is_cut;
  part.is_open = is_last && unwrapped_.is_open;
  return true;
}

/// The next lines, elements or rows; of what contains payloads, these.
bool ArchiveParts::next_contained(PyObject* source, ArchivePart& part) {
  part.is_lines = *layout_ == Layout::lines;
  if (*layout_ == Layout::rows) return next_rows(source, part);
  if (!(part.is_lines ? next_lines(source, part) : next_elements(source, part))) return false;
  if (unwrapper_) unwrap(source, part);
  return true;
}

/// Looks at the start of the source: the first event tells the layout.
BANKHOOK_COLD void ArchiveParts::start(PyObject* source) {
  int is_base64 = 0, is_csv = 0;
  PyObject* at = Py_None;
  const auto container = pybind11::getattr(source, "container", none());
  if (container.ptr() != Py_None) take(container, "Opp", &at, &is_base64, &is_csv);
  if (at != Py_None) at_ = text_argument("at", at);
  is_base64_ = is_base64 != 0;
  ahead_ = PyBytes_CheckExact(source) ? ArchivePiece(borrow(source)) : first_piece(source);
  LayoutFinder finder;
  finder.add(detail::json::without_mark(ahead_.text).substr(0, 2 * part_size));
  layout_ = is_csv != 0 ? Layout::rows : finder.found().value_or(Layout::lines);
  if (is_csv == 0 && (at_ || is_base64_)) unwrapper_.emplace(at_, is_base64_, keep);
}

/// As much of the source as has to be seen, or more; less only if the source fails or ends. What follows a byte order mark
/// is looked at once: there may be as many pieces as bytes.
BANKHOOK_COLD ArchivePiece ArchiveParts::first_piece(PyObject* source) {
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
  const std::size_t size = read_to(source, std::ranges::copy(start, PyBytes_AS_STRING(piece.bytes.ptr())).out);
  piece.text = piece.text.substr(0, size == 0 ? 0 : start.size() + size);
  return piece;
}

/// Reads at most `part_size` bytes of the source, and gives how many; none at its end.
std::size_t ArchiveParts::read_to(PyObject* source, char* to) {
  const pybind11::object view = checked(steal(PyMemoryView_FromMemory(to, part_size, PyBUF_WRITE)));
  const pybind11::object name = checked(steal(PyUnicode_InternFromString("readinto")));
  PyObject* const found = calling_python([&] { return PyObject_CallMethodOneArg(source, name.ptr(), view.ptr()); });
  const std::size_t size = PyLong_AsSize_t(checked(steal(found)).ptr());
  if (PyErr_Occurred() != nullptr) throw pybind11::error_already_set();
  view.attr("release")();
  return size;
}

/// Memory for a part and the start of its first line: that of an earlier part which nobody keeps, because malloc would take
/// it from the system and give it back, and a new page costs more than to read one.
pybind11::object ArchiveParts::room() {
  const auto is_free = [](const pybind11::object& bytes) { return Py_REFCNT(bytes.ptr()) == 1; };
  if (const auto found = std::ranges::find_if(rooms_, is_free); found != rooms_.end()) return *found;
  if (rooms_.size() == most_rooms) rooms_.erase(rooms_.begin());
  return rooms_.emplace_back(checked(steal(PyBytes_FromStringAndSize(nullptr, Py_ssize_t{room_size}))));
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
  while (tail_.size() <= most_copied) {
    ArchivePiece piece;
    part.is_cut = !succeeds(!tail_.empty(), [&] { piece = next_piece(source, tail_); });
    if (part.is_cut || piece.text.empty())
      return !tail_.empty() && give(ArchivePiece(bytes_of(std::exchange(tail_, {}))), part);
    tail_.clear();
    const std::size_t end = piece.text.contains('\n') ? piece.text.rfind('\n') + 1 : 0;
    tail_ = piece.text.substr(end);
    if (end == 0) continue;
    piece.text = piece.text.substr(0, end);
    return give(std::move(piece), part);
  }
  return next_long_line(source, part);
}

/// A line of which much was read: its rest is read to where it stays, with the lines after it that come with that.
BANKHOOK_COLD bool ArchiveParts::next_long_line(PyObject* source, ArchivePart& part) {
  const std::size_t first = tail_.size() + 4 * part_size;
  ArchivePiece whole(checked(steal(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(first)))));
  std::size_t size = tail_.copy(PyBytes_AS_STRING(whole.bytes.ptr()), tail_.size()), end = 0;
  tail_.clear();
  for (std::size_t more = 1; end == 0 && more > 0; size += more) {
    if (size > longest) refuse(source, "a line of it is longer than 256 MiB");
    if (const auto room = static_cast<std::size_t>(PyBytes_GET_SIZE(whole.bytes.ptr())); room - size < 2 * part_size) {
      PyObject* larger = whole.bytes.release().ptr();
      if (_PyBytes_Resize(&larger, static_cast<Py_ssize_t>(2 * room)) != 0) throw pybind11::error_already_set();
      whole.bytes = steal(larger);
    }
    char* const to = PyBytes_AS_STRING(whole.bytes.ptr()) + size;
    const bool is_ahead = !ahead_.text.empty() || PyBytes_CheckExact(source);
    more = 0;
    part.is_cut =
        !succeeds(true, [&] { more = is_ahead ? next_piece(source).text.copy(to, part_size * 2) : read_to(source, to); });
    const std::string_view added(to, more);
    if (added.contains('\n')) end = size + added.rfind('\n') + 1;
  }
  whole.text = text_of(whole.bytes).substr(0, end > 0 ? end : size);
  if (end > 0) tail_ = text_of(whole.bytes).substr(end, size - end);
  return give(std::move(whole), part);
}

bool ArchiveParts::next_elements(PyObject* source, ArchivePart& part) {
  while (!cutter_.has_elements()) {
    ArchivePiece piece;
    if (cutter_.waiting() > longest) refuse(source, "an element of it is longer than 256 MiB");
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

bool ArchiveParts::give(ArchivePiece piece, ArchivePart& part) {
  part.offset = std::exchange(offset_, offset_ + piece.text.size());
  part.is_open = !piece.text.ends_with('\n');
  part.take(std::move(piece));
  return true;
}

}  // namespace bankhook::python
