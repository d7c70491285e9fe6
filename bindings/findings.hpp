// SPDX-License-Identifier: MIT
// Findings as Python's named tuples and back, and the error that carries them.
#pragma once

#include "values.hpp"

#include <bankhook/bankhook.hpp>

#include <string_view>
#include <vector>

namespace bankhook::python {

/// bankhook.Finding; None for a place that there is not. Empty, with an exception set, where there is no memory.
pybind11::object to_python(const Finding& finding);
/// A tuple of them.
pybind11::object to_python(const std::vector<Finding>& findings);
/// bankhook.Findings, which shows them in `payload`: bytes, or None where there are none.
pybind11::object to_python(const std::vector<Finding>& findings, PyObject* payload);

/// A bankhook.Finding; its views live as long as the object. TypeError or ValueError, and false, for anything else.
bool from_python(PyObject* object, Finding& out);

/// Raises bankhook.ParseError for a fault in `text`; always null.
PyObject* raise(const Error& error, std::string_view text);
/// Raises it with all that is wrong with `text`, which `parse` refused; always null.
PyObject* raise_all(std::string_view text);
/// Raises it where `text` breaks a rule that the specification states; false then.
bool keeps_what_is_stated(std::string_view text);

}  // namespace bankhook::python
