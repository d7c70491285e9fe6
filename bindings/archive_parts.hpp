// SPDX-License-Identifier: MIT
// An archive in parts of whole lines or whole elements: what lies in memory as a part at a time, however large it is.
#pragma once

#include "library.hpp"

#include <pybind11/pybind11.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::python {

/// Events that follow each other in an archive.
struct ArchivePart {
  pybind11::object bytes;                 ///< holds the text
  std::string_view text{};                ///< whole lines, the last one perhaps without its end; or elements and more
  std::vector<detail::Element> elements;  ///< in the text
  bool is_lines = true;                   ///< else elements
  std::size_t offset = 0;                 ///< of the text in the archive
};

/// Cuts what a source gives into parts. A source is bytes, or has a method `read(size)` that returns bytes, none at the
/// end, and raises OSError again once it has failed. It is given to each call, because its owner reports it to Python's
/// garbage collector.
class ArchiveParts {
 public:
  /// The next part; false at the end. If the source fails, what was read of a line or an element comes first, as the last
  /// one. Throws what Python raises.
  bool next(PyObject* source, ArchivePart& part);

  /// How many lines precede the next part of an archive of elements.
  [[nodiscard]] std::size_t lines() const { return cutter_.lines(); }

 private:
  struct Piece {
    pybind11::object bytes;
    std::string_view text{};
  };

  void start(PyObject* source);
  Piece first_piece(PyObject* source, detail::LayoutFinder& finder);
  Piece read(PyObject* source);
  Piece next_piece(PyObject* source);
  bool next_window(PyObject* source, ArchivePart& part);
  bool next_lines(PyObject* source, ArchivePart& part);
  bool next_elements(PyObject* source, ArchivePart& part);
  void give(Piece piece, ArchivePart& part);
  void give_rest(ArchivePart& part);
  void keep(std::string_view text);
  void keep(Piece piece);
  [[nodiscard]] bool has_rest() const { return !rest_.empty() || !tail_.empty(); }

  std::optional<detail::Layout> layout_;  ///< known once the start was read
  std::optional<Piece> first_;            ///< what was read for that
  std::optional<Piece> waiting_;          ///< whole lines after those that were given
  std::vector<pybind11::object> rest_;    ///< pieces of a line that has not ended yet
  std::string tail_;                      ///< what follows them
  detail::ElementCutter cutter_;
  std::size_t at_ = 0;      ///< in bytes: up to here they were given
  std::size_t offset_ = 0;  ///< of the next part in the archive
};

}  // namespace bankhook::python
