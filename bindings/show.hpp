// SPDX-License-Identifier: MIT
// How an object shows itself in a notebook: asked of the package's Python side, which nothing else loads.
#pragma once

#include "values.hpp"

#include <Python.h>

namespace bankhook::python {

/// `_repr_html_` of any bound class: what `bankhook._records.html` says of the object.
inline PyObject* show(PyObject* self) {
  const pybind11::object module = steal(PyImport_ImportModule("bankhook._records"));
  return module ? PyObject_CallMethod(module.ptr(), "html", "(O)", self) : nullptr;
}

/// `_repr_pretty_(printer, cycle)`: the repr, shortened where it is long. What a notebook stores beside the HTML.
inline PyObject* print(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"", "", nullptr};
  PyObject* printer = nullptr;
  int cycle = 0;
  if (PyArg_ParseTupleAndKeywords(arguments, keywords, "Op:_repr_pretty_", const_cast<char**>(names), &printer, &cycle) ==
      0)
    return nullptr;
  const pybind11::object module = steal(PyImport_ImportModule("bankhook._records"));
  return module ? PyObject_CallMethod(module.ptr(), "pretty", "(OO)", self, printer) : nullptr;
}

/// `__rich_repr__`: names and values of the fields.
inline PyObject* name_values(PyObject* self) {
  const pybind11::object module = steal(PyImport_ImportModule("bankhook._records"));
  return module ? PyObject_CallMethod(module.ptr(), "named_values", "(O)", self) : nullptr;
}

}  // namespace bankhook::python
