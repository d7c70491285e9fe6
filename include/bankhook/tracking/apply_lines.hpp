// SPDX-License-Identifier: MIT
// An archive of one event a line is applied to a tracker.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/events/lines.hpp>
#include <bankhook/tracking/outcome.hpp>
#include <bankhook/tracking/tracker.hpp>

#include <concepts>
#include <string_view>

namespace bankhook { inline namespace BANKHOOK_ABI {

/// Applies the events of an archive (one event a line) to `tracker`, in their order, and counts its lines.
/// @param ndjson blank lines are left out; a line that is no event is counted as rejected and never stops the rest
/// @param applied `(const ArchiveLine&, const Outcome&)` is called after each event; both are valid during the call
/// @return what the lines are
///
///     const auto counts = bankhook::apply_lines(tracker, archive, [&](const auto& line, const auto& outcome) {
///       if (outcome.verdict == bankhook::Verdict::contradicts) report(line.number, outcome.reason);
///     });
LineCounts apply_lines(Tracker& tracker, TransientBytes ndjson, auto applied) {
  Arena arena;
  LineCounts counts;
  detail::LineReader reader(ndjson, arena, 0);
  detail::read_each(reader, arena, counts, [&](const ArchiveLine& line) {
    if (line.event) applied(line, tracker.apply(*line.event));
    return true;
  });
  return counts;
}
/// The same, for whom the counts are enough.
LineCounts apply_lines(std::same_as<Tracker> auto& tracker, TransientBytes ndjson) {
  return apply_lines(tracker, ndjson, [](const ArchiveLine&, const Outcome&) {});
}

}}  // namespace bankhook::BANKHOOK_ABI
