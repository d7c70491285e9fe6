// SPDX-License-Identifier: MIT
// The Python objects that stand for values: ABSENT, enumerators, decimals, dates; looked up once, when the module starts.
#pragma once

#include "library.hpp"

#include <pybind11/pybind11.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

namespace bankhook::python {

/// Borrowed for good: the module holds them and is never unloaded.
struct Values {
  PyObject* absent = nullptr;       ///< bankhook.ABSENT
  PyObject* parse_error = nullptr;  ///< bankhook.ParseError
  PyObject* findings = nullptr;     ///< bankhook.Findings
  PyObject* no_findings = nullptr;  ///< an empty one
  PyObject* restore = nullptr;      ///< bankhook._core.restore, which pickles name
};
inline Values values;

/// What stands for an optional value that is not there: None or ABSENT; borrowed.
template <reflect::OptionalValue T>
PyObject* missing() {
  return base::is_nullable<T> ? Py_None : values.absent;
}

/// What is kept while views of it are in use: reading one value may run Python, and that may change where it was.
using Kept = std::vector<pybind11::object>;

/// An object that takes over a new reference; empty where the call that made it failed.
inline pybind11::object steal(PyObject* reference) { return pybind11::reinterpret_steal<pybind11::object>(reference); }

/// The UTF-8 of a str, as long-lived as that; nothing, and no exception, for half a surrogate pair, which no payload holds.
inline std::optional<std::string_view> utf8_of(PyObject* text) {
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(text, &size);
  if (bytes != nullptr) return std::string_view(bytes, static_cast<std::size_t>(size));
  PyErr_Clear();
  return std::nullopt;
}

/// The fields of the enumeration in Python, in the order of the enumerators.
template <class E>
inline std::array<PyObject*, enumerator_count<E>> enum_members{};

/// The field that stands for an enumerator.
template <Enumeration E>
pybind11::object member_of(E value) {
  return pybind11::reinterpret_borrow<pybind11::object>(enum_members<E>[static_cast<std::size_t>(value)]);
}
/// The same for an enumerator that may be missing: then None.
template <Enumeration E>
pybind11::object member_of(std::optional<E> value) {
  return value ? member_of(*value) : pybind11::none();
}

/// The class that a reflected struct is bound to.
template <class T>
inline PyTypeObject* class_of = nullptr;

/// Whether the constructor of `T` asks for field `I`. The name of an unknown event stands in its `raw`.
template <class T, std::size_t I, class Field = reflect::FieldType<T, I>>
inline constexpr bool is_required =
    !base::is_maybe_absent<Field> && !reflect::is_type_tag<Field> && !(std::is_same_v<T, UnknownEvent> && I == 0);

}  // namespace bankhook::python
