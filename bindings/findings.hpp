// SPDX-License-Identifier: MIT
// Findings as Python's named tuples and back, and the error that carries them.
#pragma once

#include "library.hpp"
#include "values.hpp"

#include <optional>
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

/// What `diagnose` finds in a payload (bytes), of the rules that are asked for; nothing, with an exception, if interrupted.
std::optional<std::vector<Finding>> diagnosed(const pybind11::object& bytes, bool (*is_asked)(const Rule&) = nullptr);

/// Raises bankhook.ParseError for a fault in `text`; always null.
PyObject* raise(const Error& error, std::string_view text);
/// Raises it with all that is wrong with a payload (bytes), which `parse` refused for `error`; always null.
PyObject* raise_all(const Error& error, const pybind11::object& bytes);
/// Raises it where `diagnose` finds in a payload (bytes) that it breaks a rule which the specification states; false then.
bool keeps_what_is_stated(const pybind11::object& bytes);
/// The same for the payload of `event`, which was read: quick where there is nothing to be found.
template <class Event>
bool keeps_what_is_stated(const Event& event, bool skipped_unknown, const pybind11::object& bytes) {
  return !detail::may_break(event, skipped_unknown, Evidence::stated) || keeps_what_is_stated(bytes);
}

}  // namespace bankhook::python
