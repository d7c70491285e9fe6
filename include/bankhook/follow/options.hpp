// SPDX-License-Identifier: MIT
// What of the tracker's own choices can be chosen otherwise.
#pragma once

namespace bankhook {

/// The order of deliveries is not shown (6), so all of this is assumed.
struct TrackerOptions {
  /// Apply a `created` for a transaction that is known and a `create` for a connection that is known, as any other event:
  /// for a service that tells of more than the creation by them. A redelivered one then undoes what is newer, its list and
  /// its counts included. Without it such an event is late or a repeat and changes nothing.
  bool accept_late = false;
  /// Take a connection that is no longer listed among all connections of its member (2.1) for unlisted; the rule
  /// `unlisted_connection_is_gone`. Without it only its own delete takes a connection away.
  bool unlist = true;
};

}  // namespace bankhook
