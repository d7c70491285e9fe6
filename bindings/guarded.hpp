// SPDX-License-Identifier: MIT
// The border to the interpreter: what C++ throws becomes what Python raises, and passes no frame of C.
#pragma once

#include <pybind11/pybind11.h>

#include <new>
#include <stdexcept>

namespace bankhook::python {

/// `f` as a function for CPython's tables; costs nothing if nothing is thrown.
template <auto f, class... Arguments>
PyObject* guarded(Arguments... arguments) {
  try {
    return f(arguments...);
  } catch (const std::bad_alloc&) {
    return PyErr_NoMemory();
  } catch (const std::length_error&) {  // a text larger than the address space
    return PyErr_NoMemory();
  } catch (pybind11::error_already_set& raised) {
    raised.restore();
    return nullptr;
  }
}

}  // namespace bankhook::python
