// SPDX-License-Identifier: MIT
// Where it was measured, and how the program was built.
#pragma once

#include <string>

namespace bankhook::bench {

struct Machine {
  std::string compiler;   ///< `GNU 12.2.0`
  std::string flags;      ///< `-O3 -march=native -DNDEBUG`
  std::string system;     ///< `Debian GNU/Linux 12 (bookworm)`
  std::string processor;  ///< its name, which machines of unlike speed share, its model, and how many cores may be used
};

[[nodiscard]] Machine this_machine();

}  // namespace bankhook::bench
