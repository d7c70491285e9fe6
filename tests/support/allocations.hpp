// SPDX-License-Identifier: MIT
// What operator new counts in the tests of the library, and how long it has memory: events/allocation_test.cpp defines it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace bankhook::test {

inline std::atomic<std::size_t> allocations = 0;
inline std::atomic<std::size_t> allocated_bytes = 0;
/// How many allocations there is memory for before one that fails.
inline std::atomic<std::size_t> allocations_left = SIZE_MAX;

/// How often memory is allocated while `work` runs.
template <class Work>
std::size_t allocations_of(Work&& work) {
  const std::size_t before = allocations;
  work();
  return allocations - before;
}

/// How many bytes are allocated while `work` runs.
template <class Work>
std::size_t bytes_of(Work&& work) {
  const std::size_t before = allocated_bytes;
  work();
  return allocated_bytes - before;
}

}  // namespace bankhook::test
