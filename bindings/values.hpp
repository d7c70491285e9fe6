// SPDX-License-Identifier: MIT
// The Python objects that stand for values, looked up once; what classes and fields are called in Python: as in C++.
#pragma once

#include "library.hpp"

#include <pybind11/pybind11.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace bankhook::python {

using Kind = detail::json::ValueType::Kind;

/// Borrowed for good: the module holds them and is never unloaded.
struct Values {
  PyObject* absent = nullptr;       ///< bankhook.ABSENT
  PyObject* parse_error = nullptr;  ///< bankhook.ParseError
  PyObject* findings = nullptr;     ///< bankhook.types.Findings
  PyObject* no_findings = nullptr;  ///< an empty one
  PyObject* represent = nullptr;    ///< bankhook._records.represent: the repr of the classes of fields
  PyObject* restore = nullptr;      ///< bankhook._core.restore, which pickles name
};
inline Values values;

/// What stands for an optional value that is not there: None or ABSENT; borrowed.
template <detail::reflect::OptionalValue T>
PyObject* missing() {
  return detail::base::is_nullable<T> ? Py_None : values.absent;
}

/// What is kept while views of it are in use: reading one value may run Python, and that may change where it was.
using Owners = std::vector<pybind11::object>;

/// An object that takes over a new reference; empty where the call that made it failed.
inline pybind11::object steal(PyObject* reference) { return pybind11::reinterpret_steal<pybind11::object>(reference); }

/// An object that shares a reference.
inline pybind11::object borrow(pybind11::handle object) { return pybind11::reinterpret_borrow<pybind11::object>(object); }

/// Throws the Python error that is set.
inline pybind11::object checked(pybind11::object object) {
  if (!object) throw pybind11::error_already_set();
  return object;
}

/// Clears the Python error that is set if it is of this type, else throws it.
inline void clear_error(PyObject* type) {
  if (PyErr_ExceptionMatches(type) == 0) throw pybind11::error_already_set();
  PyErr_Clear();
}

/// What was made; empty, without an exception, if that raised ValueError, as of an int with thousands of digits, which
/// Python neither prints nor reads.
inline pybind11::object unless_too_long(pybind11::object made) {
  if (!made) clear_error(PyExc_ValueError);
  return made;
}

/// Throws a Python error with a message as PyErr_Format makes it. It returns nothing: so a function can end with it.
[[noreturn]] PyObject* fail(PyObject* type, const char* format, auto... parts) {
  PyErr_Format(type, format, parts...);
  throw pybind11::error_already_set();
}

/// Throws TypeError: `Tracker.member: expected str, found int`.
[[noreturn]] inline PyObject* refuse_argument(const char* function, const char* expected, PyObject* found) {
  fail(PyExc_TypeError, "%s: expected %s, found %s", function, expected, Py_TYPE(found)->tp_name);
}

/// The UTF-8 of a str, as long-lived as that; nothing, and no exception, for half a surrogate pair, which no payload holds.
inline std::optional<std::string_view> utf8_of(PyObject* text) {
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(text, &size);
  if (bytes != nullptr) return std::string_view(bytes, static_cast<std::size_t>(size));
  clear_error(PyExc_UnicodeEncodeError);
  return std::nullopt;
}

/// The fields of the enumeration in Python, in the order of the enumerators.
template <class E>
inline std::array<PyObject*, enumerator_count<E>> enum_members{};

/// The enumerator with this text in Python; nothing for any other object.
template <Enumeration E>
std::optional<E> enumerator_of(PyObject* text) {
  for (std::size_t i = 0; i < enumerator_count<E> && PyUnicode_Check(text); ++i) {
    if (PyUnicode_Compare(text, enum_members<E>[i]) == 0) return static_cast<E>(i);
  }
  return std::nullopt;
}

/// The class that a reflected struct is bound to.
template <class T>
inline PyTypeObject* class_of = nullptr;

/// The names of the fields of `T` in Python, interned; set by `register_class`, held for good.
template <class T>
inline std::array<PyObject*, detail::reflect::field_count<T>> field_name_objects{};

}  // namespace bankhook::python
