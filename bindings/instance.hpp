// SPDX-License-Identifier: MIT
// The one place that knows how pybind11 lays out its objects: making and taking apart an instance without its registry.
#pragma once

#include "block.hpp"

#include <pybind11/pybind11.h>

namespace bankhook::python {

/// A view of `value`, which lies in `block` or in memory that the block keeps. Takes a share of the block.
/// pybind11 sees a fully constructed instance that does not own its value, so it passes as `const T&` anywhere.
inline PyObject* make_instance(PyTypeObject* type, const void* value, Block& block) {
  auto* const self = reinterpret_cast<pybind11::detail::instance*>(type->tp_alloc(type, 0));
  if (self == nullptr) return nullptr;
  self->simple_layout = true;
  self->simple_holder_constructed = true;
  self->simple_value_holder[0] = const_cast<void*>(value);
  self->simple_value_holder[1] = &block;  // where pybind11 would keep a holder: we have none
  block.take();
  return reinterpret_cast<PyObject*>(self);
}

template <class T>
const T& value_of(PyObject* self) {
  return *static_cast<const T*>(reinterpret_cast<pybind11::detail::instance*>(self)->simple_value_holder[0]);
}

inline Block& block_of(PyObject* self) {
  return *static_cast<Block*>(reinterpret_cast<pybind11::detail::instance*>(self)->simple_value_holder[1]);
}

inline void destroy_instance(PyObject* self) {
  PyTypeObject* const type = Py_TYPE(self);
  if (reinterpret_cast<pybind11::detail::instance*>(self)->weakrefs != nullptr) PyObject_ClearWeakRefs(self);
  block_of(self).release();
  type->tp_free(self);
  Py_DECREF(type);
}

}  // namespace bankhook::python
