// SPDX-License-Identifier: MIT
// What a consumer keeps: the tracker of members, connections and transactions, and joint accounts.
#pragma once

// IWYU pragma: begin_exports
#include <bankhook/events.hpp>
#include <bankhook/tracking/apply_lines.hpp>
#include <bankhook/tracking/changes.hpp>
#include <bankhook/tracking/joint_accounts.hpp>
#include <bankhook/tracking/member.hpp>
#include <bankhook/tracking/member_state.hpp>
#include <bankhook/tracking/outcome.hpp>
#include <bankhook/tracking/snapshot.hpp>
#include <bankhook/tracking/tracker.hpp>
// IWYU pragma: end_exports
