// SPDX-License-Identifier: MIT
// The parts of bankhook.Tracker, each bound in a file of its own.
#pragma once

#include "functions.hpp"
#include "lifecycles.hpp"
#include "object.hpp"

#include <Python.h>

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

}  // namespace bankhook::python
