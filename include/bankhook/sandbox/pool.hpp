// SPDX-License-Identifier: MIT
// Records that come and go in slots: memory stays flat, and a handle never leads to another record than it was made for.
#pragma once

#include <bankhook/sandbox/identifiers.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI::sandbox {

/// A record that was released stays readable until its slot is taken again, the longest released one first.
template <class Record>
class Pool {
 public:
  /// A slot for a new record; what the last one left in it (texts, arrays) keeps its memory.
  [[nodiscard]] Handle take() {
    if (first_ == none) {
      slots_.emplace_back();
      return {static_cast<std::uint32_t>(slots_.size() - 1), 0};
    }
    const std::uint32_t taken = first_;
    first_ = slots_[taken].next;
    if (first_ == none) last_ = none;
    return {taken, ++slots_[taken].generation};
  }

  void release(std::uint32_t slot) {
    slots_[slot].next = none;
    (last_ == none ? first_ : slots_[last_].next) = slot;
    last_ = slot;
  }

  /// Whether there ever was a record of this handle.
  [[nodiscard]] bool made(Handle handle) const {
    return handle.slot < slots_.size() && handle.generation <= slots_[handle.slot].generation;
  }
  /// Whether its slot was taken by another record since.
  [[nodiscard]] bool forgotten(Handle handle) const { return slots_[handle.slot].generation != handle.generation; }

  [[nodiscard]] Handle handle_of(std::uint32_t slot) const { return {slot, slots_[slot].generation}; }
  [[nodiscard]] Record& operator[](std::uint32_t slot) { return slots_[slot].record; }
  [[nodiscard]] const Record& operator[](std::uint32_t slot) const { return slots_[slot].record; }
  [[nodiscard]] std::size_t slots() const { return slots_.size(); }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  struct Slot {
    Record record;
    std::uint32_t generation = 0;
    std::uint32_t next = none;
  };

  std::vector<Slot> slots_;
  std::uint32_t first_ = none;
  std::uint32_t last_ = none;
};

}  // namespace bankhook::inline BANKHOOK_ABI::sandbox
