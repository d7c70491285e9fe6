// SPDX-License-Identifier: MIT
// How the methods are measured: in rounds, and only what was measured while the machine was left alone.
#pragma once

#include "corpus.hpp"
#include "measure.hpp"
#include "results.hpp"

#include <chrono>
#include <cstddef>
#include <vector>

namespace bankhook::bench {

inline constexpr std::size_t repetitions = 7;  ///< that each method needs, undisturbed
inline constexpr double steady = 0.05;         ///< how much longer than when they are quick the references may take

/// Other programs, and other guests of the same hardware, take some of its processors, caches and memory for a while. So
/// between any two repetitions the references go once over `reference`, which is larger than the caches, and a repetition
/// counts if both were steady right before it, for which it waits a little, and right after it. In a round each method that
/// lacks some runs once, in random order; there are rounds until none lacks any, or until `limit` has passed, which is a
/// problem of the results.
[[nodiscard]] Results measure_in_rounds(std::vector<Method>& methods, const Corpus& reference, std::chrono::minutes limit);

}  // namespace bankhook::bench
