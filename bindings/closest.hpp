// SPDX-License-Identifier: MIT
// Errors for names that are not known, with the closest one that is.
#pragma once

#include "records.hpp"

#include <pybind11/pybind11.h>

#include <string_view>

namespace bankhook::python {

/// `; did you mean 'accept_late'?`, with the name that is closest to what was given, or an empty str. `way` is the function
/// of bankhook._records.closest that compares.
pybind11::object closest_to(PyObject* given, const pybind11::list& known, const char* way = "did_you_mean");

/// TypeError: `Tracker() got an unexpected keyword argument 'acept_late'; did you mean 'accept_late'?`; always null.
PyObject* refuse_keyword(std::string_view function, PyObject* name, const pybind11::list& known);

/// Raises that instead of the TypeError that is set, if one of the keywords is not among the names.
void explain_keywords(PyObject* keywords, std::string_view format, const char* const* names);

/// Takes arguments as PyArg_ParseTupleAndKeywords does; the format ends with a colon and the function's name. False with an
/// exception.
template <class... Out>
bool take_arguments(PyObject* arguments, PyObject* keywords, const char* format, const char* const* names, Out... out) {
  if (PyArg_ParseTupleAndKeywords(arguments, keywords, format, const_cast<char**>(names), out...) != 0) return true;
  explain_keywords(keywords, format, names);
  return false;
}

}  // namespace bankhook::python
