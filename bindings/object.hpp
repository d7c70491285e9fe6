// SPDX-License-Identifier: MIT
// How objects of our classes are laid out, made and freed: views of shared values, holders of their own.
#pragma once

#include "block.hpp"
#include "values.hpp"

#include <Python.h>

#include <cstddef>
#include <new>
#include <utility>

namespace bankhook::python {

/// The start of every object.
struct Head {
  PyObject_HEAD PyObject* weak_references;
};

/// An object of a reflected struct, which lies in `block` or in memory that the block keeps.
struct View {
  Head head;
  const void* value;
  Block* block;
};

/// An object with a value that it alone has and that may change: a tracker, a sandbox.
template <class T>
struct Holder {
  Head head;
  T value;
};

/// A view of `value`. Takes a share of the block.
inline PyObject* make_view(PyTypeObject* type, const void* value, Block& block) {
  View* const self = PyObject_New(View, type);  // tp_alloc would also clear what is set here
  if (self == nullptr) return nullptr;
  self->head.weak_references = nullptr;
  self->value = value;
  self->block = &block;
  block.take();
  return reinterpret_cast<PyObject*>(self);
}

template <class T>
const T& value_of(PyObject* self) {
  return *static_cast<const T*>(reinterpret_cast<View*>(self)->value);
}

inline Block& block_of(PyObject* self) { return *reinterpret_cast<View*>(self)->block; }

/// A holder of `value`.
template <class T>
PyObject* make_holder(T value) {
  static_assert(alignof(Holder<T>) <= alignof(std::max_align_t), "python_allocates_no_such_alignment");
  auto* const self = reinterpret_cast<Holder<T>*>(class_of<T>->tp_alloc(class_of<T>, 0));
  if (self != nullptr) ::new (&self->value) T(std::move(value));
  return reinterpret_cast<PyObject*>(self);
}

template <class T>
T& held(PyObject* self) {
  return reinterpret_cast<Holder<T>*>(self)->value;
}

/// The start of tp_dealloc.
inline void clear_weak_references(PyObject* self) {
  if (reinterpret_cast<Head*>(self)->weak_references != nullptr) PyObject_ClearWeakRefs(self);
}
/// The end of tp_dealloc, after what the object kept was let go.
inline void free_object(PyObject* self) {
  PyTypeObject* const type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}

inline void destroy_view(PyObject* self) {
  clear_weak_references(self);
  block_of(self).release();
  free_object(self);
}

template <class T>
void destroy_holder(PyObject* self) {
  clear_weak_references(self);
  held<T>(self).~T();
  free_object(self);
}

}  // namespace bankhook::python
