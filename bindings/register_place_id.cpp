// SPDX-License-Identifier: MIT
// The name of the map-provider place field: given once in each process, before it is used (2.4, Note).
#include "library.hpp"
#include "register.hpp"
#include "values.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace bankhook::python {
namespace {

namespace py = pybind11;

/// Why this cannot be the field's name; empty if it can.
std::string_view fault_of(std::string_view name) {
  const auto& names = reflect::wire_names<InitialTransaction>;
  const auto other = std::ranges::find(names, name);
  if (name.empty() || name.size() > LateName::max_size) return "expected 1 to 56 bytes of UTF-8";
  if (!std::ranges::none_of(name, json::detail::needs_escape)) return "expected a name that JSON writes without escapes";
  if (other != names.end() && other != names.begin() + place_id_index) return "expected a name that no other field has";
  return {};
}

void give_place_id_name(const py::str& given) {
  const auto name = utf8_of(given.ptr());
  const std::string_view fault = name ? fault_of(*name) : "expected text without unpaired surrogates";
  if (!fault.empty()) throw py::value_error("set_place_id_name(): " + std::string(fault));
  if (detail::place_id_is_named<> && *name == place_id_name.view()) return;
  if (detail::place_id_is_named<>) throw std::runtime_error("set_place_id_name(): the field has another name already");
  if (names_are_fixed)
    throw std::runtime_error("set_place_id_name(): names were already used; call it before anything else");
  set_place_id_name(*name);
}

}  // namespace

void register_place_id(py::module_& module) {
  module.def("_set_place_id_name", &give_place_id_name, py::arg("name"), py::pos_only());
  module.def("_place_id_name", [] { return std::string(place_id_name.view()); });
}

}  // namespace bankhook::python
