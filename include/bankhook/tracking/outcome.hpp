// SPDX-License-Identifier: MIT
// What a tracker answers to an event: verdict and reason, whether it was accepted and is a repeat, changes and findings.
#pragma once

#include <bankhook/base/evidence.hpp>
#include <bankhook/domain/initial_transaction.hpp>
#include <bankhook/events/rules/check.hpp>
#include <bankhook/reflect/open_enum.hpp>
#include <bankhook/tracking/changes.hpp>
#include <bankhook/tracking/reason.hpp>

#include <algorithm>

namespace bankhook::inline BANKHOOK_ABI {

/// What an event means for the tracked state. It owns what it shows, but for the reason: that points to a rule, or to a row
/// of the tracker's tables.
struct Outcome {
  /// `specified` and `assumed`: as it should be. `unspecified`: nothing is known about it (a repeat, a `create` that comes
  /// late, a value that is not listed), or it takes away or changes what another event reported. `contradicts`: the event
  /// breaks a stated rule between its fields, one of those that `check` knows.
  Verdict verdict = Verdict::specified;
  /// The rule or the row of a lifecycle that the verdict rests on. If several are equally bad, the order of events comes
  /// first; all rules that the event breaks are in `findings`.
  Reason reason{};
  /// Whether the event was applied: false if a row of its table says never, as for a `create` or `created` that is late, if
  /// `status` and `eventType` differ, or if a date does not exist; nothing of it is taken then. Of one that is applied, its
  /// list and counts are not taken if they may be old, nor what a `create` says otherwise than a list. An exact repeat is
  /// applied, and changes nothing (a `create` only while its connection is still created by it); so is an event whose name
  /// is not listed.
  bool accepted = true;
  /// The event contains nothing new about its key, and nothing else was taken from it.
  bool repeat = false;
  /// This very event, its customer included, is one of the last eight different ones that were accepted for its key. It is
  /// a redelivery or the same news again: events carry no id, so nobody can tell. If it changes something it is at best
  /// `unspecified`.
  bool seen_before = false;
  /// What the event changed; empty if it is a repeat or is not accepted.
  Changes changes{};
  /// The rules that the event breaks, as `check` gives them: those between its fields, and that its values are listed.
  Findings findings{};

  /// Whether the event's transaction now has this status and did not before: it changed to it, or was added with it. True
  /// only once when the status is reached, however often the event comes; true again if the status was left meanwhile.
  [[nodiscard]] bool became(const OpenEnum<TransactionStatus>& status) const {
    return std::any_of(changes.begin(), changes.end(),
                       [&](const Change& change) { return status_reached(change) == status.text(); });
  }

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

}  // namespace bankhook::inline BANKHOOK_ABI
