// SPDX-License-Identifier: MIT
// How an object shows itself in a notebook: asked of the package's Python side, which nothing else loads.
#pragma once

#include "values.hpp"

#include <Python.h>

namespace bankhook::python {

/// `_repr_html_` of any bound class: what `bankhook._show.html` says of the object.
inline PyObject* show(PyObject* self, PyObject*) {
  const pybind11::object module = steal(PyImport_ImportModule("bankhook._show"));
  return module ? PyObject_CallMethod(module.ptr(), "html", "(O)", self) : nullptr;
}

}  // namespace bankhook::python
