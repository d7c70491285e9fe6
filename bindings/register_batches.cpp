// SPDX-License-Identifier: MIT
// Whole parts of archives at once: is_clean, diagnose_lines, and Tracker.apply_lines.
#include "classes.hpp"
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
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace bankhook::python {
namespace {

/// What the interpreter's lock need not be held for.
struct Unclean {
  std::size_t number, offset, size;
};

/// Whole lines of an archive: from `start` up to what is reported as number `most`; `before` lines lie before it.
struct Batch {
  pybind11::object lines;  ///< bytes
  std::size_t start = 0;
  std::size_t before = 0;
  std::size_t most = SIZE_MAX;
};

/// A count from an argument. Throws what Python raises.
std::size_t count_argument(PyObject* given, const std::string& name) {
  if (!PyLong_Check(given)) refuse_argument(name.c_str(), "int", given);
  const std::size_t count = PyErr_Occurred() == nullptr ? PyLong_AsSize_t(given) : 0;
  if (PyErr_Occurred() == nullptr) return count;
  if (PyLong_Check(given)) PyErr_Format(PyExc_ValueError, "%s: expected 0 or more", name.c_str());
  throw pybind11::error_already_set();
}

/// The batch of these arguments; `most` may be None.
Batch batch_of(const std::string& function, PyObject* lines, PyObject* start, PyObject* before, PyObject* most) {
  Batch batch{.lines = checked(payload_bytes(lines, function.c_str()))};
  if (start != nullptr) batch.start = count_argument(start, function + ": start");
  if (before != nullptr) batch.before = count_argument(before, function + ": before");
  if (most != Py_None) batch.most = count_argument(most, function + ": most");
  if (batch.start > text_of(batch.lines).size())
    PyErr_Format(PyExc_ValueError, "%s: start lies after the end", function.c_str());
  else if (batch.most == 0) PyErr_Format(PyExc_ValueError, "%s: most: expected 1 or more, or None", function.c_str());
  else return batch;
  throw pybind11::error_already_set();
}

/// The records of these answers.
struct Records {
  PyTypeObject* count = record_class("bankhook._records", "VerdictCount");
  PyTypeObject* line_outcome = record_class("bankhook._records", "LineOutcome");
  PyTypeObject* followed_lines = record_class("bankhook._records", "AppliedLines");
  PyTypeObject* unclean_line = record_class("bankhook._records", "LineFindings");
  PyTypeObject* lines_report = record_class("bankhook._records", "LinesReport");
};
const Records& records() {
  static const Records all;
  return all;
}

/// How many events of each name; that of those which are not listed is None.
pybind11::dict events_by_name(const LineCounts& counts) {
  pybind11::dict events;
  std::size_t index = 0;
  for_each_class([&]<class T>() {
    if constexpr (is_event<T> && !std::is_same_v<T, UnknownEvent>)
      events[pybind11::str(std::string(reflect::type_wire_name<T>.view()))] = counts.events[index++];
    return true;
  });
  events[none()] = counts.events[index];
  return events;
}

PyObject* is_clean_payload(PyObject*, PyObject* payload) {
  const pybind11::object bytes = checked(payload_bytes(payload, "is_clean"));
  Arena arena;
  const auto clean = unlocked(text_of(bytes).size() >= long_text, [&] { return is_clean(text_of(bytes), arena); });
  return clean ? PyBool_FromLong(*clean) : nullptr;
}

/// What `diagnose_lines` found, and up to which byte of the batch.
struct Judged {
  LineCounts counts;
  std::vector<Unclean> unclean{};
  std::size_t end = 0;
};

Judged lines_report(const Batch& batch) {
  const std::string_view all = text_of(batch.lines);
  Judged judged{.counts = {.lines = batch.before}, .end = batch.start};
  Arena arena;
  while (judged.end < all.size() && judged.unclean.size() < batch.most) {
    const std::string_view part = first_part(all.substr(judged.end));
    {
      const Unlocked without_lock;
      judged.end += diagnose_lines(part, arena, judged.counts, [&](std::size_t number, std::string_view raw) {
        judged.unclean.push_back({number, static_cast<std::size_t>(raw.data() - all.data()), raw.size()});
        return judged.unclean.size() < batch.most;
      });
    }
    if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
  }
  return judged;
}

PyObject* judge_archive(PyObject*, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"", "start", "before", "most", nullptr};
  PyObject *lines = nullptr, *start = nullptr, *before = nullptr, *most = Py_None;
  if (PyArg_ParseTupleAndKeywords(arguments, keywords, "O|$OOO:diagnose_lines", const_cast<char**>(names), &lines, &start,
                                  &before, &most) == 0)
    return nullptr;
  const auto [counts, unclean, end] = lines_report(batch_of("diagnose_lines", lines, start, before, most));
  const pybind11::tuple reported = tuple_of(unclean.size(), [&unclean = unclean](std::size_t i) {
    const Unclean& line = unclean[i];
    return make_record(records().unclean_line, number(line.number), number(line.offset), number(line.size));
  });
  return make_record(records().lines_report, number(counts.lines), number(end), events_by_name(counts),
                     number(counts.refused), reported)
      .release()
      .ptr();
}

Verdict verdict_from(PyObject* given) {
  const auto text = PyUnicode_Check(given) ? utf8_of(given) : std::nullopt;
  const auto found = text ? std::ranges::find(enumerator_names<Verdict>, *text) : enumerator_names<Verdict>.end();
  if (found != enumerator_names<Verdict>.end()) return static_cast<Verdict>(found - enumerator_names<Verdict>.begin());
  PyErr_SetString(PyExc_ValueError, "Tracker.apply_lines: told: expected specified, assumed, unspecified or contradicts");
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

pybind11::tuple grounds_of(const FollowCounts& counts) {
  return tuple_of(counts.verdict_counts.size(), [&](std::size_t i) {
    const VerdictCount& count = counts.verdict_counts[i];
    return make_record(records().count, member_of(count.verdict), reason_to_python(count.reason), truth(count.repeat),
                       number(count.events), number(count.first_line));
  });
}

pybind11::dict changes_of(const FollowCounts& counts) {
  pybind11::dict changes;
  for (std::size_t i = 0; i < counts.changes.size(); ++i) {
    if (counts.changes[i] > 0) changes[pybind11::handle(enum_members<ChangeKind>[i])] = counts.changes[i];
  }
  return changes;
}

/// The lock stays held: a tracker is for one thread at a time. After an interruption it has the events so far.
PyObject* apply_archive(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"", "told", "member", "start", "before", "most", nullptr};
  PyObject *lines = nullptr, *told = nullptr, *member = Py_None, *start = nullptr, *before = nullptr, *most = Py_None;
  if (PyArg_ParseTupleAndKeywords(arguments, keywords, "O|$OOOOO:apply_lines", const_cast<char**>(names), &lines, &told,
                                  &member, &start, &before, &most) == 0)
    return nullptr;
  const Batch batch = batch_of("Tracker.apply_lines", lines, start, before, most);
  const Verdict least = told == nullptr ? Verdict::contradicts : verdict_from(told);
  const std::string_view member_id =
      member == Py_None ? std::string_view() : text_argument("Tracker.apply_lines: member", member);
  FollowCounts counts{.counted = {.lines = batch.before}};
  pybind11::list outcomes;
  const auto report = [&](const ArchiveLine& line, const Outcome& outcome) {
    const bool is_told = member == Py_None ? outcome.verdict >= least : is_of(*line.event, member_id);
    if (!is_told) return true;
    const pybind11::object raw = bytes_of(line.raw);
    outcomes.append(make_record(records().line_outcome, number(line.number), raw, outcome_to_python(outcome)));
    return outcomes.size() < batch.most;
  };
  const std::string_view all = text_of(batch.lines);
  std::size_t end = batch.start;
  Arena arena;
  while (end < all.size() && outcomes.size() < batch.most) {
    end += apply_lines(tracker_of(self), first_part(all.substr(end)), arena, counts, report);
    if (PyErr_CheckSignals() != 0) return nullptr;
  }
  return make_record(records().followed_lines, number(counts.counted.lines), number(end), events_by_name(counts.counted),
                     number(counts.counted.refused), counts.first_refused > 0 ? number(counts.first_refused) : none(),
                     number(counts.repeats), number(counts.not_accepted), changes_of(counts), grounds_of(counts),
                     pybind11::tuple(outcomes))
      .release()
      .ptr();
}

PyMethodDef archive_functions[] = {
    with_one<is_clean_payload>("is_clean",
                               "is_clean(payload, /)\n--\n\nWhether `diagnose` finds nothing in the payload, "
                               "at the speed of `parse`."),
    with_keywords<judge_archive>(
        "diagnose_lines",
        "diagnose_lines(lines, /, *, start=0, before=0, most=None)\n--\n\nThe lines of an archive in which "
        "`diagnose` finds something, and how many events there are of each name.\n\n"
        "Reads without the interpreter's lock. The part from byte `start` is judged, up to the unclean line "
        "that is\nnumber `most`; `before` lines lie before it in the archive."),
    {},
};

}  // namespace

void add_archives(std::vector<PyMethodDef>& methods) {
  methods.push_back(with_keywords<apply_archive>(
      "apply_lines",
      "apply_lines($self, lines, /, *, told='contradicts', member=None, start=0, before=0, most=None)\n--\n\n"
      "Takes every event of an archive's lines and counts what they meant; a line that is no event is left out.\n\n"
      "Told are the outcomes whose verdict is `told` or worse, or all that concern `member`, where one is given.\n"
      "The part from byte `start` is applied, up to the line that is told as number `most`; `before` lines lie\n"
      "before it in the archive."));
}

void register_batches(pybind11::module_& module) { add_functions(module, archive_functions); }

}  // namespace bankhook::python
