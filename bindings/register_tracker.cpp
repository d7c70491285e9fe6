// SPDX-License-Identifier: MIT
// Tracker: events in, outcomes out; the rest of its methods is bound beside its subject.
#include "class.hpp"
#include "closest.hpp"
#include "docs_storage.hpp"
#include "docs_tracker.hpp"
#include "functions.hpp"
#include "register.hpp"
#include "show.hpp"
#include "tracker.hpp"

#include <optional>
#include <string>
#include <vector>

namespace bankhook::python {
namespace {

/// tp_new: an object is complete from the first moment on, so `Tracker.__new__(Tracker)` is a tracker like any other.
PyObject* make_tracker(PyTypeObject*, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"connection_lifecycle", "transaction_lifecycle", "status_from", "take_create", nullptr};
  PyObject *connections = Py_None, *transactions = Py_None, *status_from = nullptr, *take_create = Py_False;
  if (!take_arguments(arguments, keywords, "|$OOOO!:Tracker", names, &connections, &transactions, &status_from,
                      &PyBool_Type, &take_create))
    return nullptr;
  TrackerOptions options{.take_create = take_create == Py_True};
  if (!take_lifecycle("Tracker: connection_lifecycle", connections, options.connections) ||
      !take_lifecycle("Tracker: transaction_lifecycle", transactions, options.transactions))
    return nullptr;
  if (status_from != nullptr) {
    const auto known = OpenEnum<StatusFrom>::of(text_argument("Tracker: status_from", status_from)).known();
    if (!known)
      return PyErr_Format(PyExc_ValueError,
                          "Tracker: status_from: expected neither, status or eventType, found other text");
    options.status_from = *known;
  }
  return make_holder(Tracker(options));
}

Py_ssize_t member_count(PyObject* self) { return static_cast<Py_ssize_t>(tracker_of(self).member_count()); }

int contains(PyObject* self, PyObject* id) {
  const auto text = PyUnicode_Check(id) ? utf8_of(id) : std::nullopt;
  return text && tracker_of(self).member(*text).has_value() ? 1 : 0;
}

PyObject* iterate_members(PyObject* self) {
  std::vector<std::string> ids;  // of their own: making objects may run other code, which may change the tracker
  for (const TrackedMember& held : tracker_of(self).members()) ids.emplace_back(held.customer.id);
  const pybind11::tuple texts = tuple_of(ids.size(), [&](std::size_t i) { return steal(text_to_python(ids[i])); });
  return PyObject_GetIter(texts.ptr());
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
PyObject* get_lifecycle(PyObject* self, void*) {
  return Py_NewRef(lifecycle_of(tracker_of(self).options().*option));
}
PyObject* get_status_from(PyObject* self, void*) {
  return text_to_python(OpenEnum(tracker_of(self).options().status_from).text());
}
PyObject* get_take_create(PyObject* self, void*) { return PyBool_FromLong(tracker_of(self).options().take_create); }

PyObject* get_memory(PyObject* self, void*) { return PyLong_FromSize_t(tracker_of(self).memory()); }

PyGetSetDef properties[] = {
    {"connection_lifecycle", get_lifecycle<&TrackerOptions::connections>, nullptr,
     "What moves its connections.\n\nLifecycle[ConnectionState, ConnectionTrigger]", nullptr},
    {"transaction_lifecycle", get_lifecycle<&TrackerOptions::transactions>, nullptr,
     "What moves its transactions.\n\nLifecycle[TransactionStatus, TransactionTrigger]", nullptr},
    {"status_from", get_status_from, nullptr,
     "What holds if a status differs from its event's eventType: `neither`, `status` or `eventType`.\n\nstr", nullptr},
    {"take_create", get_take_create, nullptr,
     "Whether a create holds where a list showed the connection otherwise before.\n\nbool", nullptr},
    {"memory", get_memory, nullptr,
     "Bytes of memory that the tracker has allocated; looks at everything that is tracked.\n\nint", nullptr},
    {},
};

std::vector<PyMethodDef> all_methods() {
  std::vector<PyMethodDef> methods{
      with_one<peek_event<Tracker>>("peek", "(self, event: AnyEvent, /) -> Outcome", docs::peek),
      with_one<apply_event<Tracker>>("apply", "(self, event: AnyEvent, /) -> Outcome", docs::apply),
      with_none<show>("_repr_html_", "(self) -> str", "A summary for notebooks."),
  };
  add_queries(methods);
  add_archives(methods);
  add_storage(methods);
  methods.push_back({});
  return methods;
}

}  // namespace

void register_tracker(pybind11::module_& module) {
  prepare_outcomes();
  static std::vector<PyMethodDef> methods = all_methods();
  class_of<Tracker> = make_class(
      module, "Tracker", sizeof(Holder<Tracker>),
      {slot(Py_tp_new, guarded<make_tracker, PyTypeObject*, PyObject*, PyObject*>), slot(Py_tp_init, initialise_nothing),
       slot(Py_tp_dealloc, destroy_holder<Tracker>), slot(Py_tp_getset, properties), slot(Py_tp_methods, methods.data()),
       slot(Py_tp_iter, guarded<iterate_members, PyObject*>), slot(Py_tp_repr, guarded<represent_tracker, PyObject*>),
       slot(Py_tp_richcompare, guarded<compare_trackers, PyObject*, PyObject*, int>),
       slot(Py_tp_hash, PyObject_HashNotImplemented), slot(Py_sq_length, member_count), slot(Py_sq_contains, contains),
       slot(Py_tp_doc, docstring("Tracker",
                                 "(*, connection_lifecycle: Lifecycle[ConnectionState, ConnectionTrigger] | None = None, "
                                 "transaction_lifecycle: Lifecycle[TransactionStatus, TransactionTrigger] | None = None, "
                                 "status_from: str = 'neither', take_create: bool = False)",
                                 docs::tracker))});
  note_signature("Tracker.__init__",
                 "(self, *, connection_lifecycle: Lifecycle[ConnectionState, ConnectionTrigger] | None = None, "
                 "transaction_lifecycle: Lifecycle[TransactionStatus, TransactionTrigger] | None = None, "
                 "status_from: str = 'neither', take_create: bool = False) -> None");
  note_signature("Tracker.__iter__", "(self) -> Iterator[str]");
  make_immutable(class_of<Tracker>);
}

}  // namespace bankhook::python
