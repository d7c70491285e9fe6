// SPDX-License-Identifier: MIT
// A delivery: the bytes that reach the consumer, the payload as it was meant, and the label of the fault if there is one.
#pragma once

#include <bankhook/base/enumerators.hpp>
#include <bankhook/events/rules/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI {

/// What a sandbox does to deliveries, in the order of the fields of Faults.
enum class FaultKind : std::uint8_t { duplicate, reorder, drop, truncate, mutate, future };

/// How a consumer can detect a fault.
enum class DetectedBy : std::uint8_t {
  nothing,    ///< neither `diagnose` nor a tracker reports anything about the delivery
  rule,       ///< it breaks a rule of the catalogue
  repeat,     ///< it contains nothing new about its connection or transaction
  lifecycle,  ///< the lifecycle excludes it now: a `create` or `created` of a known key, or an event after the last one
};

/// What a consumer can notice at one delivery: the first thing that this library reports. Other findings may come with it.
struct Detectable {
  DetectedBy detected_by = DetectedBy::nothing;
  RuleId rule{};  ///< if `detected_by` is rule

  constexpr bool operator==(const Detectable&) const = default;
  constexpr explicit operator bool() const { return detected_by != DetectedBy::nothing; }
};

/// The stable id of the rule, else the name of what it is detected by. Static storage.
[[nodiscard]] constexpr std::string_view to_string(const Detectable& detectable) {
  return detectable.detected_by == DetectedBy::rule ? rule_of(detectable.rule).id() : name_of(detectable.detected_by);
}

/// The label of one delivery. If the first event of a connection or transaction was lost, damaged or held back, and only a
/// later event shows it, it is the label of that delivery: `number` then differs from the delivery's.
struct Fault {
  FaultKind kind{};
  std::uint64_t number = 0;   ///< number of the event that was touched, counted from 0
  std::string_view what{};    ///< what was done to it, in a few words; static storage
  std::string_view field{};   ///< wire name of the field that was touched, or empty; static storage
  std::size_t offset = 0;     ///< where in its payload, in bytes: of the cut, the byte, the value; else 0
  std::uint32_t late_by = 0;  ///< how many events a duplicate or a late delivery waited for
  /// What can be noticed at the delivery that has this label: what `diagnose` reports first of damaged bytes, else what a
  /// tracker reports that was given every delivery before it, and nothing but deliveries.
  Detectable detectable{};

  constexpr bool operator==(const Fault&) const = default;
};

/// The bytes that reach the consumer, and how they differ from what the service meant. Views into the sandbox, valid until
/// its next call.
struct Delivery {
  std::string_view payload{};    ///< what the consumer gets
  std::string_view original{};   ///< the payload of the same event as the service meant it
  std::uint64_t number = 0;      ///< number of the event in the history, counted from 0; a gap is a drop
  std::optional<Fault> fault{};  ///< nothing if neither this delivery nor an earlier one that shows here was touched
};

}  // namespace bankhook::inline BANKHOOK_ABI
