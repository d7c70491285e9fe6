// SPDX-License-Identifier: MIT
// What a class says of itself and of its fields: annotations, docstrings, the constructor's signature, the JSON Schema.
#include "bind.hpp"
#include "classes.hpp"
#include "records.hpp"

#include <string>
#include <string_view>

namespace bankhook::python {
namespace {

using detail::json::ValueType;

RecordClass field_class("Field", 8);

/// What an annotation says of a type, `str | None` or `tuple[Account, ...]`, and what that alone does not say of its values
/// and of what they may be instead, empty if it says all: `naive; ABSENT where the payload has no such field`.
struct Words {
  std::string annotation;
  std::string note{};

  [[nodiscard]] Words or_else(std::string_view other, std::string_view meaning) const {
    return {annotation + " | " + std::string(other), note + (note.empty() ? "" : "; ") + std::string(meaning)};
  }
};

Words words_for(const ValueType& type) {
  const std::string text(type.text);
  switch (type.kind) {
    case Kind::nullable: return words_for(*type.inner).or_else("None", "None is null");
    case Kind::maybe_absent: return words_for(*type.inner).or_else("Absent", "ABSENT where the payload has no such field");
    case Kind::array: return {"tuple[" + words_for(*type.inner).annotation + ", ...]", "in the order of the payload"};
    case Kind::object: return {std::string(type.table->name)};
    case Kind::decimal: return {"Decimal", "with the digits that were written"};
    case Kind::integer: return {"int", "0 or more"};
    case Kind::enumeration: return {text + " | str", "a text that is not listed yet stays a str"};
    case Kind::tag: return {"Literal[\"" + text + "\"]", "always the same"};
    case Kind::date: return {"datetime.date"};
    case Kind::local_timestamp: return {"datetime.datetime", "naive"};
    case Kind::timestamp: return {"datetime.datetime", "aware if an offset is written, else naive"};
    default: return {"str"};
  }
}

/// The fields of `UnknownEvent` beside its name are its bytes.
Words words_for(const BoundClass& cls, const detail::json::FieldRow& field) {
  return cls.is_unknown_event() && field.name == "raw" ? Words{"bytes"} : words_for(*field.type);
}

/// `Opaque hash of the account IBAN (spec 2.3).`
std::string first_line(std::string meaning, const BoundClass& cls) {
  return meaning.append(" (spec ").append(cls.table.section).append(").");
}

pybind11::object fields_of(PyObject*, PyObject* given) {
  const BoundClass* const cls = bound_class(given);
  if (cls != nullptr)
    return tuple_of(cls->table.fields, [&](const detail::json::FieldRow& field) {
      return field_class.make(field.name, field.wire_name(), words_for(*cls, field).annotation, !field.may_be_absent(),
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

std::string field_doc(const BoundClass& cls, const detail::json::FieldRow& field) {
  const auto [annotation, note] = words_for(cls, field);
  return first_line(meaning_of(field), cls) + "\n\n" + annotation + (note.empty() ? "" : ": " + note + ".");
}

pybind11::object signature_of(const BoundClass& cls) {
  const auto parameters = tuple_of(cls.table.fields, [&](const detail::json::FieldRow& field) -> pybind11::tuple {
    const bool is_in_bytes = cls.is_unknown_event() && field.name == "event";
    if (is_in_bytes) return pybind11::make_tuple(field.name, pybind11::ellipsis());
    if (field.type->kind == Kind::tag) return pybind11::make_tuple(field.name, field.type->text);
    if (field.may_be_absent()) return pybind11::make_tuple(field.name, pybind11::handle(values.absent));
    return pybind11::make_tuple(field.name);
  });
  return pybind11::module_::import("bankhook._records").attr("LateSignature")(parameters);
}

void register_fields(pybind11::module_& module) {
  add_functions(module,
                {method<fields_of>("fields"), method<schema_of>("json_schema"), method<asyncapi_document>("asyncapi")});
}

}  // namespace bankhook::python
