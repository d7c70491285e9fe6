// SPDX-License-Identifier: MIT
// A consumer of the deliveries, made of this library: what `diagnose` and a tracker report is what can be noticed.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/evidence.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/rules/check.hpp>
#include <bankhook/events/rules/diagnose.hpp>
#include <bankhook/events/rules/finding.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/sandbox/delivery.hpp>
#include <bankhook/sandbox/options.hpp>
#include <bankhook/tracking/outcome.hpp>
#include <bankhook/tracking/reason.hpp>
#include <bankhook/tracking/tracker.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <variant>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI::sandbox {

/// What a tracker's outcome shows. What is merely assumed is the ordinary way of an event, and shows nothing.
[[nodiscard]] inline Detectable noticed(const Outcome& outcome) {
  if (outcome.repeat) return {.detected_by = DetectedBy::repeat};
  if (outcome.verdict < Verdict::unspecified) return {};
  const Reason::Row& reason = outcome.reason;
  if (const auto* const rule = std::get_if<const Rule*>(&reason))
    return {.detected_by = DetectedBy::rule, .rule = (*rule)->rule};
  return {.detected_by = std::holds_alternative<std::monostate>(reason) ? DetectedBy::nothing : DetectedBy::lifecycle};
}

/// What `diagnose` reports of a payload: the rule for which `parse` rejects it, else the first one that it breaks. It is
/// asked only if reading and `check` leave that open: most damaged payloads are not JSON any more, or break one rule, and
/// to read one takes a tenth of the time.
template <std::same_as<bankhook::detail::Parsed> P>
[[nodiscard]] Detectable noticed(std::string_view payload, const P& parsed) {
  if (parsed) {
    const Findings broken = check(*parsed.event);
    const bool is_all = !parsed.has_notes;
    if (is_all && broken.empty()) return {};
    if (is_all && broken.size() == 1) return {.detected_by = DetectedBy::rule, .rule = broken[0].rule};
  } else {
    const RuleId rule = rule_of(parsed.event.error().code);
    const bool is_syntax = rule == RuleId::payload_is_json_object || rule == RuleId::text_is_utf8;
    if (is_syntax) return {.detected_by = DetectedBy::rule, .rule = rule};
  }
  const std::vector<Finding> findings = diagnose(payload);
  const auto rejected = std::find_if(findings.begin(), findings.end(),
                                     [](const Finding& finding) { return finding.severity == Severity::error; });
  const Finding& first = rejected != findings.end() ? *rejected : findings.front();
  return {.detected_by = DetectedBy::rule, .rule = first.rule};
}

/// It gets every delivery, in the order in which they are delivered. A template so that only users of a sandbox compile it.
template <class = void>
class BasicConsumer {
 public:
  explicit BasicConsumer(const SandboxOptions& options)
      : tracker_({.connections = options.connection_lifecycle, .transactions = options.transaction_lifecycle}) {}

  /// An event whose payload is as it was meant.
  Detectable take(const AnyEvent& event) {
    const Outcome outcome = tracker_.apply(event);
    misses_first_ = std::any_of(outcome.changes.begin(), outcome.changes.end(),
                                [](const Change& change) { return change.first_event_missing; });
    return noticed(outcome);
  }
  /// Whether the last event that was taken is the first one of its connection or transaction, and no create or created.
  [[nodiscard]] bool misses_first() const { return misses_first_; }
  /// The same, of an event that was held back.
  Detectable take(std::string_view payload) {
    Arena arena;
    const auto event = parse(payload, arena);
    return event ? take(*event) : Detectable();
  }
  /// A payload that was touched.
  Detectable take_damaged(std::string_view payload) {
    Arena arena;
    const bankhook::detail::Parsed parsed = bankhook::detail::parse_and_note(payload, arena);
    if (parsed) tracker_.apply(*parsed.event);
    return noticed(payload, parsed);
  }

  /// Whether it tracks so much more than was left the last time that forgetting is worth its while.
  [[nodiscard]] bool is_full() const { return size() > bound_; }
  /// Forgets what `is_wanted` does not want.
  template <class IsWanted>
  void forget_unwanted(const IsWanted& is_wanted) {
    tracker_.forget_unwanted(is_wanted);
    bound_ = 2 * size() + least_bound;
  }
  /// How many members, connections and transactions are tracked.
  [[nodiscard]] std::size_t size() const {
    return tracker_.member_count() + tracker_.connection_count() + tracker_.transaction_count();
  }

 private:
  static constexpr std::size_t least_bound = 1'000;

  Tracker tracker_;
  std::size_t bound_ = least_bound;
  bool misses_first_ = false;
};
using Consumer = BasicConsumer<>;

}  // namespace bankhook::inline BANKHOOK_ABI::sandbox
