// SPDX-License-Identifier: MIT
// Payloads in the parts of an archive that contain them: of envelopes and of CSV.
#include "archive_parts.hpp"
#include "bind.hpp"
#include "python_types.hpp"
#include "unlocked.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::python {

/// Throws OSError, now and whenever the next part is asked for; a source that has a method for it raises its own.
BANKHOOK_COLD void ArchiveParts::refuse(PyObject* source, const std::string& why) {
  refusal_ = why;
  if (pybind11::hasattr(source, "refuse")) pybind11::handle(source).attr("refuse")(why);
  PyErr_SetObject(PyExc_OSError, pybind11::make_tuple(EILSEQ, why).ptr());
  throw pybind11::error_already_set();
}

/// Refuses an archive if nothing in its first part is an event, and either events are elsewhere in it, or nothing is where
/// they should be. Only then, if little was read, the next piece tells whether that is all: whoever writes the source may
/// wait for an answer to what is not an event.
BANKHOOK_COLD void ArchiveParts::look_at(PyObject* source, const ArchivePart& envelopes, const ArchivePart& payloads) {
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
  const bool is_hex = found.front().starts_with("\\x7b");
  const std::string elsewhere =
      is_hex ? "its events are bytes of PostgreSQL in hexadecimal: export them by convert_from(…, 'UTF8')"
             : elsewhere_in(texts_of(envelopes));
  const bool is_nowhere = unwrapper_ && at_ && !unwrapper_->has_found();
  if (elsewhere.empty() && !is_nowhere) return;
  bool has_ended = ahead_.text.empty() && tail_.size() <= most_copied;
  if (has_ended && !PyBytes_CheckExact(source)) {
    has_ended = succeeds(true, [&] { ahead_ = read(source, tail_); }) && ahead_.text.empty();
    if (!ahead_.text.empty()) tail_.clear();
  }
  if (envelopes.text.size() < looked_at && !has_ended) return;
  if (!elsewhere.empty()) refuse(source, elsewhere);
  if (is_nowhere && has_ended) refuse(source, "nothing in it is at \"" + *at_ + '"');
}

/// Says with which options these have events; empty without any.
BANKHOOK_COLD std::string ArchiveParts::elsewhere_in(std::span<const std::string_view> envelopes) const {
  Arena arena;
  const std::string before = *layout_ == Layout::rows ? *at_ : "";
  for (const std::string_view text : envelopes | std::views::take(20)) {
    for (const bool is_base64 : {false, true}) {
      arena.reset();
      auto path = path_to_event(text, is_base64, arena);
      if (!path) continue;
      if (path->empty() && !is_base64 && text.starts_with('"'))
        return "its events are in JSON texts: jq -r . takes them out";
      *path = before.empty() && path->starts_with('.') ? path->substr(1) : before + *path;
      if (*path == at_.value_or("") && is_base64 == is_base64_) continue;
      const std::string encoding = is_base64 ? "encoding=\"base64\"" : "";
      const std::string at = path->empty() ? "" : "at=\"" + *path + '"';
      return "it has events elsewhere: try " + at + (at.empty() || encoding.empty() ? "" : ", ") + encoding;
    }
  }
  return "";
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
  const char* const readable = PyBytes_AS_STRING(part.bytes.ptr()) + PyBytes_GET_SIZE(part.bytes.ptr());
  {
    const Unlocked without_lock;
    if (std::exchange(part.is_lines, false)) part.elements = lines_of(part, lines);
    if (unwrapper_) unwrapper_->begin(PyBytes_AS_STRING(bytes.ptr()), payloads.elements, readable);
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
BANKHOOK_COLD void ArchiveParts::take_header(PyObject* source, std::string_view row,
                                             std::span<const std::string_view> cells) {
  std::vector<std::string> names;
  for (const std::string_view cell : cells) names.push_back(contents_of(cell, cell.data() + cell.size()));
  const auto column_of = [&](std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  };
  const auto refuse_column = [&](const std::string& why) {
    std::string known;
    for (const std::string& name : names | std::views::filter(is_plain) | std::views::take(10))
      known += (known.empty() ? "" : ", ") + name.substr(0, 50);
    if (names.size() == 1 && names.front().find_first_of(";\t|") != std::string::npos)
      refuse(source, why + "; it is not separated by commas");
    if (known.empty()) refuse(source, "it has no row of names, or a quote in that is missing");
    refuse(source, why + "; its columns are " + known);
  };
  if (!at_) refuse_column("it is CSV: at=\"COLUMN\" names the one that has the events");
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

}  // namespace bankhook::python
