// SPDX-License-Identifier: MIT
// The JSON Schema of a class and the AsyncAPI document, as text; the package makes dicts of them.
#include "classes.hpp"
#include "functions.hpp"
#include "names.hpp"
#include "register.hpp"
#include "to_python.hpp"

#include <string>

namespace bankhook::python {
namespace {

/// The schema of the struct that is bound as `cls`; TypeError for anything else, and for UnknownEvent, which has none.
PyObject* schema_text(PyObject*, PyObject* cls) {
  fix_names();
  std::string text;
  for_each_class([&]<class T>() {
    if constexpr (!std::is_same_v<T, UnknownEvent>) {
      if (cls == reinterpret_cast<PyObject*>(class_of<T>)) text = json_schema<T>();
    }
    return text.empty();
  });
  if (!text.empty()) return text_to_python(text);
  return PyErr_Format(PyExc_TypeError, "json_schema() takes a class of a resource or of a listed event");
}

PyObject* asyncapi_text(PyObject*) {
  fix_names();
  return text_to_python(asyncapi());
}

PyMethodDef schema_functions[] = {
    with_one<schema_text>("_json_schema", "_json_schema(cls, /)\n--\n\nThe JSON Schema of a class as text."),
    with_none<asyncapi_text>("_asyncapi", "_asyncapi()\n--\n\nThe AsyncAPI document of the events as text."),
    {},
};

}  // namespace

void register_schema(pybind11::module_& module) { add_functions(module, schema_functions); }

}  // namespace bankhook::python
