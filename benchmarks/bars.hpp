// SPDX-License-Identifier: MIT
// The bars: what the codec is to reach, each beside what it reached.
#pragma once

#include "results.hpp"

#include <string>
#include <vector>

namespace bankhook::bench {

/// A ratio that is to be at least `wanted`, or at most.
struct Bar {
  std::string what;
  double wanted;
  double reached;
  std::string where;  ///< the corpus on which it is worst
  bool at_most = false;

  [[nodiscard]] bool is_met() const { return at_most ? reached <= wanted : reached >= wanted; }
};

/// Those whose methods were measured. They are the same on every processor and for every build.
[[nodiscard]] std::vector<Bar> bars(const Results& results);

}  // namespace bankhook::bench
