// SPDX-License-Identifier: MIT
// Numbers as a reader wants them: with a fixed number of places.
#pragma once

#include <cstdio>
#include <string>

namespace bankhook::bench {

[[nodiscard]] inline std::string fixed(double value, int places) {
  const int size = std::snprintf(nullptr, 0, "%.*f", places, value);
  std::string text(static_cast<std::size_t>(size) + 1, '\0');
  std::snprintf(text.data(), text.size(), "%.*f", places, value);
  text.pop_back();
  return text;
}

/// Three digits that mean something: 8.47, 33.2, 1507.
[[nodiscard]] inline std::string three_digits(double value) { return fixed(value, value < 10 ? 2 : value < 100 ? 1 : 0); }

}  // namespace bankhook::bench
