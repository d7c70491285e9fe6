// SPDX-License-Identifier: MIT
// What tools/stub writes the stub from: the signature of each function and method.
#include "register.hpp"
#include "stub_signatures.hpp"

namespace bankhook::python {

void register_stub(pybind11::module_& module) { module.attr("_signatures") = noted_signatures(); }

}  // namespace bankhook::python
