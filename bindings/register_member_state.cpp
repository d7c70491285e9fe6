// SPDX-License-Identifier: MIT
// The state of one member, for what stores states or hands them on: private to the package, a Tracker is for users.
#include "bind.hpp"
#include "tracker.hpp"

namespace bankhook::python {
namespace {

PyObject* make_state(PyTypeObject*, PyObject* tuple, PyObject*) {
  PyObject* tracker = nullptr;
  Positional{tuple}.take("O:_MemberState", &tracker);
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
                         before.status_from != after.status_from || before.take_create != after.take_create);
}

}  // namespace

void register_member_state(pybind11::module_& module) {
  class_of<MemberState> =
      make_class(module, "_MemberState",
                 {.size = sizeof(Holder<MemberState>),
                  .slots = {slot(Py_tp_new, guarded<make_state>), slot(Py_tp_init, initialise_nothing),
                            slot(Py_tp_dealloc, destroy_holder<MemberState>)},
                  .methods = {method<peek_event<MemberState>>("peek"), method<apply_event<MemberState>>("apply"),
                              method<transaction_of_state>("transaction"), method<take_options>("take_options"),
                              method<snapshot_of<MemberState>>("snapshot"), method<restore_state>("restore")}});
}

}  // namespace bankhook::python
