// SPDX-License-Identifier: MIT
// The JSON Schema of a class and the AsyncAPI document, as dicts.
#include "classes.hpp"
#include "docs_objects.hpp"
#include "functions.hpp"
#include "names.hpp"
#include "register.hpp"
#include "wire.hpp"

#include <string>

namespace bankhook::python {
namespace {

PyObject* dict_of(const std::string& json) { return json_to_python(json, WireNumbers(Py_None)).release().ptr(); }

/// The schema of the struct that is bound as `cls`; TypeError for anything else, and for UnknownEvent, which has none.
PyObject* schema_of(PyObject*, PyObject* cls) {
  fix_names();
  std::string text;
  with_struct(cls, [&]<class T>() {
    if constexpr (!std::is_same_v<T, UnknownEvent>) text = json_schema<T>();
  });
  if (!text.empty()) return dict_of(text);
  return PyErr_Format(PyExc_TypeError, "json_schema() takes a class of a resource or of a listed event");
}

PyObject* asyncapi_document(PyObject*) {
  fix_names();
  return dict_of(asyncapi());
}

PyMethodDef schema_functions[] = {
    with_one<schema_of>("json_schema", "(cls: type, /) -> dict[str, Any]", docs::json_schema),
    with_none<asyncapi_document>("asyncapi", "() -> dict[str, Any]", docs::asyncapi),
    {},
};

}  // namespace

void register_schema(pybind11::module_& module) { add_functions(module, schema_functions); }

}  // namespace bankhook::python
