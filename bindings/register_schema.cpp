// SPDX-License-Identifier: MIT
// The JSON Schema of a class and the AsyncAPI document, as dicts.
#include "bind.hpp"
#include "classes.hpp"
#include "dicts.hpp"

#include <string>

namespace bankhook::python {
namespace {

pybind11::object dict_of(const std::string& json) { return json_to_python(json, WireNumbers(Py_None)); }

/// The schema of the struct that is bound as `cls`; TypeError for anything else, and for UnknownEvent, which has none.
pybind11::object schema_of(PyObject*, PyObject* cls) {
  std::string text;
  with_struct(cls, [&]<class T>() {
    if constexpr (!std::is_same_v<T, UnknownEvent>) text = json_schema<T>();
  });
  if (text.empty()) fail(PyExc_TypeError, "json_schema() takes a class of a resource or of a listed event");
  return dict_of(text);
}

pybind11::object asyncapi_document(PyObject*) { return dict_of(asyncapi()); }

}  // namespace

void register_schema(pybind11::module_& module) {
  add_functions(module, {method<schema_of>("json_schema"), method<asyncapi_document>("asyncapi")});
}

}  // namespace bankhook::python
