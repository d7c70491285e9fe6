// SPDX-License-Identifier: MIT
// The assumptions of the tracker that a user can replace: both lifecycles, and two choices that no table holds.
#pragma once

#include <bankhook/domain/connection_lifecycle.hpp>
#include <bankhook/domain/transaction_lifecycle.hpp>

#include <cstdint>

namespace bankhook::inline BANKHOOK_ABI {

/// What holds if the status of a transaction differs from its event's eventType, which are equal (6.3).
enum class StatusFrom : std::uint8_t {
  neither,     ///< nothing of the event is applied
  status,      ///< `initialTransaction.status`
  event_type,  ///< `eventType`
};

/// What a tracker moves its states by, and what it does where the specification leaves a choice. The order of deliveries is
/// not shown (6), so all of this is assumed.
struct TrackerOptions {
  /// The table must outlive the tracker, and have a row for each pair (`Machine::is_complete`): an eventType without one
  /// is not applied, a list without one moves nothing, and neither has a reason.
  ConnectionLifecycle connections = connection_lifecycle;
  TransactionLifecycle transactions = transaction_lifecycle;  ///< the same
  StatusFrom status_from = StatusFrom::neither;
  /// Take what a connection's create says where a list showed it otherwise before; else what was listed stays. The rule
  /// `create_differs_from_list`.
  bool take_create = false;
};

}  // namespace bankhook::inline BANKHOOK_ABI
