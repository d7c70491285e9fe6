// SPDX-License-Identifier: MIT
// Python objects as C++ values, as strictly as the reader takes JSON.
#pragma once

// Each function gives false, with a Python error set, where the object does not fit.

#include "library.hpp"
#include "object.hpp"
#include "python_types.hpp"
#include "unlocked.hpp"
#include "values.hpp"

#include <cstddef>
#include <new>
#include <span>
#include <string>
#include <string_view>

namespace bankhook::python {

/// Text that `out` views lives as long as the Python object; a resource's views as long as that resource.
template <class T>
bool value_from_python(PyObject* object, T& out, const Place& place);

/// Whether it is a dict or another mapping; -1 with an exception.
int is_mapping(PyObject* object);
/// A dict of what a mapping holds now, which `kept` keeps; null with an exception.
PyObject* kept_dict(PyObject* mapping, Kept& kept);
/// A tuple of what a list holds now, which `kept` keeps; null with an exception.
PyObject* kept_tuple(PyObject* list, Kept& kept);

/// The fields of a resource that was given as a mapping at `place`; see dicts.hpp.
template <class T>
bool mapping_from_python(PyObject* mapping, T& out, const Place& place);

template <class T>
bool array_from_python(PyObject* object, std::span<const T>& out, const Place& place) {
  if (!PyTuple_Check(object) && !PyList_Check(object)) return refuse_type(place, "tuple or list", object);
  if ((object = kept_tuple(object, place.kept)) == nullptr) return false;
  const auto size = static_cast<std::size_t>(PySequence_Fast_GET_SIZE(object));
  auto* const items = static_cast<T*>(place.arena.allocate(size * sizeof(T), alignof(T)));
  if (items == nullptr) return PyErr_NoMemory() != nullptr;
  for (std::size_t i = 0; i < size; ++i) {
    Place item = place;
    item.index = static_cast<std::ptrdiff_t>(i);
    T* const slot = ::new (items + i) T();
    if (!check_signals(i + 1)) return false;
    if (!value_from_python(PySequence_Fast_GET_ITEM(object, static_cast<Py_ssize_t>(i)), *slot, item)) return false;
  }
  out = {items, size};
  return true;
}

template <class T>
bool resource_from_python(PyObject* object, T& out, const Place& place) {
  if (Py_TYPE(object) == class_of<T>) {
    out = value_of<T>(object);
    return true;
  }
  const int mapping = place.takes_mappings ? is_mapping(object) : 0;
  if (mapping == 1) return mapping_from_python(object, out, place);
  std::string expected(reflect::type_name<T>);
  if (place.takes_mappings) expected += " or mapping";
  return mapping == 0 && refuse_type(place, expected.c_str(), object);
}

template <class T>
bool value_from_python(PyObject* object, T& out, const Place& place) {
  if constexpr (reflect::OptionalValue<T>) {
    if (object != missing<T>()) return value_from_python(object, out.emplace(), place);
    out.reset();
    return true;
  } else if constexpr (reflect::Array<T>) return array_from_python(object, out, place);
  else if constexpr (reflect::Structure<T>) return resource_from_python(object, out, place);
  else return PythonType<T>::from_python(object, out, place);
}

}  // namespace bankhook::python
