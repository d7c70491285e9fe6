// SPDX-License-Identifier: MIT
// The compiled module bankhook._core: takes the place field's name and calls the registrations.
#include "bind.hpp"
#include "library.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace bankhook::python { namespace {

/// Why this cannot be the field's name; null if it can.
const char* fault_of(std::string_view name) {
  const auto& names = detail::reflect::wire_names<InitialTransaction>;
  const auto other = std::ranges::find(names, name);
  const bool is_utf8 = detail::text::find_invalid_utf8(name.data(), name.data() + name.size()) == name.data() + name.size();
  if (name.empty() || name.size() > LateName::max_size || !is_utf8) return "expected 1 to 56 bytes of UTF-8";
  if (!std::ranges::none_of(name, detail::simd::needs_escape)) return "expected a name that JSON writes without escapes";
  if (other != names.end() && other != names.begin() + place_id_index) return "expected a name that no other field has";
  return nullptr;
}

/// Gives the place field the name in the environment variable BANKHOOK_PLACE_ID, if there is one (2.4, Note). Throws
/// ImportError if it cannot have that.
void take_place_id_name() {
  const char* const name = std::getenv("BANKHOOK_PLACE_ID");
  if (name == nullptr) return;
  if (const char* const fault = fault_of(name)) fail(PyExc_ImportError, "BANKHOOK_PLACE_ID: %s", fault);
  set_place_id_name(name);
}

PyModuleDef definition{PyModuleDef_HEAD_INIT, "_core", nullptr, 0, nullptr, nullptr, nullptr, nullptr, nullptr};

/// Importing it again gives the same one.
pybind11::object make_module() {
  static PyObject* made = nullptr;
  if (made != nullptr) return borrow(made);
  take_place_id_name();
  pybind11::module_ module(checked(steal(PyModule_Create(&definition))));
  for (Registration* const register_subject :
       {register_values, register_lifecycles, register_classes, register_fields, register_parse, register_sandbox,
        register_select, register_lines, register_rules, register_wire, register_batches, register_tables, register_tracker,
        register_joint_accounts})
    register_subject(module);
  made = pybind11::object(module).release().ptr();
  return module;
}

}}  // namespace bankhook::python

/// What the interpreter looks for. The objects that stand for values are looked up once a process, so there can be one
/// interpreter only; in another one, nothing is thrown here, because an exception would wait for the lock of the main one.
extern "C" PYBIND11_EXPORT PyObject* PyInit__core() {
  if (PyInterpreterState_Get() == PyInterpreterState_Main())
    return bankhook::python::guarded<bankhook::python::make_module>();
  PyErr_SetString(PyExc_ImportError, "bankhook can be imported in the main interpreter only, this is a sub-interpreter");
  return nullptr;
}
