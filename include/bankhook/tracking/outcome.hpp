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
#include <string_view>
#include <variant>

namespace bankhook::inline BANKHOOK_ABI {

/// What an event means for the tracked state. The changes view the event and the tracker: they are valid until either goes
/// or the tracker changes again.
struct Outcome {
  /// `specified` and `assumed`: as it should be. `unspecified`: the specification does not cover it (a repeat, a late
  /// event, a value that is not listed). `contradicts`: the event breaks a stated rule within itself.
  Verdict verdict = Verdict::specified;
  /// The rule or the row of a lifecycle that the verdict rests on. If several are equally bad, the order of events comes
  /// first; all rules that the event breaks are in `findings`. Empty if the specification does not cover the event.
  Reason reason{};
  /// Whether the tracker has what the event says about its key: false for a `create` or `created` of a known key.
  bool accepted = true;
  /// The event contains nothing new about its key, and nothing else was taken from it. Its verdict is `unspecified`,
  /// because retries are not shown (6), and it has no reason.
  bool repeat = false;
  /// This very event is one of the last that changed something about its key (at least the last four different ones are
  /// remembered). It is a redelivery or the same news again: events carry no id, so nobody can tell. This is only
  /// information; nothing else in this outcome depends on it.
  bool seen_before = false;
  /// What the event changed; empty if it is a repeat or is not accepted.
  Changes changes{};
  /// The rules between its fields that the event breaks, as `check` gives them.
  Findings findings{};

  /// Whether the event's transaction now has this status and did not before: it changed to it, or was added with it. True
  /// only once when the status is reached, however often the event comes; true again if the status was left meanwhile.
  [[nodiscard]] bool became(const OpenEnum<TransactionStatus>& status) const {
    return std::any_of(changes.begin(), changes.end(), [&](const Change& change) {
      if (change.kind != ChangeKind::transaction_added && change.kind != ChangeKind::transaction_status_changed)
        return false;
      const auto* const text = std::get_if<std::string_view>(&change.after);
      return text != nullptr && *text == status.text();
    });
  }

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

}  // namespace bankhook::inline BANKHOOK_ABI
