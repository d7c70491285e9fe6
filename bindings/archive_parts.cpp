// SPDX-License-Identifier: MIT
// An archive in parts: finds out how it is laid out, and where its lines or elements end.
#include "archive_parts.hpp"

#include "bind.hpp"
#include "records.hpp"
#include "unlocked.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <iterator>
#include <optional>
#include <ranges>
#include <span>
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
/// Bytes for a part: these, and some to spare.
constexpr std::size_t room_size = part_size + most_copied + 256;
/// Of how many parts the memory is used again: that of those before is still read, by threads or as the last event.
constexpr std::size_t most_rooms = 8;
/// Bytes of which some have to be an event, unless the archive ends before.
constexpr std::size_t looked_at = std::size_t{32} << 10;
/// Bytes that a line, an element or a row may have: what is packed may unpack to any size.
constexpr std::size_t longest = std::size_t{256} << 20;

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

/// The lines of a part that are not blank, without their ends; `number` is that of the line before.
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

}  // namespace

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

/// Throws OSError, now and whenever the next part is asked for; a source that has a method for it raises its own.
void ArchiveParts::refuse(PyObject* source, const std::string& why) {
  refusal_ = why;
  if (pybind11::hasattr(source, "refuse")) pybind11::handle(source).attr("refuse")(why);
  PyErr_SetObject(PyExc_OSError, pybind11::make_tuple(EILSEQ, why).ptr());
  throw pybind11::error_already_set();
}

/// Looks at the start of the source: the first event tells the layout.
void ArchiveParts::start(PyObject* source) {
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

/// Refuses an archive if nothing in its first part is an event, and either events are elsewhere in it, or nothing is where
/// they should be. If little was read, the next piece tells whether that is all.
void ArchiveParts::look_at(PyObject* source, const ArchivePart& envelopes, const ArchivePart& payloads) {
  std::size_t number = 0;
  const auto texts_of = [&](const ArchivePart& part) {
    const auto elements = part.is_lines ? lines_of(part, number) : part.elements;
    std::vector<std::string_view> texts;
    for (const Element& element : elements) texts.push_back(part.text.substr(element.offset, element.size));
    return texts;
  };
  Arena arena;
  const std::vector<std::string_view> found = texts_of(payloads);
  if (found.empty()) return;
  is_looked_at_ = true;
  if (std::ranges::any_of(found, [&](std::string_view text) { return arena.reset(), names_event(text, arena); })) return;
  bool has_ended = ahead_.text.empty() && tail_.size() <= most_copied;
  if (has_ended && !PyBytes_CheckExact(source)) {
    has_ended = succeeds(true, [&] { ahead_ = read(source, tail_); }) && ahead_.text.empty();
    if (!ahead_.text.empty()) tail_.clear();
  }
  if (envelopes.text.size() < looked_at && !has_ended) return;
  const std::string before = *layout_ == Layout::rows ? *at_ : "";
  for (const std::string_view text : texts_of(envelopes) | std::views::take(20)) {
    for (const bool is_base64 : {false, true}) {
      arena.reset();
      auto path = path_to_event(text, is_base64, arena);
      if (!path) continue;
      *path = before.empty() && path->starts_with('.') ? path->substr(1) : before + *path;
      if (*path == at_.value_or("") && is_base64 == is_base64_) continue;
      const std::string encoding = is_base64 ? "encoding=\"base64\"" : "";
      const std::string at = path->empty() ? "" : "at=\"" + *path + '"';
      refuse(source, "it has events elsewhere: try " + at + (at.empty() || encoding.empty() ? "" : ", ") + encoding);
    }
  }
  if (unwrapper_ && at_ && has_ended && !unwrapper_->has_found()) refuse(source, "nothing in it is at \"" + *at_ + '"');
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
    if (tail_.size() > longest) refuse(source, "a line of it is longer than 256 MiB");
  }
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

bool ArchiveParts::next_rows(PyObject* source, ArchivePart& part) {
  while (!row_cutter_.has_rows()) {
    if (row_cutter_.waiting() > longest) refuse(source, "a row of it is longer than 256 MiB: is a quote missing?");
    ArchivePiece piece;
    part.is_cut = !succeeds(row_cutter_.waiting() > 0, [&] { piece = next_piece(source); });
    if (piece.text.empty() && row_cutter_.waiting() == 0) return false;
    const Unlocked without_lock;
    piece.text.empty() ? row_cutter_.finish() : row_cutter_.add(piece.text);
  }
  const RowCutter::Cut cut = row_cutter_.take();
  ArchivePart rows;
  rows.take(ArchivePiece(bytes_of(cut.text)));
  rows.offset = cut.offset;
  lines = row_cutter_.lines();
  rows.is_lines = false;
  rows.is_cut = part.is_cut;
  unwrap(source, rows, cut.rows);
  part = std::move(rows);
  return true;
}

/// Puts payloads in the place of the lines, elements or rows that contain them.
void ArchiveParts::unwrap(PyObject* source, ArchivePart& part, std::span<const CsvRow> rows) {
  std::vector<std::string_view> cells;
  const auto read_cells = [&](const CsvRow& row) {
    cells.clear();
    for (std::size_t start = row.offset; const std::size_t end : row.ends) {
      cells.push_back(detail::json::without_mark(part.text.substr(start, end - start)));
      start = end + 1;
    }
    return detail::json::without_mark(part.text.substr(row.offset, row.size));
  };
  for (; !unwrapper_ && !rows.empty(); rows = rows.subspan(1)) {
    if (const std::string_view row = read_cells(rows.front()); !detail::json::is_blank(row))
      take_header(source, row, cells);
  }
  ArchivePart payloads;
  payloads.is_lines = false;
  payloads.is_cut = part.is_cut;
  payloads.is_open = part.is_open;
  const std::size_t size = part.text.size() + 128;
  const auto bytes =
      size <= room_size ? room() : checked(steal(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size))));
  {
    const Unlocked without_lock;
    if (std::exchange(part.is_lines, false)) part.elements = lines_of(part, lines);
    if (unwrapper_) unwrapper_->begin(PyBytes_AS_STRING(bytes.ptr()), payloads.elements);
    for (const Element& one : part.elements) unwrapper_->take(part.text.substr(one.offset, one.size), one);
    for (const CsvRow& row : rows) {
      const std::string_view text = read_cells(row);
      if (detail::json::is_blank(text) || text == header_) continue;  // the header, of files that were joined
      unwrapper_->take_row(text, {.number = row.number, .place = part.offset + row.offset}, cells, column_, kept_columns_);
    }
  }
  payloads.take(ArchivePiece(bytes));
  payloads.text = payloads.text.substr(0, unwrapper_ ? unwrapper_->size() : 0);
  if (!is_looked_at_) look_at(source, *layout_ == Layout::rows ? payloads : part, payloads);
  part = std::move(payloads);
}

/// Finds the columns that are asked for.
void ArchiveParts::take_header(PyObject* source, std::string_view row, std::span<const std::string_view> cells) {
  std::vector<std::string> names;
  for (const std::string_view cell : cells) names.push_back(contents_of(cell));
  const auto column_of = [&](std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  };
  const auto refuse_column = [&](const std::string& why) {
    std::string known;
    for (const std::string& name : names | std::views::filter(is_plain) | std::views::take(10))
      known += (known.empty() ? "" : ", ") + name.substr(0, 50);
    refuse(source, why + "; its columns are " + known);
  };
  if (!at_) refuse_column("it is CSV: at= names the column that has the events");
  std::optional<std::string> within;
  column_ = column_of(*at_);
  if (column_ == names.size()) {  // the payload is in JSON in the cell
    const std::size_t end = std::min(at_->find_first_of(".["), at_->size());
    column_ = column_of(at_->substr(0, end));
    within = at_->substr(std::min(end + at_->substr(end).starts_with('.'), at_->size()));
  }
  if (column_ == names.size()) refuse_column("it is CSV and has no column \"" + *at_ + '"');
  for (const std::string& path : keep) {
    kept_columns_.push_back(column_of(path));
    if (kept_columns_.back() == names.size()) refuse_column("it is CSV and has no column \"" + path + "\" to keep");
  }
  header_ = row;
  unwrapper_.emplace(within, is_base64_, keep);
}

bool ArchiveParts::give(ArchivePiece piece, ArchivePart& part) {
  part.offset = std::exchange(offset_, offset_ + piece.text.size());
  part.is_open = !piece.text.ends_with('\n');
  part.take(std::move(piece));
  return true;
}

}  // namespace bankhook::python
