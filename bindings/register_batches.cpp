// SPDX-License-Identifier: MIT
// Parts of archives at once: what `diagnose_lines` and `Tracker.apply_lines` add up; and is_clean.
#include "archive_parts.hpp"
#include "bound.hpp"
#include "classes.hpp"
#include "findings.hpp"
#include "records.hpp"
#include "tracker.hpp"
#include "unlocked.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::python {
namespace {

pybind11::object is_clean_payload(PyObject*, PyObject* payload) {
  const pybind11::object bytes = payload_bytes(payload, "is_clean");
  Arena arena;
  return to_object(unlocked(text_of(bytes).size() >= long_text, [&] { return is_clean(text_of(bytes), arena); }));
}

/// `(lines, events, rejected, ((line, raw, offset, column, index), ...))` of the next part; None at the end of the archive.
/// Events are counted for each of `_event_names`, and together for all other names.
pybind11::object diagnose_part(ArchiveReader& reader) {
  const Busy busy(opened(reader));
  ArchivePart part;
  if (!reader.parts.next(reader.source.ptr(), part)) return none();
  LineCounts counts;
  std::vector<std::pair<std::size_t, std::string_view>> unclean;
  {
    const Unlocked without_lock;
    PartReader lines(part, reader.arena, reader.parts.lines);
    detail::read_each(lines, reader.arena, counts, [&](const ArchiveLine& line) {
      if (!detail::is_clean(line)) unclean.emplace_back(line.number, line.raw);
      return true;
    });
  }
  auto element = part.elements.begin();  // none of an archive of lines
  const pybind11::tuple reported = tuple_of(unclean, [&](const auto& found) {
    const auto& [line, raw] = found;
    const auto offset = static_cast<std::size_t>(raw.data() - part.text.data());
    element = std::ranges::find(element, part.elements.end(), offset, &Element::offset);
    const Element where = element == part.elements.end() ? Element{.place = part.offset + offset} : *element;
    return pybind11::make_tuple(line, bytes_of(raw), where.place, where.column, to_object(where.index));
  });
  check_signals();
  return pybind11::make_tuple(reader.parts.lines, tuple_of(counts.events), counts.rejected, reported);
}

/// Whether the event concerns the member with this id or external id.
bool is_of(const AnyEvent& event, std::string_view id) {
  return match(
      event, [](const UnknownEvent&) { return false; },
      [&](const auto& known) { return known.customer.id == id || known.customer.external_id == id; });
}

/// What a verdict rested on, how often, and where first.
struct VerdictCount {
  Verdict verdict{};
  Reason reason{};
  bool repeat = false;
  std::size_t events = 0;
  std::size_t first_line = 0;
};

/// What the lines of a part meant for a tracker, counted.
struct AppliedCounts {
  LineCounts counted{};
  std::size_t repeats = 0;
  std::size_t not_accepted = 0;
  TextCounts changes{};                        ///< by their labels
  std::vector<VerdictCount> verdict_counts{};  ///< in the order of their first lines

  void add(const Outcome& outcome, std::size_t line) {
    repeats += outcome.repeat;
    not_accepted += !outcome.accepted;
    for (const Change& change : outcome.changes) ++changes[label_of(change)];
    auto found = std::ranges::find_if(verdict_counts, [&](const VerdictCount& count) {
      return count.verdict == outcome.verdict && count.reason == outcome.reason && count.repeat == outcome.repeat;
    });
    if (found == verdict_counts.end())
      found = verdict_counts.insert(found, {outcome.verdict, outcome.reason, outcome.repeat, 0, line});
    ++found->events;
  }
};

/// `(lines, events, rejected, first_rejected, repeats, not_accepted, changes, verdict_counts, [(line, raw, outcome), ...])`
/// of the next part; None at the end of the archive. The lock stays held: a tracker is for one thread at a time. After an
/// interruption it has the events so far.
pybind11::object apply_part(Tracker& tracker, ArchiveReader& reader, pybind11::handle report, std::optional<Text> member) {
  const Verdict least = enumerator_argument<Verdict>("Tracker.apply_lines: report", report.ptr());
  const Busy busy(opened(reader));
  ArchivePart part;
  if (!reader.parts.next(reader.source.ptr(), part)) return none();
  AppliedCounts counts;
  pybind11::list outcomes;
  PartReader lines(part, reader.arena, reader.parts.lines);
  detail::read_each(lines, reader.arena, counts.counted, [&](const ArchiveLine& line) {
    if (!line.event) return true;
    const Outcome outcome = tracker.apply(*line.event);
    counts.add(outcome, line.number);
    const bool is_reported = member ? is_of(*line.event, *member) : outcome.verdict >= least;
    if (is_reported) outcomes.append(pybind11::make_tuple(line.number, bytes_of(line.raw), outcome_to_python(outcome)));
    return true;
  });
  check_signals();
  const auto verdicts = tuple_of(counts.verdict_counts, [](const VerdictCount& count) {
    return pybind11::make_tuple(to_object(count.verdict), reason_to_python(count.reason), count.repeat, count.events,
                                count.first_line);
  });
  return pybind11::make_tuple(reader.parts.lines, tuple_of(counts.counted.events), counts.counted.rejected,
                              counts.counted.rejected == 0 ? none() : to_object(counts.counted.first_rejected),
                              counts.repeats, counts.not_accepted, counts_to_python(counts.changes), verdicts, outcomes);
}

}  // namespace

void register_batches(pybind11::module_& module) {
  add_functions(module, {method<is_clean_payload>("is_clean")});
  module.def("_diagnose_part", checking("_diagnose_part", diagnose_part));
  module.def("_apply_part", checking("Tracker.apply_lines(reader, report, member)", apply_part));
  module.attr("_event_names") = tuple_of(event_classes().first(event_classes().size() - 1),
                                         [](const BoundClass& cls) { return cls.table.fields.front().type->text; });
}

}  // namespace bankhook::python
