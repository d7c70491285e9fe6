// SPDX-License-Identifier: MIT
// Tracker and the state of one member: events in, outcomes out; snapshots, merging, copies. Its queries are bound beside.
#include "bound.hpp"
#include "tracker.hpp"

#include <string>
#include <utility>
#include <vector>

namespace bankhook::python {
namespace {

// Of a Tracker or a MemberState, which is private, so that messages name the tracker.

template <class T>
pybind11::object apply_to(T& tracked, pybind11::handle event) {
  pybind11::object outcome;
  const auto take = [&](const EventStruct auto& known) { outcome = outcome_to_python(tracked.apply(known)); };
  if (!visit_value(event.ptr(), take)) refuse_argument("Tracker.apply", "an event", event.ptr());
  return outcome;
}

template <class T>
pybind11::object peek_at(const T& tracked, pybind11::handle event) {
  pybind11::object outcome;
  const auto take = [&](const EventStruct auto& known) { outcome = outcome_to_python(tracked.peek(known)); };
  if (!visit_value(event.ptr(), take)) refuse_argument("Tracker.peek", "an event", event.ptr());
  return outcome;
}

template <class T>
pybind11::object snapshot_of(const T& tracked) {
  return bytes_of(tracked.snapshot());
}

template <class T>
T restore_from(pybind11::handle given, const TrackerOptions& options) {
  if (PyUnicode_Check(given.ptr()) || PyObject_CheckBuffer(given.ptr()) == 0)
    refuse_argument("Tracker.restore", "bytes", given.ptr());
  const pybind11::object bytes = payload_bytes(given.ptr(), "Tracker.restore");
  auto restored = unlocked(true, [text = text_of(bytes), &options] { return T::restore(text, options); });
  if (!restored) throw_as_python("SnapshotError", to_string(restored.error()));
  return std::move(*restored);
}

/// tp_new: an object is complete from the first moment on, so `Tracker.__new__(Tracker)` is a tracker like any other.
pybind11::object make_tracker(PyTypeObject*, PyObject* tuple, PyObject* keywords) {
  PyObject *connections = Py_None, *transactions = Py_None, *status_from = nullptr, *take_create = Py_False;
  PyObject* order = nullptr;
  Arguments{tuple, keywords}.take("|$OOOO!O:Tracker",
                                  {"connection_lifecycle", "transaction_lifecycle", "status_from", "take_create", "order"},
                                  &connections, &transactions, &status_from, &PyBool_Type, &take_create, &order);
  TrackerOptions options{.take_create = take_create == Py_True};
  take_lifecycle("Tracker: connection_lifecycle", connections, options.connections);
  take_lifecycle("Tracker: transaction_lifecycle", transactions, options.transactions);
  if (status_from != nullptr) options.status_from = enumerator_argument<StatusFrom>("Tracker: status_from", status_from);
  if (order != nullptr) options.order = enumerator_argument<Order>("Tracker: order", order);
  return pybind11::cast(Tracker(options));
}

Tracker restore_tracker(pybind11::handle given, pybind11::handle connections, pybind11::handle transactions) {
  TrackerOptions options;
  take_lifecycle("Tracker.restore: connection_lifecycle", connections.ptr(), options.connections);
  take_lifecycle("Tracker.restore: transaction_lifecycle", transactions.ptr(), options.transactions);
  return restore_from<Tracker>(given, options);
}

void merge(Tracker& tracker, const Tracker& other) {
  const auto merged = tracker.merge(other);
  if (!merged) throw_as_python("MergeError", to_string(merged.error()));
}

Tracker copy_tracker(const Tracker& tracker) { return tracker; }
Tracker copy_deeply(const Tracker& tracker, pybind11::handle) { return tracker; }

pybind11::object iterate_members(const Tracker& tracker) {
  std::vector<std::string> ids;  // of their own: making objects may run other code, which may change the tracker
  for (const TrackedMember& held : tracker.members()) ids.emplace_back(held.customer.id);
  return checked(steal(PyObject_GetIter(tuple_of(ids).ptr())));
}

pybind11::object represent_tracker(const Tracker& tracker) {
  return checked(
      steal(PyUnicode_FromFormat("<bankhook.Tracker of %zu members, %zu connections, %zu transactions>",
                                 tracker.member_count(), tracker.connection_count(), tracker.transaction_count())));
}

pybind11::object equals(const Tracker& tracker, pybind11::handle other) {
  if (Py_TYPE(other.ptr()) != class_of<Tracker>) return borrow(Py_NotImplemented);
  return to_object(tracker == value_in<Tracker>(other.ptr()));
}

template <auto option>
pybind11::object lifecycle_option(const Tracker& tracker) {
  return lifecycle_of(tracker.options().*option);
}
template <auto option>
pybind11::object choice_option(const Tracker& tracker) {
  return to_object(OpenEnum(tracker.options().*option).text());
}
bool takes_create(const Tracker& tracker) { return tracker.options().take_create; }
std::size_t memory_of(const Tracker& tracker) { return tracker.memory(); }

// What is asked for each event is rows and slots, which cost 100 ns less.

pybind11::object apply_row(PyObject* self, PyObject* event) { return apply_to(value_in<Tracker>(self), event); }
pybind11::object peek_row(PyObject* self, PyObject* event) { return peek_at(value_in<Tracker>(self), event); }

Py_ssize_t member_count(PyObject* self) { return static_cast<Py_ssize_t>(value_in<Tracker>(self).member_count()); }

PyObject* has_member(PyObject* self, PyObject* id) {
  const auto text = PyUnicode_Check(id) ? utf8_of(id) : std::nullopt;
  return PyBool_FromLong(text && value_in<Tracker>(self).member(*text).has_value());
}
int contains(PyObject* self, PyObject* id) {
  const pybind11::object found = steal(guarded<has_member>(self, id));
  return found ? Py_IsTrue(found.ptr()) : -1;
}

void add_quick_rows(PyHeapTypeObject* type) {
  std::vector<PyMethodDef> rows = quick_queries();
  rows.insert(rows.begin(), {method<apply_row>("apply"), method<peek_row>("peek")});
  rows.insert(rows.end(), {method<asked<"apply_lines">>("apply_lines"), method<asked<"timeline_of">>("timeline"),
                           method<asked<"pickled">>("__reduce__"), method<asked<"html">>("_repr_html_")});
  type->ht_type.tp_methods = methods_of("Tracker", std::move(rows));
  type->as_sequence.sq_length = member_count;
  type->as_sequence.sq_contains = contains;
}

// The state of one member, for what stores states or hands them on: private to the package, a Tracker is for users.

pybind11::object make_state(PyTypeObject*, PyObject* tuple, PyObject*) {
  PyObject* tracker = nullptr;
  take(tuple, "O:_MemberState", &tracker);
  return pybind11::cast(MemberState(tracker_argument("_MemberState", tracker).options()));
}

MemberState restore_state(pybind11::handle given) { return restore_from<MemberState>(given, {}); }

pybind11::object transaction_of_state(const MemberState& state, Text id) { return first_or_none(state.transaction(id)); }

/// Whether any of them was another one.
bool take_options(MemberState& state, const Tracker& tracker) {
  const TrackerOptions before = state.options();
  const TrackerOptions& after = tracker.options();
  state.set_options(after);
  return !lifecycle_of(before.connections).is(lifecycle_of(after.connections)) ||
         !lifecycle_of(before.transactions).is(lifecycle_of(after.transactions)) ||
         before.status_from != after.status_from || before.take_create != after.take_create || before.order != after.order;
}

}  // namespace

void register_tracker(pybind11::module_& module) {
  auto tracker = open_class<Tracker>(module, "Tracker", guarded<make_tracker>, add_quick_rows);
  tracker.def("snapshot", checking("Tracker.snapshot", snapshot_of<Tracker>), bound_docstring("Tracker.snapshot"))
      .def_static("restore",
                  checking("Tracker.restore(snapshot, /, *, connection_lifecycle=None, transaction_lifecycle=None)",
                           restore_tracker),
                  bound_docstring("Tracker.restore"))
      .def("merge", checking("Tracker.merge", merge), bound_docstring("Tracker.merge"))
      .def("__copy__", checking("Tracker.__copy__", copy_tracker))
      .def("__deepcopy__", checking("Tracker.__deepcopy__", copy_deeply))
      .def("__iter__", checking("Tracker.__iter__", iterate_members))
      .def("__repr__", checking("Tracker.__repr__", represent_tracker))
      .def("__eq__", checking("Tracker.__eq__", equals))
      .def_property_readonly("connection_lifecycle",
                             checking("Tracker.connection_lifecycle", lifecycle_option<&TrackerOptions::connections>),
                             docstring("Tracker.connection_lifecycle"))
      .def_property_readonly("transaction_lifecycle",
                             checking("Tracker.transaction_lifecycle", lifecycle_option<&TrackerOptions::transactions>),
                             docstring("Tracker.transaction_lifecycle"))
      .def_property_readonly("status_from", checking("Tracker.status_from", choice_option<&TrackerOptions::status_from>),
                             docstring("Tracker.status_from"))
      .def_property_readonly("take_create", checking("Tracker.take_create", takes_create), docstring("Tracker.take_create"))
      .def_property_readonly("order", checking("Tracker.order", choice_option<&TrackerOptions::order>),
                             docstring("Tracker.order"))
      .def_property_readonly("memory", checking("Tracker.memory", memory_of), docstring("Tracker.memory"));
  add_queries(tracker);
  close_class<Tracker>();
  open_class<MemberState>(module, "_MemberState", guarded<make_state>)
      .def("apply", checking("Tracker.apply", apply_to<MemberState>))
      .def("peek", checking("Tracker.peek", peek_at<MemberState>))
      .def("transaction", checking("_MemberState.transaction", transaction_of_state))
      .def("take_options", checking("_MemberState", take_options))
      .def("snapshot", checking("Tracker.snapshot", snapshot_of<MemberState>))
      .def_static("restore", checking("Tracker.restore(snapshot, /)", restore_state));
  close_class<MemberState>();
}

}  // namespace bankhook::python
