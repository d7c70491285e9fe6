// SPDX-License-Identifier: MIT
// The name of the map-provider place field: given once in each process, before it is used (2.4, Note).
#include "docs_objects.hpp"
#include "findings.hpp"
#include "functions.hpp"
#include "library.hpp"
#include "register.hpp"
#include "to_python.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace bankhook::python {
namespace {

/// Why this cannot be the field's name; empty if it can.
std::string_view fault_of(std::string_view name) {
  const auto& names = reflect::wire_names<InitialTransaction>;
  const auto other = std::ranges::find(names, name);
  if (name.empty() || name.size() > LateName::max_size) return "expected 1 to 56 bytes of UTF-8";
  if (!std::ranges::none_of(name, json::detail::needs_escape)) return "expected a name that JSON writes without escapes";
  if (other != names.end() && other != names.begin() + place_id_index) return "expected a name that no other field has";
  return {};
}

PyObject* give_place_id_name(PyObject* module, PyObject* given) {
  const std::string_view name = text_argument("set_place_id_name()", given);
  const std::string_view fault = fault_of(name);
  if (!fault.empty()) return PyErr_Format(PyExc_ValueError, "set_place_id_name(): %s", std::string(fault).c_str());
  if (detail::place_id_is_named<> && name == place_id_name.view()) return Py_NewRef(Py_None);
  if (detail::place_id_is_named<>)
    return PyErr_Format(PyExc_RuntimeError, "set_place_id_name(): the field has another name already");
  if (names_are_fixed)
    return PyErr_Format(PyExc_RuntimeError, "set_place_id_name(): names were already used; call it before anything else");
  set_place_id_name(name);
  publish_rules(module);
  return Py_NewRef(Py_None);
}

PyObject* current_place_id_name(PyObject*) { return text_to_python(place_id_name.view()); }

PyMethodDef place_id_functions[] = {
    with_one<give_place_id_name>(
        "set_place_id_name", "(name: str, /) -> None",
        ""
        "Give the map-provider place field its wire name, which the specification does not show (2.4, Note).\n\n"
        "From then on payloads, findings, schemas, changes and paths have this name, `placeId` is like any other unlisted\n"
        "field, and what 6.3 says about the field's presence is `stated` instead of `assumed`: `bankhook.rules` is "
        "another\n"
        "tuple then. In Python the field stays `InitialTransaction.place_id`.\n\n"
        "Call it once in each process, worker processes included, right after the import and before any payload is read,\n"
        "written, simulated or described.\n\n"
        "Parameters\n"
        "----------\n"
        "name : str\n"
        "    1 to 56 bytes of UTF-8 that JSON writes without escapes; no other field of an initial transaction may have "
        "it.\n\n"
        "Raises\n"
        "------\n"
        "ValueError\n"
        "    If the name does not meet these conditions.\n"
        "RuntimeError\n"
        "    If the field already has another name, or names were already used.\n\n"
        "Examples\n"
        "--------\n"
        ">>> bankhook.set_place_id_name(\"mapPlaceId\")\n"
        ">>> bankhook.place_id_name()\n"
        "'mapPlaceId'"),
    with_none<current_place_id_name>("place_id_name", "() -> str", docs::place_id_name),
    {},
};

}  // namespace

void register_place_id(pybind11::module_& module) { add_functions(module, place_id_functions); }

}  // namespace bankhook::python
