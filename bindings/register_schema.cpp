// SPDX-License-Identifier: MIT
// The JSON Schema of a class and the AsyncAPI document, as dicts.
#include "classes.hpp"
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
    with_one<schema_of>(
        "json_schema", "(cls: type, /) -> dict[str, Any]",
        "Return the JSON Schema (2020-12) of an event or resource class.\n\n"
        "Unlisted fields are allowed (9: how payloads may grow is not shown), listed values are the only ones, and the "
        "rules\n"
        "of 6.3 that a schema can express are in it. Where the specification leaves more open, the schema is as narrow as\n"
        "`parse`: dates and times have the forms that are read (by patterns, so even if formats are not checked), counts "
        "are\n"
        "whole numbers from 0, and the fields that section 6 lists are required. `diagnose` reports what a schema cannot\n"
        "express. Raises TypeError for anything but a class of a resource or of a listed event."),
    with_none<asyncapi_document>(
        "asyncapi", "() -> dict[str, Any]",
        "Return the events as an AsyncAPI 3.0 document: what the service sends and a consumer receives "
        "(6).\n\nAddress, security and content type of the deliveries are not shown (4 to 6), so none is stated."),
    {},
};

}  // namespace

void register_schema(pybind11::module_& module) { add_functions(module, schema_functions); }

}  // namespace bankhook::python
