// SPDX-License-Identifier: MIT
// The compiled module bankhook._core: takes the place field's name and calls the registrations.
#include "bind.hpp"
#include "library.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>
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

/// Gives the place field the name in the environment variable BANKHOOK_PLACE_ID, if there is one (2.4, Note). Throws what
/// becomes an ImportError if it cannot have that.
void take_place_id_name() {
  const char* const name = std::getenv("BANKHOOK_PLACE_ID");
  if (name == nullptr) return;
  if (const char* const fault = fault_of(name)) throw std::runtime_error(std::string("BANKHOOK_PLACE_ID: ") + fault);
  set_place_id_name(name);
}

}}  // namespace bankhook::python

/// What pybind11 makes of this is called by the function that the interpreter looks for, below.
PYBIND11_MODULE(_core_of_main, module) {
  using namespace bankhook::python;
  pybind11::options options;
  options.disable_function_signatures();  // the stub has them
  take_place_id_name();
  for (Registration* const register_subject :
       {register_values, register_lifecycles, register_classes, register_fields, register_parse, register_sandbox,
        register_select, register_lines, register_rules, register_wire, register_batches, register_tables, register_tracker,
        register_joint_accounts})
    register_subject(module);
}

/// What the interpreter looks for. The objects that stand for values are looked up once a process, so there can be one
/// interpreter only. In another one, pybind11's function would wait for the lock of the main one.
extern "C" PYBIND11_EXPORT PyObject* PyInit__core() {
  if (PyInterpreterState_Get() == PyInterpreterState_Main()) return PyInit__core_of_main();
  PyErr_SetString(PyExc_ImportError, "bankhook can be imported in the main interpreter only, this is a sub-interpreter");
  return nullptr;
}
