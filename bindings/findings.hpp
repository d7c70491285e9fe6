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

/// A bankhook.Finding; its views live as long as the object. TypeError or ValueError, and false, for anything else.
bool from_python(PyObject* object, Finding& out);

/// Raises bankhook.ParseError for `reason`, one of `findings`; always null.
PyObject* raise(const Finding& reason, const std::vector<Finding>& findings);

}  // namespace bankhook::python
