// SPDX-License-Identifier: MIT
// The state of one member, for what stores states or hands them on: private to the package, a Tracker is for users.
#include "functions.hpp"
#include "outcome.hpp"
#include "register.hpp"
#include "tracker.hpp"

namespace bankhook::python {
namespace {

/// The options of a bankhook.Tracker; throws what Python raises for any other object.
const TrackerOptions& options_of(PyObject* tracker) {
  if (Py_TYPE(tracker) == class_of<Tracker>) return tracker_of(tracker).options();
  refuse_argument("_MemberState", "Tracker", tracker);
  throw pybind11::error_already_set();
}

PyObject* make_state(PyTypeObject*, PyObject* arguments, PyObject*) {
  PyObject* options = nullptr;
  if (PyArg_ParseTuple(arguments, "O:_MemberState", &options) == 0) return nullptr;
  return make_holder(MemberState(options_of(options)));
}

PyObject* restore_state(PyObject*, PyObject* given) { return restore_from<MemberState>(given, {}); }

PyObject* transaction_of_state(PyObject* self, PyObject* id) {
  return first_or_none(held<MemberState>(self).transaction(text_argument("_MemberState.transaction", id)));
}

PyObject* take_options(PyObject* self, PyObject* tracker) {
  MemberState& state = held<MemberState>(self);
  const TrackerOptions before = state.options();
  const TrackerOptions& after = options_of(tracker);
  state.set_options(after);
  return PyBool_FromLong(lifecycle_of(before.connections) != lifecycle_of(after.connections) ||
                         lifecycle_of(before.transactions) != lifecycle_of(after.transactions) ||
                         before.status_from != after.status_from || before.take_create != after.take_create);
}

PyMethodDef methods_of_state[] = {
    with_one<peek_event<MemberState>>("peek", "(self, event: AnyEvent, /) -> Outcome", ""),
    with_one<apply_event<MemberState>>("apply", "(self, event: AnyEvent, /) -> Outcome", ""),
    with_one<transaction_of_state>("transaction", "(self, id: str, /) -> TrackedTransaction | None", ""),
    with_one<take_options>("take_options", "(self, options: Tracker, /) -> bool", "Whether any of them was another one."),
    with_none<snapshot_of<MemberState>>("snapshot", "(self) -> bytes", ""),
    with_one<restore_state>("restore", "(snapshot: Buffer, /) -> _MemberState", "", METH_STATIC),
    {},
};

}  // namespace

void register_member_state(pybind11::module_& module) {
  class_of<MemberState> = make_class(
      module, "_MemberState", sizeof(Holder<MemberState>),
      {slot(Py_tp_new, guarded<make_state, PyTypeObject*, PyObject*, PyObject*>), slot(Py_tp_init, initialise_nothing),
       slot(Py_tp_dealloc, destroy_holder<MemberState>), slot(Py_tp_methods, methods_of_state),
       slot(Py_tp_doc, "Everything that is tracked of one member, by the options of a tracker.")});
  note_signature("_MemberState.__init__", "(self, options: Tracker, /) -> None");
  make_immutable(class_of<MemberState>);
}

}  // namespace bankhook::python
