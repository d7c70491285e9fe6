// SPDX-License-Identifier: MIT
// The assumptions of the tracker that a user can replace.
#pragma once

#include <bankhook/base/compiler.hpp>

namespace bankhook::inline BANKHOOK_ABI {

/// What a tracker does about late events and about connections that are no longer listed. The order of deliveries is not
/// shown (6), so all of this is assumed.
struct TrackerOptions {
  /// Apply a `created` for a known transaction and a `create` for a known connection like any other event: for a service
  /// that reports more than creations with them. A redelivered one then undoes what is newer, and its list and counts are
  /// applied, too. Without this option, such an event is late or a repeat and changes nothing.
  bool accept_late = false;
  /// Treat a connection that is no longer among all connections of its member (2.1) as unlisted; the rule
  /// `unlisted_connection_is_gone`. Without this option, only its own delete removes a connection.
  bool unlist = true;
};

}  // namespace bankhook::inline BANKHOOK_ABI
