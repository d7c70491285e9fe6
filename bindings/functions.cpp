// SPDX-License-Identifier: MIT
// Classes made of slots.
#include "functions.hpp"

#include "object.hpp"

namespace bankhook::python {

void add_functions(pybind11::module_& module, PyMethodDef* table) {
  for (const PyMethodDef* row = table; row->ml_name != nullptr; ++row) note_bound(row->ml_name, row->ml_doc);
  if (PyModule_AddFunctions(module.ptr(), table) != 0) throw pybind11::error_already_set();
}

PyTypeObject* make_class(pybind11::module_& module, std::string_view name, std::size_t size,
                         std::vector<PyType_Slot> slots) {
  PyMemberDef hidden[] = {
      // CPython copies the table and looks for this name
      {"__weaklistoffset__", T_PYSSIZET, offsetof(Head, weak_references), READONLY, nullptr},
      {},
  };
  for (const PyType_Slot& slot : slots) {
    if (slot.slot != Py_tp_methods) continue;
    for (auto* row = static_cast<const PyMethodDef*>(slot.pfunc); row->ml_name != nullptr; ++row)
      note_bound(std::string(name).append(".").append(row->ml_name), row->ml_doc);
  }
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
