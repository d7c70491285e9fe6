// SPDX-License-Identifier: MIT
// What a class says of itself and of its fields: annotations, docstrings, the constructor's signature, the JSON Schema.
#include "bind.hpp"
#include "classes.hpp"
#include "records.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace bankhook::python {
namespace {

using json::ValueType;

RecordClass field_class("Field", 8);

/// `str | None`, `tuple[Account, ...]`
std::string annotation(const ValueType& type) {
  switch (type.kind) {
    case Kind::nullable: return annotation(*type.inner) + " | None";
    case Kind::maybe_absent: return annotation(*type.inner) + " | Absent";
    case Kind::array: return "tuple[" + annotation(*type.inner) + ", ...]";
    case Kind::object: return std::string(type.table->name);
    case Kind::decimal: return "Decimal";
    case Kind::integer: return "int";
    case Kind::enumeration: return std::string(type.text) + " | str";
    case Kind::tag: return "Literal[\"" + std::string(type.text) + "\"]";
    case Kind::date: return "datetime.date";
    case Kind::local_timestamp:
    case Kind::timestamp: return "datetime.datetime";
    default: return "str";
  }
}

/// The fields of `UnknownEvent` beside its name are its bytes.
std::string annotation(const BoundClass& cls, const json::FieldRow& field) {
  return cls.is_unknown_event() && field.name == "raw" ? "bytes" : annotation(*field.type);
}

/// What a type alone does not say of its values and of what they may be instead, empty where it says all:
/// `naive; ABSENT where the payload has no such field`.
std::string note(const ValueType& type) {
  if (type.is_optional()) {
    const std::string of_value = note(*type.inner);
    return of_value + (of_value.empty() ? "" : "; ") +
           (type.kind == Kind::nullable ? "None is null" : "ABSENT where the payload has no such field");
  }
  switch (type.kind) {
    case Kind::array: return "in the order of the payload";
    case Kind::integer: return "0 or more";
    case Kind::decimal: return "with the digits that were written";
    case Kind::enumeration: return "a text that is not listed yet stays a str";
    case Kind::tag: return "always the same";
    case Kind::local_timestamp: return "naive";
    case Kind::timestamp: return "aware if an offset is written, else naive";
    default: return "";
  }
}

/// `Opaque hash of the account IBAN (spec 2.3).`
std::string first_line(std::string meaning, const BoundClass& cls) {
  return meaning.append(" (spec ").append(cls.table.section).append(").");
}

pybind11::object fields_of(PyObject*, PyObject* given) {
  const BoundClass* const cls = bound_class(given);
  if (cls != nullptr)
    return tuple_of(cls->table.fields, [&](const json::FieldRow& field) {
      return field_class.make(field.name, field.wire_name(), annotation(*cls, field), !field.may_be_absent(),
                              field.may_be_null(), cls->table.section, meaning_of(field),
                              tuple_of((field.type->is_optional() ? field.type->inner : field.type)->values));
    });
  const bool is_class = PyType_Check(given);
  fail(PyExc_TypeError, "fields() expects the class of an event or of a resource, found %s %s",
       is_class ? "the class" : "an object of",
       (is_class ? reinterpret_cast<PyTypeObject*>(given) : Py_TYPE(given))->tp_name);
}

/// The schema of the struct that is bound as `cls`; TypeError for anything else, and for UnknownEvent, which has none.
pybind11::object schema_of(PyObject*, PyObject* cls) {
  std::string text;
  with_struct(cls, [&]<class T>() {
    if constexpr (!std::is_same_v<T, UnknownEvent>) text = json_schema<T>();
  });
  if (text.empty()) fail(PyExc_TypeError, "json_schema() takes a class of a resource or of a listed event");
  return json_to_python(text);
}

pybind11::object asyncapi_document(PyObject*) { return json_to_python(asyncapi()); }

}  // namespace

std::string class_doc(const BoundClass& cls) { return first_line(std::string(cls.table.meaning), cls); }

std::string field_doc(const BoundClass& cls, const json::FieldRow& field) {
  const std::string further = note(*field.type);
  return first_line(meaning_of(field), cls) + "\n\n" + annotation(cls, field) +
         (further.empty() ? "" : ": " + further + ".");
}

pybind11::object signature_of(const BoundClass& cls) {
  pybind11::list parameters;
  for (std::size_t i = 0; i < cls.names.size(); ++i) {
    const ValueType& type = *cls.table.fields[i].type;
    const pybind11::handle name(cls.names[i]);
    if (type.kind == Kind::tag) parameters.append(pybind11::make_tuple(name, to_object(type.text)));
    else if (type.kind == Kind::maybe_absent)
      parameters.append(pybind11::make_tuple(name, pybind11::handle(values.absent)));
    else if (cls.is_unknown_event() && i == 0)  // the name stands in the bytes
      parameters.append(pybind11::make_tuple(name, pybind11::ellipsis()));
    else parameters.append(pybind11::make_tuple(name));
  }
  return pybind11::module_::import("bankhook._records").attr("LateSignature")(pybind11::tuple(parameters));
}

void register_fields(pybind11::module_& module) {
  add_functions(module,
                {method<fields_of>("fields"), method<schema_of>("json_schema"), method<asyncapi_document>("asyncapi")});
}

}  // namespace bankhook::python
