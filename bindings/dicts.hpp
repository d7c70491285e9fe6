// SPDX-License-Identifier: MIT
// Objects by the names and values on the wire, as json.loads gives them, and back.
#pragma once

#include "library.hpp"

#include <pybind11/pybind11.h>

#include <string_view>

namespace bankhook::python {

/// What stands for numbers with a fraction or an exponent: what a function of their digits returns; without one, a float
/// if it has exactly this value, and otherwise a Decimal.
class WireNumbers {
 public:
  /// Throws TypeError for what is neither a function nor None.
  explicit WireNumbers(PyObject* function);
  /// A number of any length.
  [[nodiscard]] pybind11::object of(std::string_view digits) const;

 private:
  PyObject* function_;
};

/// A resource or an event as JSON has it, which `json_to_python` gives.
pybind11::object wire_form(PyObject* object, const WireNumbers& numbers);
/// What JSON says that was read, or made, by the library: nothing of it is checked. Throws what Python raises.
pybind11::object json_to_python(std::string_view json, const WireNumbers& numbers);
/// What a wire form says, as JSON (bytes). Throws ParseError for a part that JSON cannot hold, with the path to it.
pybind11::object wire_text(PyObject* source);
/// `cls.from_wire(mapping)`
PyObject* read_wire(PyTypeObject* cls, PyObject* mapping);
/// `cls.from_json(payload)`
PyObject* read_json(PyTypeObject* cls, PyObject* payload);

}  // namespace bankhook::python
