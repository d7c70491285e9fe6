// SPDX-License-Identifier: MIT
// The compiled module bankhook._core: calls the registrations and does nothing else.
#include "register.hpp"

PYBIND11_MODULE(_core_of_main_interpreter, module) {
  bankhook::python::register_values(module);
  bankhook::python::register_lifecycles(module);
  bankhook::python::register_classes(module);
  bankhook::python::register_fields(module);
  bankhook::python::register_place_id(module);
  bankhook::python::register_parse(module);
  bankhook::python::register_sandbox(module);
  bankhook::python::register_select(module);
  bankhook::python::register_lines(module);
  bankhook::python::register_schema(module);
  bankhook::python::register_rules(module);
  bankhook::python::register_excerpts(module);
  bankhook::python::register_wire(module);
  bankhook::python::register_batches(module);
  bankhook::python::register_tables(module);
  bankhook::python::register_tracker(module);
  bankhook::python::register_member_state(module);
  bankhook::python::register_joint_accounts(module);
  bankhook::python::register_stub(module);
}

/// What the interpreter looks for. The objects that stand for values are looked up once a process, so there can be one
/// interpreter only; before Python 3.12, pybind11 does not refuse a second one but waits for ever.
extern "C" PYBIND11_EXPORT PyObject* PyInit__core() {
  if (PyInterpreterState_Get() == PyInterpreterState_Main()) return PyInit__core_of_main_interpreter();
  PyErr_SetString(PyExc_ImportError, "bankhook can be imported in the main interpreter only, this is a sub-interpreter");
  return nullptr;
}
