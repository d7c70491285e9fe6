// SPDX-License-Identifier: MIT
// Payloads become objects: the root's value, its arrays and the payload lie in one block that all views share.
#pragma once

#include "class.hpp"
#include "findings.hpp"
#include "library.hpp"
#include "unlocked.hpp"

#include <new>
#include <string_view>

namespace bankhook::python {

/// The payload as bytes, a new reference: bytes as they are, all else copied, because it could change.
/// bytearray, memoryview, mmap and str are taken; TypeError, that names the function, for others.
pybind11::object payload_bytes(PyObject* payload, const char* function);

/// The event of a payload (bytes).
PyObject* read_event(const pybind11::object& bytes, bool strict, Places places = Places::kept);
/// An object of `cls` or, for an event's class, of any event's, from JSON (bytes).
PyObject* read_as(PyTypeObject* cls, const pybind11::object& bytes, bool strict, Places places);

/// A root object of what was parsed into `arena`, whose memory moves to it.
template <class T>
PyObject* make_root(const T& value, PyObject* payload, Arena& arena, bool has_notes = false) {
  auto* const block = new (std::nothrow) ValueBlock<T>(value, payload, arena.release(), has_notes);
  if (block == nullptr) return PyErr_NoMemory();
  PyObject* const self = make_view(class_of<T>, &block->value, *block);
  if (self == nullptr) block->discard();
  return self;
}

}  // namespace bankhook::python
