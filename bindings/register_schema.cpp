// SPDX-License-Identifier: MIT
// The JSON Schema of a class and the AsyncAPI document, as text; the package makes dicts of them.
#include "classes.hpp"
#include "instance.hpp"
#include "names.hpp"
#include "register.hpp"

#include <string>

namespace bankhook::python {
namespace {

/// The schema of the struct that is bound as `cls`; TypeError for anything else, and for UnknownEvent, which has none.
std::string schema_text(const pybind11::handle& cls) {
  fix_names();
  std::string text;
  for_each_class([&]<class T>() {
    if constexpr (!std::is_same_v<T, UnknownEvent>) {
      if (cls.ptr() == reinterpret_cast<PyObject*>(class_of<T>)) text = json_schema<T>();
    }
    return text.empty();
  });
  if (text.empty()) throw pybind11::type_error("json_schema() takes a class of a resource or of a listed event");
  return text;
}

std::string asyncapi_text() {
  fix_names();
  return asyncapi();
}

}  // namespace

void register_schema(pybind11::module_& module) {
  module.def("_json_schema", &schema_text, pybind11::arg("cls"), "The JSON Schema of a class as text.");
  module.def("_asyncapi", &asyncapi_text, "The AsyncAPI document of the events as text.");
}

}  // namespace bankhook::python
