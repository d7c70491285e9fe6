// SPDX-License-Identifier: MIT
// How the methods are measured: in short turns, so that all of them meet the same machine.
#pragma once

#include "measure.hpp"
#include "results.hpp"

#include <cstddef>
#include <vector>

namespace bankhook::bench {

inline constexpr std::size_t repetitions = 7;  ///< of each method

/// Other programs, and other guests of the same hardware, take some of its caches and memory for moments that are shorter
/// than a repetition. So a repetition is a fifth of a second of short turns, or one long one, and the turns of all methods
/// come in random order: each repetition is spread over a seventh of the run, and what disturbs one method disturbs all.
[[nodiscard]] Results measure_in_turns(std::vector<Method>& methods);

}  // namespace bankhook::bench
