// SPDX-License-Identifier: MIT
// What reads an archive for Python: its events one by one, or what a part of it means at once.
#pragma once

#include "archive_parts.hpp"
#include "batch.hpp"
#include "library.hpp"

#include <Python.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace bankhook::python {

/// What goes on after the Python object.
struct Reading {
  ArchiveParts parts{};
  Arena arena{};                            ///< keeps what the reader remembers of lengths from part to part
  std::size_t before = 0;                   ///< lines before the next part
  std::size_t line_size = 0;                ///< of the last part, on average: parts are much alike
  BatchBlock* batch = nullptr;              ///< held with a share of its own
  std::vector<detail::Element> elements{};  ///< that the batch was read from, if it is not lines
  std::size_t next = 0;                     ///< in the batch
  bool busy = false;                        ///< a part is being read
};

/// bankhook._core._ArchiveReader
struct ArchiveReader {
  PyObject_HEAD PyObject* source;  ///< see ArchiveParts; null once it was closed
  PyObject* refuse;                ///< (line number, raw) for each that is no event; None if that is raised
  PyObject* references;            ///< weak ones
  std::size_t wanted;              ///< which alternative of AnyEvent is given; their count for all
  bool numbered;                   ///< with the number of its line
  Reading* reading;
};

/// The reader that an argument is. Throws TypeError for another object, ValueError if it was closed.
ArchiveReader& archive_reader(PyObject* object);

/// While it lives, nobody else reads. Throws RuntimeError if somebody does.
class Busy {
 public:
  explicit Busy(Reading& reading) : reading_(&reading) {
    if (std::exchange(reading.busy, true)) {
      PyErr_SetString(PyExc_RuntimeError, "this archive is being read by another thread or from within");
      throw pybind11::error_already_set();
    }
  }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;
  ~Busy() { reading_->busy = false; }

 private:
  Reading* reading_;
};

/// Calls `read(reader)` with the reader of a part's lines or elements, whose interface is that of detail::LineReader.
template <class Read>
void with_reader(const ArchivePart& part, Reading& reading, Read read) {
  if (part.is_lines) {
    detail::LineReader lines(part.text, reading.arena, reading.before);
    read(lines);
    reading.before = lines.number();
  } else {
    detail::ElementReader elements(part.text, part.elements, reading.arena);
    read(elements);
    reading.before = reading.parts.lines();
  }
}

}  // namespace bankhook::python
