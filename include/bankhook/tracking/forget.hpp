// SPDX-License-Identifier: MIT
// Lets a tracker forget keys whose events are over, so that following an endless stream takes bounded memory.
#pragma once

#include <bankhook/tracking/merge.hpp>
#include <bankhook/tracking/store/store.hpp>
#include <bankhook/tracking/tracker.hpp>

#include <utility>

namespace bankhook::inline BANKHOOK_ABI::tracking {

/// Keeps what `is_wanted` wants (see `add_copies`) and forgets the rest, as if it had never been tracked. Copies what it
/// keeps, so it pays only when much is to be forgotten. The predicate must not use the tracker.
template <class IsWanted>
void forget_unwanted(Tracker& tracker, const IsWanted& is_wanted) {
  Store kept;
  detail::add_copies(kept, tracker.store_, is_wanted);
  tracker.store_ = std::move(kept);
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking
