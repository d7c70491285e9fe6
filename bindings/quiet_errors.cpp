// SPDX-License-Identifier: MIT
// What pybind11 says where no argument fits ends with a repr of them all: it is cut off, because they may be personal.
#include "quiet_errors.hpp"
#include "values.hpp"

#include <cstddef>

namespace bankhook::python {
namespace {

using Call = PyObject* (*)(PyObject*, PyObject* const*, std::size_t, PyObject*);

/// pybind11's own; all of its functions have the same one.
PyCFunction dispatch = nullptr;

/// Leaves of a TypeError what was expected.
void cut_off_arguments() {
  PyObject* type = nullptr;
  PyObject* value = nullptr;
  PyObject* trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  const pybind11::object text = steal(PyObject_Str(value));
  const pybind11::object mark = text ? steal(PyUnicode_FromString("\n\nInvoked with: ")) : text;
  const Py_ssize_t at = mark ? PyUnicode_Find(text.ptr(), mark.ptr(), 0, PyUnicode_GET_LENGTH(text.ptr()), 1) : -1;
  const pybind11::object left = at < 0 ? pybind11::object() : steal(PyUnicode_Substring(text.ptr(), 0, at));
  if (!left) {
    PyErr_Restore(type, value, trace);
    return;
  }
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(trace);
  PyErr_SetObject(PyExc_TypeError, left.ptr());
}

PyObject* call_quietly(PyObject* self, PyObject* const* arguments, std::size_t count, PyObject* names) {
  const auto call = reinterpret_cast<Call>(reinterpret_cast<void (*)()>(dispatch));
  PyObject* const result = call(self, arguments, count, names);
  if (result == nullptr && PyErr_ExceptionMatches(PyExc_TypeError) != 0) cut_off_arguments();
  return result;
}

void make_quiet(PyObject* function) {
  if (PyInstanceMethod_Check(function)) function = PyInstanceMethod_GET_FUNCTION(function);
  if (!PyCFunction_Check(function)) return;
  PyMethodDef& definition = *reinterpret_cast<PyCFunctionObject*>(function)->m_ml;
  if (definition.ml_meth == dispatch) {
    definition.ml_meth = reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(call_quietly));
  }
}

}  // namespace

void make_errors_quiet(pybind11::module_& module) {
  const pybind11::cpp_function sample([] {});
  const PyMethodDef& definition = *reinterpret_cast<PyCFunctionObject*>(sample.ptr())->m_ml;
  if ((definition.ml_flags & ~METH_KEYWORDS) != METH_FASTCALL) return;
  dispatch = definition.ml_meth;
  for (const auto& [name, item] : pybind11::dict(module.attr("__dict__"))) {
    make_quiet(item.ptr());
    if (!PyType_Check(item.ptr())) continue;
    for (const auto& [member, function] : pybind11::dict(item.attr("__dict__"))) {
      const bool is_static = PyObject_TypeCheck(function.ptr(), &PyStaticMethod_Type) != 0;
      const pybind11::object inner = is_static ? pybind11::object(function.attr("__func__")) : pybind11::object();
      make_quiet(is_static ? inner.ptr() : function.ptr());
    }
  }
}

}  // namespace bankhook::python
