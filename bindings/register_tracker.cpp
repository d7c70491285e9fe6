// SPDX-License-Identifier: MIT
// Tracker and the state of one member: events in, outcomes out; snapshots, merging, copies. Its queries are bound beside.
#include "bind.hpp"
#include "tracker.hpp"

#include <string>
#include <utility>
#include <vector>

namespace bankhook::python {
namespace {

// Of a Tracker or a MemberState, which is private, so that messages name the tracker.

template <class T, bool is_applied>
pybind11::object outcome_of(PyObject* self, PyObject* event) {
  pybind11::object outcome;
  const auto take = [&](const EventStruct auto& known) {
    outcome = outcome_to_python(is_applied ? held<T>(self).apply(known) : held<T>(self).peek(known));
  };
  if (!visit_value(event, take)) refuse_argument(is_applied ? "Tracker.apply" : "Tracker.peek", "an event", event);
  return outcome;
}

template <class T>
pybind11::object snapshot_of(PyObject* self) {
  return bytes_of(held<T>(self).snapshot());
}

template <class T>
PyObject* restore_from(PyObject* given, const TrackerOptions& options) {
  if (PyUnicode_Check(given) || PyObject_CheckBuffer(given) == 0) refuse_argument("Tracker.restore", "bytes", given);
  const pybind11::object bytes = payload_bytes(given, "Tracker.restore");
  auto restored = unlocked(true, [text = text_of(bytes), &options] { return T::restore(text, options); });
  if (!restored) throw_as_python("SnapshotError", to_string(restored.error()));
  return make_holder(std::move(*restored));
}

/// tp_new: an object is complete from the first moment on, so `Tracker.__new__(Tracker)` is a tracker like any other.
PyObject* make_tracker(PyTypeObject*, PyObject* tuple, PyObject* keywords) {
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
  return make_holder(Tracker(options));
}

Py_ssize_t member_count(PyObject* self) { return static_cast<Py_ssize_t>(tracker_of(self).member_count()); }

PyObject* has_member(PyObject* self, PyObject* id) {
  const auto text = PyUnicode_Check(id) ? utf8_of(id) : std::nullopt;
  return PyBool_FromLong(text && tracker_of(self).member(*text).has_value());
}
int contains(PyObject* self, PyObject* id) {
  const pybind11::object found = steal(guarded<has_member>(self, id));
  return found ? Py_IsTrue(found.ptr()) : -1;
}

PyObject* iterate_members(PyObject* self) {
  std::vector<std::string> ids;  // of their own: making objects may run other code, which may change the tracker
  for (const TrackedMember& held : tracker_of(self).members()) ids.emplace_back(held.customer.id);
  return PyObject_GetIter(tuple_of(ids).ptr());
}

PyObject* represent_tracker(PyObject* self) {
  const Tracker& tracker = tracker_of(self);
  return PyUnicode_FromFormat("<bankhook.Tracker of %zu members, %zu connections, %zu transactions>",
                              tracker.member_count(), tracker.connection_count(), tracker.transaction_count());
}

PyObject* compare_trackers(PyObject* self, PyObject* other, int operation) {
  if ((operation != Py_EQ && operation != Py_NE) || Py_TYPE(other) != class_of<Tracker>) Py_RETURN_NOTIMPLEMENTED;
  return PyBool_FromLong((tracker_of(self) == tracker_of(other)) == (operation == Py_EQ));
}

template <auto option>
pybind11::object get_lifecycle(PyObject* self) {
  return lifecycle_of(tracker_of(self).options().*option);
}
template <auto option>
pybind11::object get_choice(PyObject* self) {
  return to_object(OpenEnum(tracker_of(self).options().*option).text());
}
pybind11::object get_take_create(PyObject* self) { return to_object(tracker_of(self).options().take_create); }
pybind11::object get_memory(PyObject* self) { return number(tracker_of(self).memory()); }

PyObject* restore_tracker(PyObject*, Arguments arguments) {
  PyObject *given = nullptr, *connections = Py_None, *transactions = Py_None;
  arguments.take("O|$OO:restore", {"", "connection_lifecycle", "transaction_lifecycle"}, &given, &connections,
                 &transactions);
  TrackerOptions options;
  take_lifecycle("Tracker.restore: connection_lifecycle", connections, options.connections);
  take_lifecycle("Tracker.restore: transaction_lifecycle", transactions, options.transactions);
  return restore_from<Tracker>(given, options);
}

PyObject* merge(PyObject* self, PyObject* other) {
  const auto merged = tracker_of(self).merge(tracker_argument("Tracker.merge", other));
  if (!merged) throw_as_python("MergeError", to_string(merged.error()));
  Py_RETURN_NONE;
}

PyObject* copy_tracker(PyObject* self) { return make_holder(Tracker(tracker_of(self))); }

// The state of one member, for what stores states or hands them on: private to the package, a Tracker is for users.

PyObject* make_state(PyTypeObject*, PyObject* tuple, PyObject*) {
  PyObject* tracker = nullptr;
  take(tuple, "O:_MemberState", &tracker);
  return make_holder(MemberState(tracker_argument("_MemberState", tracker).options()));
}

PyObject* restore_state(PyObject*, PyObject* given) { return restore_from<MemberState>(given, {}); }

pybind11::object transaction_of_state(PyObject* self, PyObject* id) {
  return first_or_none(held<MemberState>(self).transaction(text_argument("_MemberState.transaction", id)));
}

/// Whether any of them was another one.
PyObject* take_options(PyObject* self, PyObject* tracker) {
  MemberState& state = held<MemberState>(self);
  const TrackerOptions before = state.options();
  const TrackerOptions& after = tracker_argument("_MemberState", tracker).options();
  state.set_options(after);
  return PyBool_FromLong(!lifecycle_of(before.connections).is(lifecycle_of(after.connections)) ||
                         !lifecycle_of(before.transactions).is(lifecycle_of(after.transactions)) ||
                         before.status_from != after.status_from || before.take_create != after.take_create ||
                         before.order != after.order);
}

}  // namespace

void register_tracker(pybind11::module_& module) {
  std::vector<PyMethodDef> methods = tracker_queries();
  methods.insert(methods.begin(),
                 {method<outcome_of<Tracker, true>>("apply"), method<outcome_of<Tracker, false>>("peek"),
                  method<asked<"apply_lines">>("apply_lines"), method<snapshot_of<Tracker>>("snapshot"),
                  method<restore_tracker>("restore"), method<merge>("merge"), method<copy_tracker>("__copy__"),
                  method<of_self<copy_tracker, PyObject>>("__deepcopy__"), method<asked<"pickled">>("__reduce__"),
                  method<asked<"html">>("_repr_html_")});
  make_holder_class<Tracker>(
      module, "Tracker",
      {.slots = {slot(Py_tp_new, guarded<make_tracker>), slot(Py_tp_iter, guarded<iterate_members>),
                 slot(Py_tp_repr, guarded<represent_tracker>), slot(Py_tp_richcompare, guarded<compare_trackers>),
                 slot(Py_tp_hash, PyObject_HashNotImplemented), slot(Py_sq_length, member_count),
                 slot(Py_sq_contains, contains)},
       .methods = std::move(methods),
       .properties = {property<get_lifecycle<&TrackerOptions::connections>>("connection_lifecycle"),
                      property<get_lifecycle<&TrackerOptions::transactions>>("transaction_lifecycle"),
                      property<get_choice<&TrackerOptions::status_from>>("status_from"),
                      property<get_take_create>("take_create"), property<get_choice<&TrackerOptions::order>>("order"),
                      property<get_memory>("memory")}});
  make_holder_class<MemberState>(
      module, "_MemberState",
      {.slots = {slot(Py_tp_new, guarded<make_state>)},
       .methods = {method<outcome_of<MemberState, false>>("peek"), method<outcome_of<MemberState, true>>("apply"),
                   method<transaction_of_state>("transaction"), method<take_options>("take_options"),
                   method<snapshot_of<MemberState>>("snapshot"), method<restore_state>("restore")}});
}

}  // namespace bankhook::python
