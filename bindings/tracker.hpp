// SPDX-License-Identifier: MIT
// The parts of bankhook.Tracker, each bound in a file of its own, and what the state of one member has in common with it.
#pragma once

#include "classes.hpp"
#include "functions.hpp"
#include "lifecycles.hpp"
#include "object.hpp"
#include "outcome.hpp"
#include "parse.hpp"
#include "records.hpp"
#include "unlocked.hpp"

#include <Python.h>

#include <string>
#include <utility>
#include <vector>

namespace bankhook::python {

/// What can be asked of it: by id, by member, by state.
void add_queries(std::vector<PyMethodDef>& methods);
/// `apply_lines`.
void add_archives(std::vector<PyMethodDef>& methods);
/// `snapshot`, `restore`, `merge`, copies and pickles.
void add_storage(std::vector<PyMethodDef>& methods);

/// Takes the machine of a bankhook.Lifecycle of the same states, unless None is given; false, with an exception, for any
/// other object.
template <class M>
bool take_lifecycle(const char* name, PyObject* given, M& machine) {
  if (given == Py_None) return true;
  const auto* const known = find_machine<M>(given);
  if (known == nullptr) return refuse_argument(name, "a lifecycle with these states, or None", given) != nullptr;
  machine = known->machine;
  return true;
}

/// The tracker in an object of bankhook.Tracker.
inline Tracker& tracker_of(PyObject* self) { return held<Tracker>(self); }

// Of a Tracker or a MemberState, which is private, so that messages name the tracker.

template <class T>
PyObject* peek_event(PyObject* self, PyObject* event) {
  pybind11::object outcome;
  const auto look = [&](const auto& known) { outcome = outcome_to_python(held<T>(self).peek(known)); };
  return visit_event(event, look) ? outcome.release().ptr() : refuse_argument("Tracker.peek", "an event", event);
}

template <class T>
PyObject* apply_event(PyObject* self, PyObject* event) {
  pybind11::object outcome;
  const auto take = [&](const auto& known) { outcome = outcome_to_python(held<T>(self).apply(known)); };
  return visit_event(event, take) ? outcome.release().ptr() : refuse_argument("Tracker.apply", "an event", event);
}

template <class T>
PyObject* snapshot_of(PyObject* self) {
  return bytes_of(held<T>(self).snapshot()).release().ptr();
}

/// Raises an error of the package's Python side; always null.
template <class Error>
PyObject* raise_as_python(const char* name, const Error& error) {
  const pybind11::object cls = checked(steal(PyImport_ImportModule("bankhook._records"))).attr(name);
  PyErr_SetString(cls.ptr(), std::string(to_string(error)).c_str());
  return nullptr;
}

template <class T>
PyObject* restore_from(PyObject* given, const TrackerOptions& options) {
  if (PyUnicode_Check(given) || PyObject_CheckBuffer(given) == 0) return refuse_argument("Tracker.restore", "bytes", given);
  const pybind11::object bytes = checked(payload_bytes(given, "Tracker.restore"));
  auto read = unlocked(true, [text = text_of(bytes), &options] { return T::restore(text, options); });
  if (!read) return nullptr;
  auto& restored = *read;
  if (!restored) return raise_as_python("SnapshotError", restored.error());
  return make_holder(std::move(*restored));
}

}  // namespace bankhook::python
