// SPDX-License-Identifier: MIT
// What a tracker answers to an event: verdict and reason, whether it was accepted and is a repeat, changes and findings.
#pragma once

#include <bankhook/base/evidence.hpp>
#include <bankhook/domain/initial_transaction.hpp>
#include <bankhook/events/check.hpp>
#include <bankhook/follow/changes.hpp>
#include <bankhook/follow/reason.hpp>
#include <bankhook/reflect/open_enum.hpp>

#include <algorithm>
#include <string_view>
#include <variant>

namespace bankhook {

/// The changes view the event and the tracker: they are valid until either goes or the tracker changes again.
struct Outcome {
  /// `specified` and `assumed`: as it should be. `unspecified`: nothing is known about its coming now (a repeat, a late
  /// event, a value that is not listed). `contradicts`: it breaks a stated rule within itself.
  Verdict verdict = Verdict::specified;
  /// The rule or the row of a lifecycle that the verdict rests on. Of several that are as bad, the order of events comes
  /// first; all rules that the event breaks are in `findings`. Empty if the specification says nothing at all.
  Reason reason{};
  /// Whether the tracker has what the event says about its key: false for a `create` or `created` of what is known.
  bool accepted = true;
  /// The event contains nothing new about its key, and nothing else was taken from it. That is unspecified, for retries
  /// are not shown (6), and without a reason.
  bool repeat = false;
  /// One of the last events of its key that changed something, at least the last four different ones, was this very event.
  /// It is a redelivery or the same news again: events carry no id, so nobody can tell. It informs only; nothing else in
  /// this outcome depends on it.
  bool seen_before = false;
  /// What is different after the event; empty for a repeat and for what is not accepted.
  Changes changes{};
  /// The rules between its fields that the event breaks, as `check` gives them.
  Findings findings{};

  /// Whether the event's transaction has this status now and had not before: it changed, or the transaction was added with
  /// it. True once for a status that is reached, however often the event comes; again if the status was left meanwhile.
  [[nodiscard]] bool became(const OpenEnum<TransactionStatus>& status) const {
    return std::any_of(changes.begin(), changes.end(), [&](const Change& change) {
      if (change.kind != ChangeKind::transaction_added && change.kind != ChangeKind::transaction_status_changed) return false;
      const auto* const text = std::get_if<std::string_view>(&change.after);
      return text != nullptr && *text == status.text();
    });
  }

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

}  // namespace bankhook
