// SPDX-License-Identifier: MIT
// Signatures as a stub has them, with types: what `inspect` shows is derived from them, and tools/stub reads them.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <string_view>

namespace bankhook::python {

/// The docstring of a function with this signature, `(self, event: AnyEvent, /) -> Outcome`: in front of it stands what
/// CPython reads `__text_signature__` from, which has no types. Lives as long as the process.
const char* docstring(std::string_view name, std::string_view signature, std::string_view doc);

/// Notes under which name, `Tracker.apply`, the function with this docstring is bound.
void note_bound(std::string name, const char* docstring);
/// The same for what has no docstring of its own.
void note_signature(std::string name, std::string signature);

/// All that were noted: names and signatures.
pybind11::dict noted_signatures();

}  // namespace bankhook::python
