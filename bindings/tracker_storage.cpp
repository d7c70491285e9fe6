// SPDX-License-Identifier: MIT
// What keeps a bankhook.Tracker: snapshots, merging, copies, pickles.
#include "closest.hpp"
#include "docs_storage.hpp"
#include "functions.hpp"
#include "tracker.hpp"

#include <vector>

namespace bankhook::python {
namespace {

PyObject* restore_tracker(PyObject*, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"", "connection_lifecycle", "transaction_lifecycle", nullptr};
  PyObject *given = nullptr, *connections = Py_None, *transactions = Py_None;
  if (!take_arguments(arguments, keywords, "O|$OO:restore", names, &given, &connections, &transactions)) return nullptr;
  TrackerOptions options;
  if (!take_lifecycle("Tracker.restore: connection_lifecycle", connections, options.connections) ||
      !take_lifecycle("Tracker.restore: transaction_lifecycle", transactions, options.transactions))
    return nullptr;
  return restore_from<Tracker>(given, options);
}

PyObject* merge(PyObject* self, PyObject* other) {
  if (Py_TYPE(other) != class_of<Tracker>) return refuse_argument("Tracker.merge", "Tracker", other);
  const auto merged = tracker_of(self).merge(tracker_of(other));
  return merged ? Py_NewRef(Py_None) : raise_as_python("MergeError", merged.error());
}

PyObject* copy_tracker(PyObject* self) { return make_holder(Tracker(tracker_of(self))); }
PyObject* deep_copy_tracker(PyObject* self, PyObject*) { return copy_tracker(self); }

/// The snapshot has no tables, so these go with it.
PyObject* reduce_tracker(PyObject* self) {
  PyObject* const cls = reinterpret_cast<PyObject*>(Py_TYPE(self));
  const TrackerOptions& options = tracker_of(self).options();
  const pybind11::object restore = checked(steal(PyObject_GetAttrString(cls, "restore")));
  using pybind11::literals::operator""_a;
  const pybind11::object partial =
      pybind11::module_::import("functools")
          .attr("partial")(restore, "connection_lifecycle"_a = pybind11::handle(lifecycle_of(options.connections)),
                           "transaction_lifecycle"_a = pybind11::handle(lifecycle_of(options.transactions)));
  return Py_BuildValue("O(N)", partial.ptr(), snapshot_of<Tracker>(self));
}

}  // namespace

void add_storage(std::vector<PyMethodDef>& methods) {
  methods.insert(
      methods.end(),
      {with_none<snapshot_of<Tracker>>("snapshot", "(self) -> bytes", docs::snapshot),
       with_keywords<restore_tracker>(
           "restore",
           "(snapshot: Buffer, /, *, connection_lifecycle: Lifecycle[ConnectionState, ConnectionTrigger] | None = None, "
           "transaction_lifecycle: Lifecycle[TransactionStatus, TransactionTrigger] | None = None) -> Tracker",
           docs::restore, METH_STATIC),
       with_one<merge>("merge", "(self, other: Tracker, /) -> None", docs::merge),
       with_none<copy_tracker>("__copy__", "(self) -> Self", "A tracker with a state of its own."),
       with_one<deep_copy_tracker>("__deepcopy__", "(self, memo: dict[int, Any], /) -> Self",
                                   "A tracker with a state of its own."),
       with_none<reduce_tracker>("__reduce__", "(self) -> tuple[Any, ...]", "The snapshot.")});
}

}  // namespace bankhook::python
