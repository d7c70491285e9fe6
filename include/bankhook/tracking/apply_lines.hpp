// SPDX-License-Identifier: MIT
// Applies an archive to a tracker: counts what its lines meant, and reports each outcome to the caller.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/evidence.hpp>
#include <bankhook/events/archive/clean.hpp>
#include <bankhook/events/archive/line_reader.hpp>
#include <bankhook/tracking/changes.hpp>
#include <bankhook/tracking/outcome.hpp>
#include <bankhook/tracking/tracker.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI {

/// What a verdict rested on, how often, and where first.
struct VerdictCount {
  Verdict verdict{};
  Reason reason{};
  bool repeat = false;
  std::size_t events = 0;
  std::size_t first_line = 0;
};

/// What the lines of an archive meant for a tracker, counted; goes on from part to part.
struct AppliedCounts {
  LineCounts counted{};
  std::size_t first_rejected = 0;  ///< the first line that is not an event; 0 if all are
  std::size_t repeats = 0;
  std::size_t not_accepted = 0;
  std::map<std::string_view, std::size_t> changes{};  ///< by their labels
  std::vector<VerdictCount> verdict_counts{};         ///< in the order of their first lines

  void add(const Outcome& outcome, std::size_t line) {
    repeats += outcome.repeat;
    not_accepted += !outcome.accepted;
    for (const Change& change : outcome.changes) ++changes[label_of(change)];
    auto found = std::find_if(verdict_counts.begin(), verdict_counts.end(), [&](const VerdictCount& count) {
      return count.verdict == outcome.verdict && count.reason == outcome.reason && count.repeat == outcome.repeat;
    });
    if (found == verdict_counts.end())
      found = verdict_counts.insert(found, {outcome.verdict, outcome.reason, outcome.repeat, 0, line});
    ++found->events;
  }
};

}  // namespace bankhook::inline BANKHOOK_ABI

namespace bankhook::inline BANKHOOK_ABI::tracking::detail {

/// Applies and counts what `reader` reads; `tell` is called as that of `apply_lines` is.
template <class Reader, class Tell>
void apply_each(Tracker& tracker, Reader& reader, Arena& arena, AppliedCounts& counts, Tell tell) {
  ArchiveLine line{};
  for (arena.reset(); reader.next(line); arena.reset()) {
    counts.counted.add(line);
    if (!line.event) {
      if (counts.first_rejected == 0) counts.first_rejected = line.number;
      continue;
    }
    const Outcome outcome = tracker.apply(*line.event);
    counts.add(outcome, line.number);
    if (!tell(line, outcome)) break;
  }
  counts.counted.lines = reader.number();
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking::detail

namespace bankhook::inline BANKHOOK_ABI {

/// Applies the events of `ndjson` to `tracker`, one by one, and counts; a line that is not an event is counted and left
/// out.
/// @param arena is reset for each line
/// @param tell `(const ArchiveLine& line, const Outcome& outcome) -> bool` is called for each event once it is applied;
/// false stops
/// @return the bytes that were applied: all, or those up to the end of the line at which `tell` stopped
template <class Tell>
std::size_t apply_lines(Tracker& tracker, std::string_view ndjson, Arena& arena, AppliedCounts& counts, Tell tell) {
  detail::LineReader reader(ndjson, arena, counts.counted.lines);
  tracking::detail::apply_each(tracker, reader, arena, counts, tell);
  return reader.position();
}

}  // namespace bankhook::inline BANKHOOK_ABI
