// SPDX-License-Identifier: MIT
// The compiled module bankhook._core: calls the registrations and does nothing else.
#include "register.hpp"

PYBIND11_MODULE(_core, module) {
  module.attr("__module__") = "bankhook";  // where the classes belong
  bankhook::python::register_values(module);
  bankhook::python::register_resources(module);
  bankhook::python::register_events(module);
  bankhook::python::register_parse(module);
  module.attr("__delattr__")("__module__");
}
