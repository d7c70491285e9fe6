// SPDX-License-Identifier: MIT
// The queries of bankhook.Tracker: what it tracks, as objects of their own.
#include "closest.hpp"
#include "docs_tracker.hpp"
#include "from_python.hpp"
#include "functions.hpp"
#include "outcome.hpp"
#include "tracker.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::python {
namespace {

PyObject* member(PyObject* self, PyObject* id) {
  return first_or_none(tracker_of(self).member(text_argument("Tracker.member", id)));
}

PyObject* connection(PyObject* self, PyObject* arguments) {
  PyObject *member_id = nullptr, *id = nullptr;
  if (PyArg_ParseTuple(arguments, "OO:connection", &member_id, &id) == 0) return nullptr;
  return first_or_none(tracker_of(self).connection(text_argument("Tracker.connection: member_id", member_id),
                                                   text_argument("Tracker.connection: id", id)));
}

PyObject* transaction(PyObject* self, PyObject* arguments) {
  PyObject *member_id = nullptr, *id = nullptr;
  if (PyArg_ParseTuple(arguments, "OO:transaction", &member_id, &id) == 0) return nullptr;
  return first_or_none(tracker_of(self).transaction(text_argument("Tracker.transaction: member_id", member_id),
                                                    text_argument("Tracker.transaction: id", id)));
}

PyObject* members(PyObject* self) { return copied(tracker_of(self).members()).release().ptr(); }

/// An argument that may be None.
std::optional<std::string_view> text_or_none(const char* function, PyObject* given) {
  if (given == Py_None) return std::nullopt;
  return text_argument(function, given);
}

PyObject* connections(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"member_id", nullptr};
  PyObject* given = Py_None;
  if (!take_arguments(arguments, keywords, "|O:connections", names, &given)) return nullptr;
  const Tracker& tracker = tracker_of(self);
  const auto member_id = text_or_none("Tracker.connections: member_id", given);
  return copied(member_id ? tracker.connections_of(*member_id) : tracker.connections()).release().ptr();
}

PyObject* transactions(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"member_id", "status", nullptr};
  PyObject* given = Py_None;
  PyObject* given_status = Py_None;
  if (!take_arguments(arguments, keywords, "|O$O:transactions", names, &given, &given_status)) return nullptr;
  const Tracker& tracker = tracker_of(self);
  const auto member_id = text_or_none("Tracker.transactions: member_id", given);
  const auto status = text_or_none("Tracker.transactions: status", given_status);
  std::vector<TrackedTransaction> items = member_id ? tracker.transactions_of(*member_id) : tracker.transactions();
  if (status) {
    const auto wanted = OpenEnum<TransactionStatus>::of(*status);
    std::erase_if(items, [&](const TrackedTransaction& held) { return held.initial_transaction.status != wanted; });
  }
  return copied(items).release().ptr();
}

PyObject* accounts(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"member_id", nullptr};
  PyObject* given = nullptr;
  if (!take_arguments(arguments, keywords, "O:accounts", names, &given)) return nullptr;
  return copied(tracker_of(self).accounts_of(text_argument("Tracker.accounts: member_id", given))).release().ptr();
}

PyObject* in_error(PyObject* self) { return copied(tracker_of(self).in_error()).release().ptr(); }

PyObject* awaiting_accounts(PyObject* self) { return copied(tracker_of(self).awaiting_accounts()).release().ptr(); }

PyObject* consents_ending_before(PyObject* self, PyObject* when) {
  Arena arena;
  Kept kept;
  LocalTimestamp moment;
  const Place place{"Tracker", "consents_ending_before", arena, kept};
  if (!PythonType<LocalTimestamp>::from_python(when, moment, place)) return nullptr;
  return copied(tracker_of(self).consents_ending_before(moment)).release().ptr();
}

/// Adds one to what a dict counts for this text; None stands for no text.
void count_text(const pybind11::dict& counts, std::optional<std::string_view> text) {
  const pybind11::object key = text ? checked(steal(text_to_python(*text))) : none();
  PyObject* const before = PyDict_GetItemWithError(counts.ptr(), key.ptr());
  const pybind11::object after = number(before == nullptr ? 1 : PyLong_AsSize_t(before) + 1);
  if (PyErr_Occurred() != nullptr || PyDict_SetItem(counts.ptr(), key.ptr(), after.ptr()) != 0)
    throw pybind11::error_already_set();
}

/// How many connections there are of each state and transactions of each status; no object of them.
PyObject* counts_by_text(PyObject* self) {
  const Tracker& tracker = tracker_of(self);
  const pybind11::dict of_connections;
  const pybind11::dict of_transactions;
  tracker.for_each_connection([&](const TrackedConnection& held) {
    count_text(of_connections, held.state ? std::optional(held.state->text()) : std::nullopt);
  });
  tracker.for_each_transaction(
      [&](const TrackedTransaction& held) { count_text(of_transactions, held.initial_transaction.status.text()); });
  return PyTuple_Pack(2, of_connections.ptr(), of_transactions.ptr());
}

PyObject* diff(PyObject* self, PyObject* other) {
  if (Py_TYPE(other) != class_of<Tracker>) return refuse_argument("Tracker.diff", "Tracker", other);
  return changes_to_python(tracker_of(self).diff(tracker_of(other))).release().ptr();
}

/// What a bankhook.Timeline shows is asked of the tracker here, once.
PyObject* timeline(PyObject* self, PyObject* member_id) {
  text_argument("Tracker.timeline", member_id);
  const pybind11::object module = checked(steal(PyImport_ImportModule("bankhook._records")));
  const pybind11::object connections = checked(steal(PyObject_CallMethod(self, "connections", "O", member_id)));
  const pybind11::object transactions = checked(steal(PyObject_CallMethod(self, "transactions", "O", member_id)));
  return PyObject_CallMethod(module.ptr(), "Timeline", "OOO", member_id, connections.ptr(), transactions.ptr());
}

}  // namespace

void add_queries(std::vector<PyMethodDef>& methods) {
  methods.insert(
      methods.end(),
      {with_one<member>("member", "(self, id: str, /) -> TrackedMember | None", docs::member),
       with_several<connection>("connection", "(self, member_id: str, id: str, /) -> TrackedConnection | None",
                                docs::connection),
       with_several<transaction>("transaction", "(self, member_id: str, id: str, /) -> TrackedTransaction | None",
                                 docs::transaction),
       with_none<members>("members", "(self) -> tuple[TrackedMember, ...]", docs::members),
       with_keywords<connections>("connections", "(self, member_id: str | None = None) -> tuple[TrackedConnection, ...]",
                                  docs::connections),
       with_keywords<transactions>(
           "transactions",
           "(self, member_id: str | None = None, *, status: str | None = None) -> tuple[TrackedTransaction, ...]",
           docs::transactions),
       with_keywords<accounts>("accounts", "(self, member_id: str) -> tuple[Account, ...]", docs::accounts),
       with_none<counts_by_text>("_counts", "(self) -> tuple[dict[str | None, int], dict[str, int]]",
                                 "How many connections of each state and transactions of each "
                                 "status are tracked."),
       with_one<diff>("diff", "(self, other: Tracker, /) -> tuple[Change, ...]", docs::diff),
       with_one<timeline>("timeline", "(self, member_id: str, /) -> Timeline", docs::timeline),
       with_none<in_error>("in_error", "(self) -> tuple[TrackedConnection, ...]", docs::in_error),
       with_none<awaiting_accounts>("awaiting_accounts", "(self) -> tuple[TrackedConnection, ...]",
                                    docs::awaiting_accounts),
       with_one<consents_ending_before>("consents_ending_before",
                                        "(self, when: datetime.datetime, /) -> tuple[TrackedConnection, ...]",
                                        docs::consents_ending_before)});
}

}  // namespace bankhook::python
