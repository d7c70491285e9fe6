// SPDX-License-Identifier: MIT
// How far the specification carries a statement of the kit, and what it says about an observation.
#pragma once

#include <cstdint>

namespace bankhook {

/// What a rule, a transition or an answer of the kit rests on.
enum class Evidence : std::uint8_t {
  stated,   ///< the specification says so
  example,  ///< the specification shows it in an example only
  assumed,  ///< ours, because something had to be chosen; the user may choose otherwise
};

/// What the specification says about something that was observed.
enum class Verdict : std::uint8_t {
  specified,    ///< it is as the specification says
  unspecified,  ///< the specification leaves it open
  contradicts,  ///< the specification says otherwise
};

}  // namespace bankhook
