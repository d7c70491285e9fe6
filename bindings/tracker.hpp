// SPDX-License-Identifier: MIT
// The parts of bankhook.Tracker, each bound in a file of its own.
#pragma once

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

/// The tracker in an object of bankhook.Tracker.
inline Tracker& tracker_of(PyObject* self) { return held<Tracker>(self); }

}  // namespace bankhook::python
