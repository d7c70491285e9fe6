// SPDX-License-Identifier: MIT
// An archive through a tracker: counted as if its events had been applied one by one.
#include <bankhook_catch.hpp>

#include <bankhook/events/archive/lines.hpp>
#include <bankhook/tracking/apply_lines.hpp>

#include <support/files.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

namespace tracking_apply_lines_test {

using namespace bankhook;

namespace {

struct Reported {
  std::size_t outcomes = 0, changes = 0, repeats = 0, contradictions = 0;
  bool operator==(const Reported&) const = default;

  void add(const Outcome& outcome) {
    ++outcomes;
    changes += outcome.changes.size();
    repeats += outcome.repeat;
    contradictions += outcome.verdict == Verdict::contradicts;
  }
};

}  // namespace

TEST_CASE("an archive means for a tracker what its events mean one by one") {
  const std::string archive = test::read_file(test::data() / "archive.ndjson");
  Tracker at_once, one_by_one;
  Arena arena;
  AppliedCounts counts;
  Reported reported, expected;
  const std::size_t size =
      apply_lines(at_once, archive, arena, counts, [&](const ArchiveLine& line, const Outcome& outcome) {
        CHECK(line.event.has_value());
        reported.add(outcome);
        return true;
      });
  for (const ArchiveLine& line : Lines(archive, arena)) {
    if (line.event) expected.add(one_by_one.apply(*line.event));
  }
  CHECK(size == archive.size());
  CHECK(reported == expected);
  CHECK(at_once == one_by_one);
  std::size_t changes = 0, events = 0;
  for (const auto& [label, count] : counts.changes) changes += count;
  for (const VerdictCount& count : counts.verdict_counts) events += count.events;
  CHECK(changes == expected.changes);
  CHECK(events == expected.outcomes);
  CHECK(counts.repeats == expected.repeats);
}

TEST_CASE("a line that is no event is counted, its first one with its number") {
  Tracker tracker;
  Arena arena;
  AppliedCounts counts;
  const auto go_on = [](const ArchiveLine&, const Outcome&) { return true; };
  CHECK(apply_lines(tracker, "\n\n{}\n[]\n", arena, counts, go_on) == 8);
  CHECK(counts.counted == LineCounts{.lines = 4, .events = {}, .rejected = 2});
  CHECK(counts.first_rejected == 3);
  CHECK(tracker.member_count() == 0);
}

TEST_CASE("a count says what a verdict rests on and where it came up first") {
  Tracker tracker;
  Arena arena;
  AppliedCounts counts;
  const std::string_view archive = "{\"event\":\"other\"}\n\n{\"event\":\"other\"}\n";
  const auto stop = [](const ArchiveLine&, const Outcome&) { return false; };
  const std::size_t first = apply_lines(tracker, archive, arena, counts, stop);
  apply_lines(tracker, archive.substr(first), arena, counts, stop);
  REQUIRE(counts.verdict_counts.size() == 1);
  CHECK(counts.verdict_counts[0].events == 2);
  CHECK(counts.verdict_counts[0].first_line == 1);
  CHECK(std::get<const Rule*>(counts.verdict_counts[0].reason)->rule == RuleId::event_is_listed);
  CHECK(counts.counted.lines == 3);
}

}  // namespace tracking_apply_lines_test
