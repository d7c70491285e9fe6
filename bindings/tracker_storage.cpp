// SPDX-License-Identifier: MIT
// What keeps a bankhook.Tracker: snapshots, merging, copies, pickles.
#include "closest.hpp"
#include "docs_storage.hpp"
#include "functions.hpp"
#include "outcome.hpp"
#include "parse.hpp"
#include "records.hpp"
#include "tracker.hpp"

#include <string>
#include <utility>
#include <vector>

namespace bankhook::python {
namespace {

/// Raises an error of the package's Python side; always null.
template <class Error>
PyObject* raise_as_python(const char* name, const Error& error) {
  const pybind11::object cls = checked(steal(PyImport_ImportModule("bankhook._records"))).attr(name);
  PyErr_SetString(cls.ptr(), std::string(to_string(error)).c_str());
  return nullptr;
}

PyObject* snapshot(PyObject* self) { return bytes_of(tracker_of(self).snapshot()).release().ptr(); }

/// Sets an option of what was restored, unless None is given; false, with an exception, for any other object.
bool set_option(PyObject* given, const char* name, bool& option) {
  if (given == Py_None) return true;
  option = given == Py_True;
  return PyBool_Check(given) || refuse_argument(name, "bool or None", given) != nullptr;
}

PyObject* restore_tracker(PyObject*, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"", "accept_late", "unlist", nullptr};
  PyObject* given = nullptr;
  PyObject* accept_late = Py_None;
  PyObject* unlist = Py_None;
  if (!take_arguments(arguments, keywords, "O|$OO:restore", names, &given, &accept_late, &unlist)) return nullptr;
  if (PyUnicode_Check(given) || PyObject_CheckBuffer(given) == 0) return refuse_argument("Tracker.restore", "bytes", given);
  const pybind11::object bytes = checked(payload_bytes(given, "Tracker.restore"));
  auto read = unlocked(true, [text = text_of(bytes)] { return Tracker::restore(text); });
  if (!read) return nullptr;
  auto& restored = *read;
  if (!restored) return raise_as_python("SnapshotError", restored.error());
  TrackerOptions options = restored->options();
  if (!set_option(accept_late, "Tracker.restore: accept_late", options.accept_late)) return nullptr;
  if (!set_option(unlist, "Tracker.restore: unlist", options.unlist)) return nullptr;
  restored->set_options(options);
  return make_holder(std::move(*restored));
}

PyObject* merge(PyObject* self, PyObject* other) {
  if (Py_TYPE(other) != class_of<Tracker>) return refuse_argument("Tracker.merge", "Tracker", other);
  const auto merged = tracker_of(self).merge(tracker_of(other));
  return merged ? Py_NewRef(Py_None) : raise_as_python("MergeError", merged.error());
}

PyObject* copy_tracker(PyObject* self) { return make_holder(Tracker(tracker_of(self))); }
PyObject* deep_copy_tracker(PyObject* self, PyObject*) { return copy_tracker(self); }

PyObject* reduce_tracker(PyObject* self) {
  PyObject* const cls = reinterpret_cast<PyObject*>(Py_TYPE(self));
  const pybind11::object restore = checked(steal(PyObject_GetAttrString(cls, "restore")));
  return Py_BuildValue("O(N)", restore.ptr(), snapshot(self));
}

}  // namespace

void add_storage(std::vector<PyMethodDef>& methods) {
  methods.insert(
      methods.end(),
      {with_none<snapshot>("snapshot", "(self) -> bytes", docs::snapshot),
       with_keywords<restore_tracker>(
           "restore", "(snapshot: Buffer, /, *, accept_late: bool | None = None, unlist: bool | None = None) -> Tracker",
           docs::restore, METH_STATIC),
       with_one<merge>("merge", "(self, other: Tracker, /) -> None", docs::merge),
       with_none<copy_tracker>("__copy__", "(self) -> Self", "A tracker with a state of its own."),
       with_one<deep_copy_tracker>("__deepcopy__", "(self, memo: dict[int, Any], /) -> Self",
                                   "A tracker with a state of its own."),
       with_none<reduce_tracker>("__reduce__", "(self) -> tuple[Any, ...]", "The snapshot.")});
}

}  // namespace bankhook::python
