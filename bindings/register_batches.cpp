// SPDX-License-Identifier: MIT
// Parts of archives at once: what `diagnose_lines` and `Tracker.apply_lines` add up; and is_clean.
#include "archive_reader.hpp"
#include "classes.hpp"
#include "docs_checks.hpp"
#include "docs_storage.hpp"
#include "findings.hpp"
#include "functions.hpp"
#include "outcome.hpp"
#include "parse.hpp"
#include "records.hpp"
#include "register.hpp"
#include "tracker.hpp"
#include "unlocked.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace bankhook::python {
namespace {

/// The listed names, in the order of AnyEvent.
pybind11::tuple event_names() {
  pybind11::list names;
  for_each_class([&]<class T>() {
    if constexpr (is_event<T> && !std::is_same_v<T, UnknownEvent>)
      names.append(std::string(reflect::type_wire_name<T>.view()));
    return true;
  });
  return names;
}

PyObject* listed_names = nullptr;  ///< those, made once

/// How many events of each name; that of those which are not listed is None.
pybind11::dict events_by_name(const LineCounts& counts) {
  pybind11::dict events;
  std::size_t index = 0;
  for (const pybind11::handle name : pybind11::reinterpret_borrow<pybind11::tuple>(listed_names))
    events[name] = counts.events[index++];
  events[none()] = counts.events[index];
  return events;
}

PyObject* is_clean_payload(PyObject*, PyObject* payload) {
  const pybind11::object bytes = checked(payload_bytes(payload, "is_clean"));
  Arena arena;
  const auto clean = unlocked(text_of(bytes).size() >= long_text, [&] { return is_clean(text_of(bytes), arena); });
  return clean ? PyBool_FromLong(*clean) : nullptr;
}

/// Characters before an event on its line: none if it is a line.
std::size_t column_of(const ArchivePart& part, std::size_t offset) {
  const auto found = std::ranges::lower_bound(part.elements, offset, {}, &detail::Element::offset);
  return found == part.elements.end() ? 0 : found->column;
}

/// `(lines, events, rejected, ((line, column, offset, raw), ...))` of the next part; None at the end of the archive.
PyObject* diagnose_part(PyObject*, PyObject* argument) {
  ArchiveReader& self = archive_reader(argument);
  const Busy busy(*self.reading);
  ArchivePart part;
  if (!self.reading->parts.next(self.source, part)) Py_RETURN_NONE;
  LineCounts counts;
  std::vector<std::pair<std::size_t, std::string_view>> unclean;
  {
    const Unlocked without_lock;
    with_reader(part, *self.reading, [&](auto& reader) {
      detail::diagnose_each(reader, self.reading->arena, counts, [&](const ArchiveLine& line) {
        unclean.emplace_back(line.number, line.raw);
        return true;
      });
    });
  }
  const pybind11::tuple reported = tuple_of(unclean.size(), [&](std::size_t i) -> pybind11::object {
    const auto& [line, raw] = unclean[i];
    const auto offset = static_cast<std::size_t>(raw.data() - part.text.data());
    return pybind11::make_tuple(line, column_of(part, offset), part.offset + offset, bytes_of(raw));
  });
  if (PyErr_CheckSignals() != 0) return nullptr;
  return pybind11::make_tuple(self.reading->before, events_by_name(counts), counts.rejected, reported).release().ptr();
}

Verdict verdict_from(PyObject* given) {
  const auto text = PyUnicode_Check(given) ? utf8_of(given) : std::nullopt;
  const auto found = text ? std::ranges::find(enumerator_names<Verdict>, *text) : enumerator_names<Verdict>.end();
  if (found != enumerator_names<Verdict>.end()) return static_cast<Verdict>(found - enumerator_names<Verdict>.begin());
  PyErr_SetString(PyExc_ValueError, "Tracker.apply_lines: report: expected specified, assumed, unspecified or contradicts");
  throw pybind11::error_already_set();
}

/// Whether the event concerns this member.
bool is_of(const AnyEvent& event, std::string_view member_id) {
  return std::visit(
      [&]<class T>(const T& known) {
        if constexpr (std::is_same_v<T, UnknownEvent>) return false;
        else return known.customer.id == member_id;
      },
      event);
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
  std::size_t first_rejected = 0;  ///< the first line that is not an event; 0 if all are
  std::size_t repeats = 0;
  std::size_t not_accepted = 0;
  std::map<std::string_view, std::size_t> changes{};  ///< by their labels
  std::vector<VerdictCount> verdict_counts{};         ///< in the order of their first lines

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

pybind11::tuple verdict_counts_of(const AppliedCounts& counts) {
  return tuple_of(counts.verdict_counts.size(), [&](std::size_t i) -> pybind11::object {
    const VerdictCount& count = counts.verdict_counts[i];
    return pybind11::make_tuple(member_of(count.verdict), reason_to_python(count.reason), count.repeat, count.events,
                                count.first_line);
  });
}

pybind11::dict changes_of(const AppliedCounts& counts) {
  pybind11::dict changes;
  for (const auto& [label, count] : counts.changes) changes[checked(steal(text_to_python(label)))] = count;
  return changes;
}

/// `(lines, events, rejected, first_rejected, repeats, not_accepted, changes, verdict_counts, [(line, raw, outcome), ...])`
/// of the next part; None at the end of the archive. The lock stays held: a tracker is for one thread at a time. After an
/// interruption it has the events so far.
PyObject* apply_part(PyObject*, PyObject* arguments) {
  PyObject *tracker = nullptr, *reader_object = nullptr, *report = nullptr, *member = nullptr;
  if (PyArg_ParseTuple(arguments, "O!OOO:_apply_part", class_of<Tracker>, &tracker, &reader_object, &report, &member) == 0)
    return nullptr;
  const Verdict least = verdict_from(report);
  const std::string_view member_id =
      member == Py_None ? std::string_view() : text_argument("Tracker.apply_lines: member", member);
  ArchiveReader& self = archive_reader(reader_object);
  const Busy busy(*self.reading);
  ArchivePart part;
  if (!self.reading->parts.next(self.source, part)) Py_RETURN_NONE;
  AppliedCounts counts;
  pybind11::list outcomes;
  with_reader(part, *self.reading, [&](auto& reader) {
    Arena& arena = self.reading->arena;
    ArchiveLine line{};
    for (arena.reset(); reader.next(line); arena.reset()) {
      counts.counted.add(line);
      if (!line.event) {
        if (counts.first_rejected == 0) counts.first_rejected = line.number;
        continue;
      }
      const Outcome outcome = tracker_of(tracker).apply(*line.event);
      counts.add(outcome, line.number);
      const bool is_reported = member == Py_None ? outcome.verdict >= least : is_of(*line.event, member_id);
      if (is_reported) outcomes.append(pybind11::make_tuple(line.number, bytes_of(line.raw), outcome_to_python(outcome)));
    }
  });
  if (PyErr_CheckSignals() != 0) return nullptr;
  return pybind11::make_tuple(self.reading->before, events_by_name(counts.counted), counts.counted.rejected,
                              counts.first_rejected > 0 ? number(counts.first_rejected) : none(), counts.repeats,
                              counts.not_accepted, changes_of(counts), verdict_counts_of(counts), outcomes)
      .release()
      .ptr();
}

/// `Tracker.apply_lines`, which the package's Python answers: it opens the source, and adds up what its parts mean.
PyObject* apply_archive(PyObject* self, PyObject* arguments, PyObject* keywords) {
  const auto apply = pybind11::module_::import("bankhook._records.archives").attr("apply_lines");
  const auto given = pybind11::reinterpret_borrow<pybind11::tuple>(arguments);
  const pybind11::object all =
      checked(steal(PySequence_Concat(pybind11::make_tuple(pybind11::handle(self)).ptr(), given.ptr())));
  return PyObject_Call(apply.ptr(), all.ptr(), keywords);
}

PyMethodDef archive_functions[] = {
    with_one<is_clean_payload>("is_clean", "(payload: Buffer | str, /) -> bool", docs::is_clean),
    with_one<diagnose_part>("_diagnose_part",
                            "(reader: _ArchiveReader, /) -> tuple[int, dict[str | None, int], int, tuple[tuple[int, int, "
                            "int, bytes], ...]] | None",
                            "What the next part of an archive is, counted."),
    with_several<apply_part>("_apply_part",
                             "(tracker: Tracker, reader: _ArchiveReader, report: str, member: str | None, /) -> "
                             "tuple[Any, ...] | None",
                             "What the next part of an archive means, counted."),
    {},
};

}  // namespace

void add_archives(std::vector<PyMethodDef>& methods) {
  methods.push_back(with_keywords<apply_archive>(
      "apply_lines",
      "(self, source: Source, /, *, report: str = \"contradicts\", member: str | None = None, limit: int | None = None) -> "
      "AppliedLines",
      docs::apply_lines));
}

void register_batches(pybind11::module_& module) {
  add_functions(module, archive_functions);
  listed_names = event_names().release().ptr();
  module.attr("_event_names") = pybind11::handle(listed_names);
}

}  // namespace bankhook::python
