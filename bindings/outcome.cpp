// SPDX-License-Identifier: MIT
// Outcomes as records: verdict, reason, changes with their values, findings.
#include "outcome.hpp"

#include "findings.hpp"
#include "lifecycles.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace bankhook::python {
namespace {

/// Borrowed for good: the module holds them and is never unloaded.
RecordClass<13> change_class;
RecordClass<7> outcome_class;

pybind11::object value_to_python(const ChangeValue& value) {
  return std::visit(
      []<class T>(const T& held) -> pybind11::object {
        if constexpr (std::is_same_v<T, std::monostate>) return none();
        else return checked(steal(PythonType<T>::to_python(held)));
      },
      value);
}

/// The same as written on the wire: Python's values have lost the form of a time, and may have lost digits.
pybind11::object written_value(const ChangeValue& value) {
  return std::visit(
      []<class T>(const T& held) -> pybind11::object {
        if constexpr (std::is_same_v<T, std::monostate>) return none();
        else return checked(steal(written(held)));
      },
      value);
}

pybind11::object text_or_none(std::string_view text) {
  return text.empty() ? pybind11::none() : checked(steal(text_to_python(text)));
}

pybind11::object change_to_python(const Change& change) {
  const auto status = status_reached(change);
  return change_class.make(member_of(change.kind), member_of(change.subject), steal(text_to_python(change.id)),
                           text_or_none(change.parent_id), text_or_none(change.field), value_to_python(change.before),
                           value_to_python(change.after), truth(change.first_event_missing), written_value(change.before),
                           written_value(change.after), checked(steal(text_to_python(label_of(change)))),
                           truth(raises_error(change)),
                           status ? checked(steal(text_to_python(*status))) : pybind11::none());
}

}  // namespace

void prepare_outcomes() {
  change_class.find("Change");
  outcome_class.find("Outcome");
}

pybind11::object reason_to_python(const Reason& reason) {
  return std::visit(
      []<class Row>(Row row) -> pybind11::object {
        if constexpr (std::is_same_v<Row, std::monostate>) return pybind11::none();
        else if constexpr (std::is_same_v<Row, const Rule*>) return to_python(*row);
        else return pybind11::reinterpret_borrow<pybind11::object>(row_object(row));
      },
      static_cast<const Reason::Row&>(reason));
}

pybind11::tuple changes_to_python(const Changes& changes) {
  return tuple_of(changes.size(),
                  [&](std::size_t i) { return check_signals(i + 1) ? change_to_python(changes[i]) : pybind11::object(); });
}

pybind11::object outcome_to_python(const Outcome& outcome) {
  const pybind11::tuple objects = changes_to_python(outcome.changes);
  const std::vector<Finding> findings(outcome.findings.begin(), outcome.findings.end());
  return outcome_class.make(member_of(outcome.verdict), reason_to_python(outcome.reason), truth(outcome.accepted),
                            truth(outcome.repeat), truth(outcome.seen_before), objects, to_python(findings));
}

}  // namespace bankhook::python
