// SPDX-License-Identifier: MIT
// C++ values as Python objects, made on access. Each function gives a new reference, or null with an exception set.
#pragma once

#include "library.hpp"
#include "object.hpp"
#include "python_types.hpp"
#include "unlocked.hpp"

#include <cstddef>
#include <span>

namespace bankhook::python {

/// A tuple or a list, made by `PyTuple_New` or `PyList_New`, of what `make(item)` gives for each item.
template <class T, class Make>
PyObject* sequence_of(PyObject* (*create)(Py_ssize_t), std::span<const T> items, Make make) {
  pybind11::object all = steal(create(std::ssize(items)));
  for (std::size_t i = 0; all && i < items.size(); ++i) {
    PyObject* const item = check_signals(i + 1) ? make(items[i]) : nullptr;
    if (item == nullptr) return nullptr;
    PySequence_Fast_ITEMS(all.ptr())[i] = item;
  }
  return all.release().ptr();
}

/// A field as Python sees it; resources become views that share `block`.
template <class T>
PyObject* to_python(const T& value, Block& block) {
  if constexpr (reflect::OptionalValue<T>) return value ? to_python(*value, block) : Py_NewRef(missing<T>());
  else if constexpr (reflect::Array<T>)
    return sequence_of(PyTuple_New, value, [&](const auto& item) { return to_python(item, block); });
  else if constexpr (reflect::Structure<T>) return make_view(class_of<T>, &value, block);
  else return PythonType<T>::to_python(value);
}

}  // namespace bankhook::python
