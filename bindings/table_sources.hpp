// SPDX-License-Identifier: MIT
// The archives of a table, one after the other, in parts that are decoded apart; one that fails ends with a rejected line.
#pragma once

#include "archive_parts.hpp"
#include "library.hpp"

#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace bankhook::python {

/// `str(object)`, with what UTF-8 cannot hold escaped; empty if that fails.
std::string lossy_text_of(pybind11::handle object);

/// Why a source could not be read to its end.
struct SourceFailure {
  columns::LineRejection rejection{};
  std::int64_t line = 0;      ///< that could not be read; in an archive of lines, counted from the end of the part
  std::string_view unread{};  ///< what was read of it, in the part
};

/// What is decoded at once.
struct TablePart {
  ArchivePart part{};
  std::int64_t source = 0;                 ///< its index
  bool is_first = false;                   ///< of its source
  bool is_last = false;                    ///< of its source; perhaps of no lines
  std::optional<SourceFailure> failure{};  ///< which follows the part
};

/// All that it does needs the interpreter's lock. It does not count lines: who reads them does.
class TableSources {
 public:
  /// @param sources an iterator of what archives are read from: bytes, an object with `read(size)`, or one with
  /// `payloads()`, which returns a list of line numbers and payloads, empty at the end
  explicit TableSources(pybind11::object sources) : sources_(std::move(sources)) {}

  /// The next part, perhaps of no lines; false at the end of the last source. A source that raises OSError ends there.
  /// Throws what else Python raises.
  bool next(TablePart& part);

 private:
  bool open_next();
  bool read(TablePart& part);
  bool read_payloads(ArchivePart& part);
  void end_with(TablePart& part, pybind11::error_already_set& raised);

  pybind11::object sources_;
  pybind11::object source_;  ///< none between two of them
  std::int64_t index_ = -1;
  std::optional<ArchiveParts> parts_{};  ///< of the source, unless it gives payloads
  std::size_t lines_ = 0;                ///< before the next part, unless it has lines
  bool is_first_ = true;
};

}  // namespace bankhook::python
