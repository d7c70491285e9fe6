// SPDX-License-Identifier: MIT
// The queries of bankhook.Tracker: what it tracks, as objects of their own.
#include "bound.hpp"
#include "findings.hpp"
#include "records.hpp"
#include "tracker.hpp"

#include <optional>
#include <string>
#include <string_view>
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
        else if constexpr (std::is_same_v<T, std::string_view>) return to_object(held);
        else return is_written ? to_object(detail::columns::bare_text_of(held)) : checked(steal(value_to_python(held)));
      },
      value);
}

pybind11::object change_to_python(const Change& change) {
  return change_class.make(change.kind, change.subject, change.id, text_unless_empty(change.parent_id),
                           text_unless_empty(change.field), held_value(change.before, false),
                           held_value(change.after, false), change.first_event_missing, held_value(change.before, true),
                           held_value(change.after, true), label_of(change), raises_error(change), status_reached(change));
}

/// A tuple of bankhook.types.Change.
pybind11::tuple changes_to_python(const Changes& changes) { return tuple_of(changes, change_to_python); }

pybind11::object member(PyObject* self, PyObject* id) {
  return first_or_none(value_in<Tracker>(self).member(text_argument("Tracker.member", id)));
}

/// The connection or the transaction with the ids of a member and its own; what they are called in messages.
template <auto query, FixedString function, FixedString member_name, FixedString name>
PyObject* of_member(PyObject* self, PyObject* const* given, Py_ssize_t count, PyObject* keywords) {
  if (keywords != nullptr) fail(PyExc_TypeError, "%s() takes no keyword arguments", function.characters);
  if (count < 2)
    fail(PyExc_TypeError, "%s() misses arguments: %s", function.characters, count == 1 ? "id" : "member_id, id");
  if (count > 2) fail(PyExc_TypeError, "%s() takes member_id and id, found %zd arguments", function.characters, count);
  const auto member_id = text_argument(member_name.characters, given[0]);
  const auto id = text_argument(name.characters, given[1]);
  return first_or_none((value_in<Tracker>(self).*query)(member_id, id)).release().ptr();
}

/// What a function of the tracker gives.
template <auto query>
pybind11::tuple all_of(const Tracker& tracker) {
  return copied((tracker.*query)());
}

pybind11::tuple connections(const Tracker& tracker, std::optional<Text> member_id) {
  return copied(member_id ? tracker.connections_of(*member_id) : tracker.connections());
}

/// Throws ValueError for a status that is not listed, unless a transaction has it: it is misspelled.
void refuse_status_of_none(const Tracker& tracker, const OpenEnum<TransactionStatus>& wanted) {
  bool is_tracked = false;
  tracker.for_each_transaction(
      [&](const TrackedTransaction& held) { is_tracked |= held.initial_transaction.status == wanted; });
  if (is_tracked) return;
  pybind11::module_::import("bankhook._records.closest")
      .attr("refuse_status")("Tracker.transactions: status", to_object(wanted.text()));
}

pybind11::tuple transactions(const Tracker& tracker, std::optional<Text> member_id, std::optional<Text> status) {
  std::vector<TrackedTransaction> items = member_id ? tracker.transactions_of(*member_id) : tracker.transactions();
  if (status) {
    const auto wanted = OpenEnum<TransactionStatus>::of(*status);
    std::erase_if(items, [&](const TrackedTransaction& held) { return held.initial_transaction.status != wanted; });
    if (items.empty() && !wanted.known()) refuse_status_of_none(tracker, wanted);
  }
  return copied(items);
}

pybind11::tuple accounts(const Tracker& tracker, Text member_id) { return copied(tracker.accounts_of(member_id)); }

pybind11::tuple consents_ending_before(const Tracker& tracker, pybind11::handle when) {
  LocalTimestamp moment;
  plain_from_python(when.ptr(), detail::json::value_type<LocalTimestamp>, &moment, {"Tracker", "consents_ending_before"});
  return copied(tracker.consents_ending_before(moment));
}

/// How many connections there are of each state and transactions of each status; no object of them.
pybind11::tuple counts_by_text(const Tracker& tracker) {
  TextCounts of_connections, of_transactions;
  tracker.for_each_connection([&](const TrackedConnection& held) {
    ++of_connections[held.state ? std::optional(held.state->text()) : std::nullopt];
  });
  tracker.for_each_transaction(
      [&](const TrackedTransaction& held) { ++of_transactions[held.initial_transaction.status.text()]; });
  return pybind11::make_tuple(counts_to_python(of_connections), counts_to_python(of_transactions));
}

pybind11::tuple diff(const Tracker& tracker, const Tracker& other) { return changes_to_python(tracker.diff(other)); }

}  // namespace

pybind11::object reason_to_python(const Reason& reason) {
  using Found = std::optional<pybind11::object>;
  return to_object(detail::find_in<Found>(reason, [](const auto& row) { return to_python(row); }));
}

pybind11::object outcome_to_python(const Outcome& outcome) {
  const pybind11::tuple objects = changes_to_python(outcome.changes);
  return outcome_class.make(outcome.verdict, reason_to_python(outcome.reason), outcome.accepted, outcome.repeat,
                            outcome.seen_before, objects, tuple_of(outcome.findings, finding_to_python));
}

std::vector<PyMethodDef> quick_queries() {
  return {method<member>("member"),
          method<of_member<&Tracker::connection, "Tracker.connection", "Tracker.connection: member_id",
                           "Tracker.connection: id">>("connection"),
          method<of_member<&Tracker::transaction, "Tracker.transaction", "Tracker.transaction: member_id",
                           "Tracker.transaction: id">>("transaction")};
}

void add_queries(pybind11::class_<Tracker>& tracker) {
  tracker.def("members", checking("Tracker.members", all_of<&Tracker::members>), bound_docstring("Tracker.members"))
      .def("connections", checking("Tracker.connections(member_id=None)", connections),
           bound_docstring("Tracker.connections"))
      .def("transactions", checking("Tracker.transactions(member_id=None, *, status=None)", transactions),
           bound_docstring("Tracker.transactions"))
      .def("accounts", checking("Tracker.accounts(member_id)", accounts), bound_docstring("Tracker.accounts"))
      .def("diff", checking("Tracker.diff", diff), bound_docstring("Tracker.diff"))
      .def("in_error", checking("Tracker.in_error", all_of<&Tracker::in_error>), bound_docstring("Tracker.in_error"))
      .def("awaiting_accounts", checking("Tracker.awaiting_accounts", all_of<&Tracker::awaiting_accounts>),
           bound_docstring("Tracker.awaiting_accounts"))
      .def("consents_ending_before", checking("Tracker.consents_ending_before", consents_ending_before),
           bound_docstring("Tracker.consents_ending_before"))
      .def("_counts", checking("Tracker._counts", counts_by_text));
}

}  // namespace bankhook::python
