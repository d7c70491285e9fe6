// SPDX-License-Identifier: MIT
// The events of many lines, which share one block: a kept event keeps its batch alive.
#pragma once

#include "block.hpp"
#include "library.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace bankhook::python {

/// A part of an archive and its lines; `payload` (bytes) holds the part.
class BatchBlock final : public Block {
 public:
  BatchBlock(PyObject* payload, ArenaMemory memory, std::vector<ArchiveLine> lines_)
      : Block(payload, std::move(memory)), lines(std::move(lines_)) {}

  const std::vector<ArchiveLine> lines;

  /// The line that the event lies in.
  [[nodiscard]] PyObject* raw_of(const void* event) const override {
    const std::string_view raw = line_of(event).raw;
    return PyBytes_FromStringAndSize(raw.data(), static_cast<Py_ssize_t>(raw.size()));
  }
  [[nodiscard]] bool has_notes(const void* event) const override { return line_of(event).has_notes; }

 private:
  [[nodiscard]] const ArchiveLine& line_of(const void* event) const {
    const auto begins_after = [event](const ArchiveLine& line) {
      return std::less<>()(event, static_cast<const void*>(&line));
    };
    return *std::prev(std::ranges::partition_point(lines, std::not_fn(begins_after)));
  }
};

}  // namespace bankhook::python
