// SPDX-License-Identifier: MIT
// The border to the interpreter: what C++ throws where there is no memory becomes MemoryError and passes no frame of C.
#pragma once

#include <Python.h>

#include <new>
#include <stdexcept>

namespace bankhook::python {

/// `f` as a function for CPython's tables; costs nothing where nothing is thrown.
template <auto f, class... Arguments>
PyObject* guarded(Arguments... arguments) {
  try {
    return f(arguments...);
  } catch (const std::bad_alloc&) {
    return PyErr_NoMemory();
  } catch (const std::length_error&) {  // a text larger than the address space
    return PyErr_NoMemory();
  }
}

}  // namespace bankhook::python
