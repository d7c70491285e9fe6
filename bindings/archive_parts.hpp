// SPDX-License-Identifier: MIT
// An archive in parts of whole lines or whole elements, however large it is, and what reads them for Python.
#pragma once

#include "archive_elements.hpp"
#include "containers.hpp"
#include "library.hpp"
#include "object.hpp"
#include "unlocked.hpp"

#include <pybind11/pybind11.h>

#include <cstddef>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::python {

/// A piece of an archive.
struct ArchivePiece {
  ArchivePiece() = default;
  explicit ArchivePiece(pybind11::object whole) : bytes(std::move(whole)), text(text_of(bytes)) {}

  pybind11::object bytes;   ///< holds the text
  std::string_view text{};  ///< of a part: whole lines, the last one perhaps without its end; or elements and more
};

/// Events that follow each other in an archive.
struct ArchivePart : ArchivePiece {
  std::vector<Element> elements{};  ///< in the text
  bool is_lines = true;             ///< else elements
  std::size_t offset = 0;           ///< of the text in the archive, if it is lines
  bool is_cut = false;              ///< the source failed within the last line or element
  bool is_open = false;  ///< the last line has no end: it is the archive's last one, or the source fails within it

  void take(ArchivePiece piece) { ArchivePiece::operator=(std::move(piece)); }
};

/// Bytes that are a part, and that are read at once: larger ones leave the processor's cache.
inline constexpr std::size_t part_size = std::size_t{256} << 10;
/// Bytes of a line that are copied to where its rest is read; with more of them, a line that comes byte by byte would be
/// copied for longer than it takes to read.
inline constexpr std::size_t most_copied = std::size_t{32} << 10;
/// Bytes for a part: these, and some to spare.
inline constexpr std::size_t room_size = part_size + most_copied + 256;
/// Of how many parts the memory is used again: that of those before is still read, by threads or as the last event.
inline constexpr std::size_t most_rooms = 8;
/// Bytes of which some have to be an event, unless the archive ends before.
inline constexpr std::size_t looked_at = std::size_t{32} << 10;
/// Bytes that a line, an element or a row may have: what is packed may unpack to any size.
inline constexpr std::size_t longest = std::size_t{256} << 20;

/// Calls `read`; false if that failed and `has_rest`, so that what was read before can be given first.
inline bool succeeds(bool has_rest, auto read) {
  try {
    read();
    return true;
  } catch (pybind11::error_already_set& raised) {
    if (!has_rest || !raised.matches(PyExc_OSError)) throw;
    return false;
  }
}

/// The lines of a part that are not blank, without their ends; `number` is that of the line before.
std::vector<Element> lines_of(const ArchivePart& part, std::size_t& number);

/// Reads a part's lines or elements into its arena; the interface of detail::LineReader. The part must outlive it.
class PartReader {
 public:
  /// @param lines precede a part of lines, which is counted there
  PartReader(const ArchivePart& part, Arena& arena, std::size_t& lines)
      : part_(&part), arena_(&arena), count_(&lines), lines_(part.is_lines ? part.text : "", arena, lines) {}

  bool next(ArchiveLine& line) {
    if (part_->is_lines) {
      const bool is_read = lines_.next(line);
      *count_ = lines_.number();
      return is_read;
    }
    if (next_ == part_->elements.size()) return false;
    const Element& element = part_->elements[next_++];
    line.number = element.number;
    kept_ = element.kept;
    line.raw = part_->text.substr(element.offset, element.size);
    detail::json::ParseContext in(line.raw, *arena_, part_->text.size() - element.offset - element.size);
    ::new (static_cast<void*>(&line.event)) detail::ParsedEvent(detail::parse_event(in));
    line.has_notes = in.has_notes;
    line.is_canonical = in.is_canonical();
    return true;
  }

  [[nodiscard]] std::size_t number() const { return *count_; }
  /// The texts that were kept of the envelope of the last element.
  [[nodiscard]] std::span<const KeptText> kept() const { return kept_; }

 private:
  const ArchivePart* part_;
  Arena* arena_;
  std::size_t* count_;
  detail::LineReader lines_;  ///< of nothing, if the part has elements
  std::size_t next_ = 0;      ///< of the elements
  std::span<const KeptText> kept_{};
};

/// Cuts what a source gives into parts. A source is bytes, or has a method `readinto(buffer)` that returns how many bytes
/// it wrote there, none at the end, and raises OSError again once it has failed; its `container`, if it has one that is not
/// None, says where in the lines or elements the payloads are: their path or None, whether they are in base64, and whether
/// the archive is CSV. It is given to each call, because its owner reports it to Python's garbage collector.
class ArchiveParts {
 public:
  /// The next part; false at the end. If the source fails, what was read of a line or an element comes first, as the last
  /// one. Throws what Python raises, and OSError if there are no events, but it is clear how to read some.
  bool next(PyObject* source, ArchivePart& part);

  /// Fields that are kept of envelopes, by their paths.
  std::vector<std::string> keep{};
  /// How many lines precede the next part. Of an archive of lines, the caller counts them, as PartReader does.
  std::size_t lines = 0;

 private:
  void start(PyObject* source);
  ArchivePiece first_piece(PyObject* source);
  ArchivePiece read(PyObject* source, std::string_view start = {});
  std::size_t read_to(PyObject* source, char* to);
  pybind11::object room();
  ArchivePiece next_piece(PyObject* source, std::string_view start = {});
  bool next_contained(PyObject* source, ArchivePart& part);
  bool next_lines(PyObject* source, ArchivePart& part);
  bool next_long_line(PyObject* source, ArchivePart& part);
  bool next_elements(PyObject* source, ArchivePart& part);
  bool next_rows(PyObject* source, ArchivePart& part);
  bool give(ArchivePiece piece, ArchivePart& part);
  void unwrap(PyObject* source, ArchivePart& part, std::span<const CsvRow> rows = {});
  void take_header(PyObject* source, std::string_view row, std::span<const std::string_view> cells);
  void look_at(PyObject* source, const ArchivePart& envelopes, const ArchivePart& payloads);
  [[nodiscard]] std::string elsewhere_in(std::span<const std::string_view> envelopes) const;
  [[noreturn]] void refuse(PyObject* source, const std::string& why);

  std::optional<Layout> layout_;         ///< known once the start was read
  ArchivePiece ahead_;                   ///< what was read and is not given yet
  std::string tail_;                     ///< of a line that has not ended yet
  std::vector<pybind11::object> rooms_;  ///< memory of parts
  ElementCutter cutter_;
  RowCutter row_cutter_;
  std::size_t offset_ = 0;         ///< of the next part in the archive
  std::optional<std::string> at_;  ///< the path of the payloads
  bool is_base64_ = false;
  bool is_looked_at_ = false;           ///< whether there are events
  std::string refusal_;                 ///< why the archive is not read any further
  std::optional<Unwrapper> unwrapper_;  ///< of what contains payloads, once that is known
  ArchivePart unwrapped_;               ///< payloads that are not given yet
  std::size_t next_ = 0;                ///< the first of them
  std::string header_;                  ///< the first row of CSV
  std::size_t column_ = 0;              ///< which has the payloads
  std::vector<std::size_t> kept_columns_;
};

/// bankhook._core._ArchiveReader
struct ArchiveReader {
  pybind11::object source;   ///< see ArchiveParts; none once it was closed
  pybind11::object refuse;   ///< (line number, raw) for each that is no event; None if that is raised
  std::size_t wanted = 0;    ///< which alternative of AnyEvent is given; their count for all
  bool is_numbered = false;  ///< with the number of its line
  ArchiveParts parts{};
  Arena arena{};              ///< keeps what the reader remembers of lengths from part to part
  std::size_t line_size = 0;  ///< of the last part, on average: parts are much alike
  Share<BatchBlock> batch{};
  std::vector<Element> elements{};  ///< that the batch was read from, if it is not lines
  std::size_t next = 0;             ///< in the batch
  bool is_cut = false;              ///< as of the part that the batch was read from
  bool is_busy = false;             ///< a part is being read
};

/// The same reader. Throws ValueError if it was closed.
ArchiveReader& opened(ArchiveReader& reader);

/// While it lives, nobody else reads. Throws RuntimeError if somebody does.
class Busy {
 public:
  explicit Busy(ArchiveReader& reader) : reader_(&reader) {
    if (std::exchange(reader.is_busy, true))
      fail(PyExc_RuntimeError, "this archive is being read by another thread or from within");
  }
  Busy& operator=(Busy&&) = delete;
  ~Busy() { reader_->is_busy = false; }

 private:
  ArchiveReader* reader_;
};

}  // namespace bankhook::python
