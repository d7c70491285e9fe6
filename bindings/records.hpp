// SPDX-License-Identifier: MIT
// The package's plain records made from here: findings, outcomes, deliveries and the like.
#pragma once

#include "values.hpp"

#include <pybind11/pybind11.h>

#include <cstddef>
#include <utility>

namespace bankhook::python {

/// Throws the Python error that is set.
inline pybind11::object checked(pybind11::object object) {
  if (!object) throw pybind11::error_already_set();
  return object;
}

/// A class of the package's Python side, looked up once and held for good: the module is never unloaded.
inline PyTypeObject* record_class(const char* module, const char* name) {
  return reinterpret_cast<PyTypeObject*>(
      pybind11::module_::import(module).attr(name).cast<pybind11::object>().release().ptr());
}

/// A record of these items, which it takes over, in the order of its fields: what its `_make` does, and no Python on the
/// way. Throws what Python raises.
template <class... Items>
pybind11::object make_record(PyTypeObject* type, Items... items) {
  const pybind11::object values_of_it = checked(steal(PyTuple_New(sizeof...(Items))));
  Py_ssize_t index = 0;
  (PyTuple_SET_ITEM(values_of_it.ptr(), index++, checked(std::move(items)).release().ptr()), ...);
  const pybind11::object arguments = checked(steal(PyTuple_Pack(1, values_of_it.ptr())));
  return checked(steal(PyTuple_Type.tp_new(type, arguments.ptr(), nullptr)));
}

/// A tuple of `size` objects; `make(i)` gives each of them, or throws.
template <class Make>
pybind11::tuple tuple_of(std::size_t size, Make make) {
  pybind11::tuple all(size);
  for (std::size_t i = 0; i < size; ++i) {
    pybind11::object item = checked(make(i));
    PyTuple_SET_ITEM(all.ptr(), static_cast<Py_ssize_t>(i), item.release().ptr());
  }
  return all;
}

inline pybind11::object number(std::size_t value) { return checked(steal(PyLong_FromSize_t(value))); }
inline pybind11::object truth(bool value) {
  return pybind11::reinterpret_borrow<pybind11::object>(value ? Py_True : Py_False);
}
inline pybind11::object none() { return pybind11::reinterpret_borrow<pybind11::object>(Py_None); }
inline pybind11::object bytes_of(std::string_view text) {
  return checked(steal(PyBytes_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()))));
}

}  // namespace bankhook::python
