// SPDX-License-Identifier: MIT
// The label of a fault: what was done to which event, and what the specification lets a consumer notice.
#pragma once

#include <bankhook/events/rules/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bankhook {

/// In the order of the members of Faults.
enum class FaultKind : std::uint8_t { duplicate, reorder, drop, truncate, mutate, future };

/// By what a consumer can notice a fault.
enum class DetectedBy : std::uint8_t {
  nothing,    ///< the delivery is as the specification has it, as far as the sandbox can tell
  rule,       ///< it breaks a rule of the catalogue
  repeat,     ///< it repeats the last accepted state of its connection or transaction
  lifecycle,  ///< the lifecycle excludes it now: a `create` or `created` for what is already known
};

/// What a consumer can notice at one delivery. It promises no more than that: other findings may come with it.
struct Detectable {
  DetectedBy detected_by = DetectedBy::nothing;
  RuleId rule{};          ///< where `detected_by` is rule
  RuleId or_rule = rule;  ///< another one that the same fault may be told by: what is no JSON is no string either

  constexpr bool operator==(const Detectable&) const = default;
  /// Whether a finding of this rule is what was promised.
  [[nodiscard]] constexpr bool is_told_by(RuleId found) const {
    return detected_by == DetectedBy::rule && (found == rule || found == or_rule);
  }
  constexpr explicit operator bool() const { return detected_by != DetectedBy::nothing; }
};

/// The stable id of the rule, else the name of what it is detected by. Static storage.
[[nodiscard]] constexpr std::string_view to_string(const Detectable& detectable) {
  return detectable.detected_by == DetectedBy::rule ? rule_of(detectable.rule).id() : name_of(detectable.detected_by);
}

/// The label of one delivery. A fault that shows only at a later event of the same connection or transaction (the first
/// event was dropped, cut, held back) is the label of the delivery where it shows: `event` then differs from the
/// delivery's.
struct Fault {
  FaultKind kind{};
  std::uint64_t number = 0;   ///< number of the event that was touched, counted from 0
  std::string_view what{};    ///< what was done to it, in a few words; static storage
  std::string_view field{};   ///< wire name of the field that was touched, or empty; static storage
  std::size_t offset = 0;     ///< where in its payload, in bytes: of the cut, the byte, the value; else 0
  std::uint32_t late_by = 0;  ///< how many events a duplicate or a late delivery waited for
  Detectable detectable{};    ///< what can be noticed at the delivery that has this label

  constexpr bool operator==(const Fault&) const = default;
};

}  // namespace bankhook
