// SPDX-License-Identifier: MIT
// What a tracker answers to an event: verdict and basis, whether it is a repeat and accepted, changes and findings.
#pragma once

#include <bankhook/base/evidence.hpp>
#include <bankhook/events/check.hpp>
#include <bankhook/follow/basis.hpp>
#include <bankhook/follow/changes.hpp>

namespace bankhook {

/// The changes view the event and the tracker: they are valid until either goes or the tracker changes again.
struct Outcome {
  /// `specified` and `assumed`: as it should be. `unspecified`: nothing is known about its coming now (a repeat, a late
  /// event, a value that is not listed). `contradicts`: it breaks a stated rule within itself.
  Verdict verdict = Verdict::specified;
  /// The rule or the row of a lifecycle that the verdict rests on. Of several that are as bad, the order of events comes
  /// first; all rules that the event breaks are in `findings`.
  Basis basis{};
  /// The event says nothing that is not held: it is the last accepted one of its key once more. That is unspecified, for
  /// retries are not shown (6), and without basis.
  bool repeat = false;
  /// Whether the tracker holds what the event says: false if a row of the lifecycle says that it never comes now.
  bool accepted = true;
  /// What is different once the event is taken; empty for a repeat and for what is not accepted.
  Changes changes{};
  /// The rules between its members that the event breaks, as `check` gives them.
  Findings findings{};

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

}  // namespace bankhook
