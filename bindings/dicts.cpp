// SPDX-License-Identifier: MIT
// Objects as dicts of what JSON holds, and back: by the package's one way to write a dict as JSON and to read JSON as one.
#include "dicts.hpp"

namespace bankhook::python {

PyObject* call_wire(const char* function, PyObject* first, PyObject* second) {
  const pybind11::object wire = steal(PyImport_ImportModule("bankhook._wire"));
  return wire ? PyObject_CallMethod(wire.ptr(), function, "OO", first, second) : nullptr;
}

}  // namespace bankhook::python
