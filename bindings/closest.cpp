// SPDX-License-Identifier: MIT
// Names that are not known are compared by Python's difflib, which is loaded for an error only.
#include "closest.hpp"

#include <string>
#include <string_view>

namespace bankhook::python {

pybind11::object closest_to(PyObject* given, const pybind11::list& known, const char* way) {
  return pybind11::module_::import("bankhook._records.closest").attr(way)(pybind11::handle(given), known);
}

PyObject* refuse_keyword(std::string_view function, PyObject* name, const pybind11::list& known) {
  const pybind11::object close = closest_to(name, known);
  return PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument %.80R%U", std::string(function).c_str(),
                      name, close.ptr());
}

void explain_keywords(PyObject* keywords, std::string_view format, const char* const* names) {
  if (keywords == nullptr || PyErr_ExceptionMatches(PyExc_TypeError) == 0) return;
  pybind11::error_already_set raised;
  pybind11::list known;
  for (; *names != nullptr; ++names) {
    if (**names != 0) known.append(pybind11::str(*names));
  }
  PyObject* name = nullptr;
  PyObject* value = nullptr;
  for (Py_ssize_t at = 0; PyDict_Next(keywords, &at, &name, &value) != 0;) {
    if (PyUnicode_Check(name) == 0 || known.contains(pybind11::handle(name))) continue;
    refuse_keyword(format.substr(format.find(':') + 1), name, known);
    return;
  }
  raised.restore();
}

}  // namespace bankhook::python
