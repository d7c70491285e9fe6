// SPDX-License-Identifier: MIT
// The compiled module bankhook._core: calls the registrations and does nothing else.
#include "bind.hpp"
#include "library.hpp"

PYBIND11_MODULE(_core_of_main_interpreter, module) {
  using namespace bankhook::python;
  for (Registration* const register_subject :
       {register_values, register_lifecycles, register_classes, register_parse, register_sandbox, register_select,
        register_lines, register_schema, register_rules, register_excerpts, register_wire, register_batches,
        register_tables, register_tracker, register_member_state, register_joint_accounts})
    register_subject(module);
}

/// What the interpreter looks for. The objects that stand for values are looked up once a process, so there can be one
/// interpreter only; before Python 3.12, pybind11 does not refuse a second one but waits for ever.
extern "C" PYBIND11_EXPORT PyObject* PyInit__core() {
  if (PyInterpreterState_Get() != PyInterpreterState_Main()) {
    PyErr_SetString(PyExc_ImportError, "bankhook can be imported in the main interpreter only, this is a sub-interpreter");
    return nullptr;
  }
  const char* const fault = bankhook::python::take_place_id_name();
  return fault == nullptr ? PyInit__core_of_main_interpreter()
                          : PyErr_Format(PyExc_ImportError, "BANKHOOK_PLACE_ID: %s", fault);
}
