// SPDX-License-Identifier: MIT
// How far the specification carries a statement of the library, and what it says about something that was observed.
#pragma once

#include <bankhook/base/compiler.hpp>

#include <cstdint>

namespace bankhook { inline namespace BANKHOOK_STRUCTS {

/// What a rule, a transition or an answer of the library rests on.
enum class Evidence : std::uint8_t {
  stated,   ///< the specification says so in so many words, about just this case
  example,  ///< the specification shows it in an example only
  assumed,  ///< the library's choice where one was needed, or deduced from what is stated
};

/// What breaking a rule means for a payload.
enum class Severity : std::uint8_t {
  warning,  ///< `parse` reads it all the same
  error,    ///< `parse` rejects it
};

/// What the specification says about something that was observed, from the best to the worst: whatever has
/// `verdict >= unspecified` is worth a look.
enum class Verdict : std::uint8_t {
  specified,    ///< a stated rule or transition of the specification leads here
  assumed,      ///< only an assumed one does, or one seen in an example: ordinary, though the specification is silent
  unspecified,  ///< nothing is known about it: an unknown event or value, a repeat, a `create` that comes late
  contradicts,  ///< the event breaks a stated rule within itself
};

}}  // namespace bankhook::BANKHOOK_STRUCTS
