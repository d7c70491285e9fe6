// SPDX-License-Identifier: MIT
// The compiled module bankhook._core: calls the registrations and does nothing else.
#include "bind.hpp"
#include "library.hpp"

namespace bankhook::python {
namespace {

PyModuleDef definition{PyModuleDef_HEAD_INIT, "_core", nullptr, 0, nullptr, nullptr, nullptr, nullptr, nullptr};

/// Importing it again gives the same one.
pybind11::object make_module() {
  static PyObject* made = nullptr;
  if (made != nullptr) return borrow(made);
  if (const char* const fault = take_place_id_name()) fail(PyExc_ImportError, "BANKHOOK_PLACE_ID: %s", fault);
  pybind11::module_ module(checked(steal(PyModule_Create(&definition))));
  for (Registration* const register_subject :
       {register_values, register_lifecycles, register_classes, register_fields, register_parse, register_sandbox,
        register_select, register_lines, register_schema, register_rules, register_excerpts, register_wire,
        register_batches, register_tables, register_tracker, register_member_state, register_joint_accounts})
    register_subject(module);
  made = pybind11::object(module).release().ptr();
  return module;
}

}  // namespace
}  // namespace bankhook::python

/// What the interpreter looks for. The objects that stand for values are looked up once a process, so there can be one
/// interpreter only; in another one, nothing is thrown here, because an exception would wait for the lock of the main one.
extern "C" PYBIND11_EXPORT PyObject* PyInit__core() {
  if (PyInterpreterState_Get() == PyInterpreterState_Main())
    return bankhook::python::guarded<bankhook::python::make_module>();
  PyErr_SetString(PyExc_ImportError, "bankhook can be imported in the main interpreter only, this is a sub-interpreter");
  return nullptr;
}
