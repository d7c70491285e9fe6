// SPDX-License-Identifier: MIT
// Outcomes as records: verdict, reason, changes with their values, findings.
#include "outcome.hpp"

#include "findings.hpp"

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
RecordClass<9> change_class;
RecordClass<7> outcome_class;

/// The objects of a lifecycle's rows, in the order of its tables.
struct Rows {
  std::vector<PyObject*> transitions;
  std::vector<PyObject*> final_states;
};
Rows transaction_rows;
Rows connection_rows;

pybind11::object borrow(PyObject* object) { return pybind11::reinterpret_borrow<pybind11::object>(object); }

/// A lifecycle lists its rows that lead somewhere and those that say never apart.
template <class M>
Rows rows_of(const pybind11::object& lifecycle, const M& machine) {
  const pybind11::list transitions(lifecycle.attr("transitions"));
  const pybind11::list forbidden(lifecycle.attr("forbidden"));
  Rows rows;
  std::size_t transition = 0;
  std::size_t forbidden_row = 0;
  for (const auto& row : machine.transitions()) {
    const pybind11::object object = row.to ? transitions[transition++] : forbidden[forbidden_row++];
    rows.transitions.push_back(pybind11::object(object).release().ptr());
  }
  for (const pybind11::handle final_state : lifecycle.attr("final_states")) {
    rows.final_states.push_back(final_state.inc_ref().ptr());
  }
  return rows;
}

template <class M, class Row>
pybind11::object row_object(const M& machine, const Rows& rows, const Row* row) {
  if constexpr (std::is_same_v<Row, typename std::remove_cvref_t<decltype(machine.transitions()[0])>>) {
    return borrow(rows.transitions[static_cast<std::size_t>(row - machine.transitions().data())]);
  } else {
    return borrow(rows.final_states[static_cast<std::size_t>(row - machine.final_states().data())]);
  }
}

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
  return change_class.make(member_of(change.kind), steal(text_to_python(change.id)), text_or_none(change.parent_id),
                           text_or_none(change.field), value_to_python(change.before), value_to_python(change.after),
                           truth(change.first_event_missing), written_value(change.before), written_value(change.after));
}

void move_text(std::string_view& text, Arena& arena) {
  if (!text.empty() && !reflect::move_into(text, arena)) throw std::bad_alloc();
}

/// The changes with texts of their own.
std::vector<Change> kept(const Changes& changes, Arena& arena) {
  std::vector<Change> copies(changes.begin(), changes.end());
  for (Change& change : copies) {
    move_text(change.id, arena);
    move_text(change.parent_id, arena);
    for (ChangeValue* const value : {&change.before, &change.after}) {
      if (auto* const text = std::get_if<std::string_view>(value)) move_text(*text, arena);
    }
  }
  return copies;
}

}  // namespace

void prepare_outcomes(const pybind11::module_& module) {
  change_class.find("Change");
  outcome_class.find("Outcome");
  transaction_rows = rows_of(module.attr("transaction_lifecycle"), transaction_lifecycle);
  connection_rows = rows_of(module.attr("connection_lifecycle"), connection_lifecycle);
}

pybind11::object reason_to_python(const Reason& reason) {
  return std::visit(
      []<class Row>(Row row) -> pybind11::object {
        if constexpr (std::is_same_v<Row, std::monostate>) return pybind11::none();
        else if constexpr (std::is_same_v<Row, const Rule*>) return to_python(*row);
        else if constexpr (std::is_same_v<Row, const TransactionTransition*> ||
                           std::is_same_v<Row, const FinalTransactionState*>) {
          return row_object(transaction_lifecycle, transaction_rows, row);
        } else return row_object(connection_lifecycle, connection_rows, row);
      },
      reason);
}

pybind11::tuple changes_to_python(const Changes& changes) {
  Arena arena;
  const std::vector<Change> copies = kept(changes, arena);
  return tuple_of(copies.size(),
                  [&](std::size_t i) { return check_signals(i + 1) ? change_to_python(copies[i]) : pybind11::object(); });
}

pybind11::object outcome_to_python(const Outcome& outcome) {
  const pybind11::tuple objects = changes_to_python(outcome.changes);
  const std::vector<Finding> findings(outcome.findings.begin(), outcome.findings.end());
  return outcome_class.make(member_of(outcome.verdict), reason_to_python(outcome.reason), truth(outcome.accepted),
                            truth(outcome.repeat), truth(outcome.seen_before), objects, to_python(findings));
}

}  // namespace bankhook::python
