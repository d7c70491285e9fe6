// SPDX-License-Identifier: MIT
// Classes made of slots.
#include "functions.hpp"

#include "object.hpp"

namespace bankhook::python {

PyTypeObject* make_class(pybind11::module_& module, std::string_view name, std::size_t size,
                         std::vector<PyType_Slot> slots) {
  PyMemberDef hidden[] = {
      // CPython copies the table and looks for this name
      {"__weaklistoffset__", T_PYSSIZET, offsetof(Head, weak_references), READONLY, nullptr},
      {},
  };
  const std::string full_name = "bankhook." + std::string(name);
  slots.push_back(slot(Py_tp_members, hidden));
  slots.push_back({});
  PyType_Spec spec = {
      .name = full_name.c_str(),
      .basicsize = static_cast<int>(size),
      .itemsize = 0,
      .flags = Py_TPFLAGS_DEFAULT,
      .slots = slots.data(),
  };
  const pybind11::object type = steal(PyType_FromSpec(&spec));
  if (!type) throw pybind11::error_already_set();
  module.attr(std::string(name).c_str()) = type;
  return reinterpret_cast<PyTypeObject*>(pybind11::object(type).release().ptr());
}

}  // namespace bankhook::python
