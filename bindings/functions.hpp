// SPDX-License-Identifier: MIT
// The one way to bind: tables of functions and classes of slots, as CPython's own modules have them.
#pragma once

// Their TypeErrors name what was expected and the type that was found, never a value: an argument may be personal.

#include "guarded.hpp"
#include "stub_signatures.hpp"
#include "values.hpp"

#include <pybind11/pybind11.h>
#include <structmember.h>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::python {

/// A function as a table takes it, whatever its arguments are.
template <auto function>
PyCFunction for_table() {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

// Rows of tables. The signature has types, as a stub writes it: `(self, event: AnyEvent, /) -> Outcome`.

/// `function(self, arguments, keywords)`
template <auto function>
PyMethodDef with_keywords(const char* name, std::string_view signature, std::string_view doc, int flags = 0) {
  constexpr PyCFunctionWithKeywords caught = guarded<function>;
  return {name, for_table<caught>(), METH_VARARGS | METH_KEYWORDS | flags, docstring(name, signature, doc)};
}
/// `function(self, arguments)`
template <auto function>
PyMethodDef with_several(const char* name, std::string_view signature, std::string_view doc) {
  return {name, guarded<function, PyObject*, PyObject*>, METH_VARARGS, docstring(name, signature, doc)};
}
/// `function(self, argument)`
template <auto function>
PyMethodDef with_one(const char* name, std::string_view signature, std::string_view doc, int flags = 0) {
  return {name, guarded<function, PyObject*, PyObject*>, METH_O | flags, docstring(name, signature, doc)};
}
/// `function(self)`
template <auto function>
PyMethodDef with_none(const char* name, std::string_view signature, std::string_view doc, int flags = 0) {
  constexpr PyCFunction caught = guarded<[](PyObject* self, PyObject*) { return function(self); }>;
  return {name, caught, METH_NOARGS | flags, docstring(name, signature, doc)};
}

/// Adds functions to the module; the table ends with an empty row and lives on.
void add_functions(pybind11::module_& module, PyMethodDef* table);

/// A slot of a class. What it names lives on.
inline PyType_Slot slot(int id, auto* function) { return {id, reinterpret_cast<void*>(function)}; }
inline PyType_Slot slot(int id, const char* text) { return {id, const_cast<char*>(text)}; }

/// A final class `bankhook.<name>` whose objects take `size` bytes and start with a Head; held for good.
PyTypeObject* make_class(pybind11::module_& module, std::string_view name, std::size_t size,
                         std::vector<PyType_Slot> slots);

/// The class cannot be changed any more: an object that got another one's `__class__` would be read as what it is not.
inline void make_immutable(PyTypeObject* type) {
  type->tp_flags |= Py_TPFLAGS_IMMUTABLETYPE;
  PyType_Modified(type);
}

/// tp_init: an object is complete when it is made, and calling `__init__` again changes nothing.
inline int initialise_nothing(PyObject*, PyObject*, PyObject*) { return 0; }

/// TypeError: `Tracker.member: expected str, found int`; always null.
inline PyObject* refuse_argument(const char* function, const char* expected, PyObject* found) {
  return PyErr_Format(PyExc_TypeError, "%s: expected %s, found %s", function, expected, Py_TYPE(found)->tp_name);
}

/// The text of a str, as long-lived as that. Throws what Python raises: TypeError for another object, and ValueError for
/// half a surrogate pair, which no payload holds.
inline std::string_view text_argument(const char* function, PyObject* object) {
  const auto text = PyUnicode_Check(object) ? utf8_of(object) : std::nullopt;
  if (text) return *text;
  if (PyUnicode_Check(object)) PyErr_Format(PyExc_ValueError, "%s: expected str without surrogates", function);
  else refuse_argument(function, "str", object);
  throw pybind11::error_already_set();
}

}  // namespace bankhook::python
