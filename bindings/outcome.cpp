// SPDX-License-Identifier: MIT
// Outcomes as records: verdict, reason, changes with their values, findings.
#include "findings.hpp"
#include "records.hpp"
#include "tracker.hpp"

#include <type_traits>
#include <variant>
#include <vector>

namespace bankhook::python {
namespace {

RecordClass change_class("Change", 13);
RecordClass outcome_class("Outcome", 7);

/// A value in Python, or as written on the wire: Python's values have lost the form of a time, and may have lost digits.
pybind11::object held_value(const ChangeValue& value, bool is_written) {
  return std::visit(
      [&]<class T>(const T& held) -> pybind11::object {
        if constexpr (std::is_same_v<T, std::monostate>) return none();
        else return checked(steal(is_written ? written(held) : value_to_python(held)));
      },
      value);
}

pybind11::object text_or_none(std::string_view text) { return text.empty() ? none() : to_object(text); }

pybind11::object change_to_python(const Change& change) {
  return change_class.make(change.kind, change.subject, change.id, text_or_none(change.parent_id),
                           text_or_none(change.field), held_value(change.before, false), held_value(change.after, false),
                           change.first_event_missing, held_value(change.before, true), held_value(change.after, true),
                           label_of(change), raises_error(change), status_reached(change));
}

}  // namespace

pybind11::object reason_to_python(const Reason& reason) {
  return std::visit(
      []<class Row>(Row row) -> pybind11::object {
        if constexpr (std::is_same_v<Row, std::monostate>) return none();
        else if constexpr (std::is_same_v<Row, const Rule*>) return to_python(*row);
        else return row_object(row);
      },
      static_cast<const Reason::Row&>(reason));
}

pybind11::tuple changes_to_python(const Changes& changes) { return tuple_of(changes, change_to_python); }

pybind11::object outcome_to_python(const Outcome& outcome) {
  const pybind11::tuple objects = changes_to_python(outcome.changes);
  const std::vector<Finding> findings(outcome.findings.begin(), outcome.findings.end());
  return outcome_class.make(outcome.verdict, reason_to_python(outcome.reason), outcome.accepted, outcome.repeat,
                            outcome.seen_before, objects, to_python(findings));
}

}  // namespace bankhook::python
