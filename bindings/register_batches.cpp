// SPDX-License-Identifier: MIT
// Whole parts of archives at once: is_clean, diagnose_lines, and Tracker.apply_lines.
#include "classes.hpp"
#include "findings.hpp"
#include "outcome.hpp"
#include "parse.hpp"
#include "register.hpp"
#include "tracker.hpp"
#include "unlocked.hpp"

#include <pybind11/stl.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace bankhook::python {
namespace {

namespace py = pybind11;

/// What the interpreter's lock need not be held for.
struct Unclean {
  std::size_t number, offset, size;
};

/// Where a batch begins and how much of it is told.
struct Batch {
  py::object lines;  ///< bytes
  std::size_t start;
  std::size_t most;

  Batch(const py::object& given, const char* function, std::size_t start_, std::optional<std::size_t> most_)
      : lines(checked(payload_bytes(given.ptr(), function))), start(start_), most(most_.value_or(SIZE_MAX)) {
    if (start > text_of(lines).size()) throw py::value_error(std::string(function) + ": start lies after the end");
    if (most == 0) throw py::value_error(std::string(function) + ": most: expected 1 or more, or None");
  }
};

py::object make(const char* name, const py::tuple& items) {
  return py::module_::import("bankhook._batches").attr(name)(*items);
}

/// How many events of each name; that of those which are not listed is None.
py::dict events_by_name(const LineCounts& counts) {
  py::dict events;
  std::size_t index = 0;
  for_each_class([&]<class T>() {
    if constexpr (is_event<T> && !std::is_same_v<T, UnknownEvent>)
      events[py::str(std::string(reflect::type_wire_name<T>.view()))] = counts.events[index++];
    return true;
  });
  events[py::none()] = counts.events[index];
  return events;
}

bool is_clean_payload(const py::object& payload) {
  const py::object bytes = checked(payload_bytes(payload.ptr(), "is_clean"));
  Arena arena;
  const auto clean = unlocked(text_of(bytes).size() >= long_text, [&] { return is_clean(text_of(bytes), arena); });
  if (!clean) throw py::error_already_set();
  return *clean;
}

/// What `diagnose_lines` found, and up to which byte of the batch.
struct Judged {
  LineCounts counts;
  std::vector<Unclean> unclean{};
  std::size_t end = 0;
};

Judged lines_report(const Batch& batch, std::size_t before) {
  const std::string_view all = text_of(batch.lines);
  Judged judged{.counts = {.lines = before}, .end = batch.start};
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
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
  return judged;
}

py::object judge(const py::object& lines, std::size_t start, std::size_t before, std::optional<std::size_t> most) {
  const Batch batch(lines, "diagnose_lines", start, most);
  const auto [counts, unclean, end] = lines_report(batch, before);
  py::tuple told(unclean.size());
  for (std::size_t i = 0; i < unclean.size(); ++i)
    told[i] = make("LineFindings", py::make_tuple(unclean[i].number, unclean[i].offset, unclean[i].size));
  return make("LinesReport", py::make_tuple(counts.lines, end, events_by_name(counts), counts.refused, told));
}

Verdict verdict_from(const py::object& text) {
  const auto& members = enum_members<Verdict>;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (text.equal(py::handle(members[i]))) return static_cast<Verdict>(i);
  }
  throw py::value_error("Tracker.apply_lines: told: expected specified, assumed, unspecified or contradicts");
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

py::tuple grounds_of(const FollowCounts& counts) {
  py::tuple verdict_counts(counts.verdict_counts.size());
  for (std::size_t i = 0; i < counts.verdict_counts.size(); ++i) {
    const VerdictCount& count = counts.verdict_counts[i];
    verdict_counts[i] =
        make("VerdictCount", py::make_tuple(py::handle(enum_members<Verdict>[static_cast<std::size_t>(count.verdict)]),
                                            reason_to_python(count.reason), count.repeat, count.events, count.first_line));
  }
  return verdict_counts;
}

py::dict changes_of(const FollowCounts& counts) {
  py::dict changes;
  for (std::size_t i = 0; i < counts.changes.size(); ++i) {
    if (counts.changes[i] > 0) changes[py::handle(enum_members<ChangeKind>[i])] = counts.changes[i];
  }
  return changes;
}

/// The lock stays held: a tracker is for one thread at a time. After an interruption it has the events so far.
py::object apply(PyTracker& self, const py::object& lines, const py::object& told, const std::optional<py::str>& member,
                 std::size_t start, std::size_t before, std::optional<std::size_t> most) {
  const Batch batch(lines, "Tracker.apply_lines", start, most);
  const Verdict least = verdict_from(told);
  const std::string_view member_id = member ? text_in(*member) : std::string_view();
  FollowCounts counts{.counted = {.lines = before}};
  py::list outcomes;
  const std::string_view all = text_of(batch.lines);
  std::size_t end = batch.start;
  Arena arena;
  while (end < all.size() && outcomes.size() < batch.most) {
    end += apply_lines(self.tracker, first_part(all.substr(end)), arena, counts,
                       [&](const Line& line, const Outcome& outcome) {
                         const bool is_told = member ? is_of(*line.event, member_id) : outcome.verdict >= least;
                         if (!is_told) return true;
                         const py::bytes raw(line.raw.data(), line.raw.size());
                         outcomes.append(make("LineOutcome", py::make_tuple(line.number, raw, outcome_to_python(outcome))));
                         return outcomes.size() < batch.most;
                       });
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
  return make("AppliedLines",
              py::make_tuple(counts.counted.lines, end, events_by_name(counts.counted), counts.counted.refused,
                             counts.first_refused > 0 ? py::cast(counts.first_refused) : py::none(), counts.repeats,
                             counts.not_accepted, changes_of(counts), grounds_of(counts), py::tuple(outcomes)));
}

}  // namespace

void add_batches(py::class_<PyTracker>& tracker) {
  using py::arg;
  tracker.def("apply_lines", &apply, arg("lines"), py::pos_only(), py::kw_only(), arg("told") = "contradicts",
              arg("member") = py::none(), arg("start") = 0, arg("before") = 0, arg("most") = py::none(),
              "apply_lines(self, lines, /, *, told='contradicts', member=None, start=0, before=0, most=None)\n--\n\n"
              "Takes every event of an archive's lines and counts what they meant; a line that is no event is left out.\n\n"
              "Told are the outcomes whose verdict is `told` or worse, or all that concern `member`, where one is given.\n"
              "The part from byte `start` is applied, up to the line that is told as number `most`; `before` lines lie\n"
              "before it in the archive.");
}

void register_batches(pybind11::module_& module) {
  using py::arg;
  py::options with_our_signatures;
  with_our_signatures.disable_function_signatures();
  module.def("is_clean", &is_clean_payload, arg("payload"), py::pos_only(),
             "is_clean(payload, /)\n--\n\nWhether `diagnose` finds nothing in the payload, at the speed of `parse`.");
  module.def("diagnose_lines", &judge, arg("lines"), py::pos_only(), py::kw_only(), arg("start") = 0, arg("before") = 0,
             arg("most") = py::none(),
             "diagnose_lines(lines, /, *, start=0, before=0, most=None)\n--\n\nThe lines of an archive in which `diagnose` "
             "finds something, and how many events there are of each name.\n\n"
             "Reads without the interpreter's lock. The part from byte `start` is judged, up to the unclean line that is\n"
             "number `most`; `before` lines lie before it in the archive.");
}

}  // namespace bankhook::python
