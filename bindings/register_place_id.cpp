// SPDX-License-Identifier: MIT
// The name of the map-provider place field: given once in each process, before it is used (2.4, Note).
#include "bind.hpp"
#include "findings.hpp"
#include "library.hpp"

#include <algorithm>
#include <string_view>

namespace bankhook::python {
namespace {

/// Why this cannot be the field's name; null if it can.
const char* fault_of(std::string_view name) {
  const auto& names = reflect::wire_names<InitialTransaction>;
  const auto other = std::ranges::find(names, name);
  if (name.empty() || name.size() > LateName::max_size) return "expected 1 to 56 bytes of UTF-8";
  if (!std::ranges::none_of(name, json::detail::needs_escape)) return "expected a name that JSON writes without escapes";
  if (other != names.end() && other != names.begin() + place_id_index) return "expected a name that no other field has";
  return nullptr;
}

PyObject* give_place_id_name(PyObject* module, PyObject* given) {
  const std::string_view name = text_argument("set_place_id_name()", given);
  if (const char* const fault = fault_of(name)) fail(PyExc_ValueError, "set_place_id_name(): %s", fault);
  if (!detail::place_id_is_named<> || name != place_id_name.view()) {
    if (detail::place_id_is_named<>) fail(PyExc_RuntimeError, "set_place_id_name(): the field has another name already");
    if (names_are_fixed)
      fail(PyExc_RuntimeError, "set_place_id_name(): names were already used; call it before anything else");
    set_place_id_name(name);
    publish_rules(module);
  }
  Py_RETURN_NONE;
}

PyObject* current_place_id_name(PyObject*) { return text_to_python(place_id_name.view()); }

}  // namespace

void register_place_id(pybind11::module_& module) {
  add_functions(module, {method<give_place_id_name>("set_place_id_name"), method<current_place_id_name>("place_id_name")});
}

}  // namespace bankhook::python
