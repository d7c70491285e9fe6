// SPDX-License-Identifier: MIT
// What pybind11 says where no argument fits, without the arguments.
#pragma once

#include <pybind11/pybind11.h>

namespace bankhook::python {

/// For all functions and classes that the module has by now.
void make_errors_quiet(pybind11::module_& module);

}  // namespace bankhook::python
