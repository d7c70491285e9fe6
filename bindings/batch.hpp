// SPDX-License-Identifier: MIT
// The events of many lines, which share one block: a kept event keeps its batch alive.
#pragma once

#include "block.hpp"

#include <bankhook/bankhook.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace bankhook::python {

/// A part of an archive and its lines; `payload` (bytes) holds the part.
class BatchBlock final : public Block {
 public:
  BatchBlock(PyObject* payload, ArenaMemory memory, std::vector<Line> lines_)
      : Block(payload, std::move(memory)), lines(std::move(lines_)) {}

  const std::vector<Line> lines;

  /// The line that the event lies in.
  [[nodiscard]] PyObject* raw_of(const void* event) const override {
    const auto begins_behind = [event](const Line& line) { return std::less<>()(event, static_cast<const void*>(&line)); };
    const auto behind = std::ranges::partition_point(lines, std::not_fn(begins_behind));
    const std::string_view raw = std::prev(behind)->raw;
    return PyBytes_FromStringAndSize(raw.data(), static_cast<Py_ssize_t>(raw.size()));
  }
};

}  // namespace bankhook::python
