// SPDX-License-Identifier: MIT
// The Python objects that stand for values: ABSENT, enumerators, decimals, dates; looked up once, when the module starts.
#pragma once

#include <pybind11/pybind11.h>

#include <bankhook/bankhook.hpp>

#include <array>

namespace bankhook::python {

/// Borrowed for good: the module holds them and is never unloaded.
struct Values {
  PyObject* absent = nullptr;          ///< bankhook.ABSENT
  PyObject* parse_error = nullptr;     ///< bankhook.ParseError
  PyObject* finding = nullptr;         ///< bankhook.Finding
  PyObject* decimal = nullptr;         ///< decimal.Decimal
  PyObject* create_decimal = nullptr;  ///< of a context so precise that nothing is rounded
};
inline Values values;

/// An object that takes over a new reference; empty where the call that made it failed.
inline pybind11::object steal(PyObject* reference) { return pybind11::reinterpret_steal<pybind11::object>(reference); }

/// The enumeration in Python and its members in the order of the enumerators.
template <class E>
inline PyObject* enum_type = nullptr;
template <class E>
inline std::array<PyObject*, reflect::enumerator_count<E>> enum_members{};

/// The class that a reflected struct is bound to.
template <class T>
inline PyTypeObject* class_of = nullptr;

}  // namespace bankhook::python
