// SPDX-License-Identifier: MIT
// The object after bankhook.Tracker.
#pragma once

#include "library.hpp"

#include <pybind11/pybind11.h>

namespace bankhook::python {

/// bankhook.Tracker.
struct PyTracker {
  Tracker tracker;
};

/// What can be asked of it: by id, by member, by state.
void add_queries(pybind11::class_<PyTracker>& tracker);
/// `apply_lines`.
void add_batches(pybind11::class_<PyTracker>& tracker);

/// The text in a str: an id, a status. Half a surrogate pair is in no payload.
std::string_view text_in(const pybind11::str& text);

}  // namespace bankhook::python
