// SPDX-License-Identifier: MIT
// Objects from whatever stands for them: what `from_wire` and the package's integrations read with.
#include "bind.hpp"
#include "classes.hpp"
#include "dicts.hpp"
#include "findings.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::python {
namespace {

/// The classes that may be read: one, or several of events.
using Classes = std::span<PyTypeObject* const>;

/// Raises ParseError for an object of another class than these; always null.
PyObject* refuse_class(Classes classes, PyObject* found) {
  std::string expected;
  for (PyTypeObject* const cls : classes)
    expected.append(expected.empty() ? "" : " or ").append(bound_class(cls)->table.name);
  const BoundClass& other = class_of_object(found);
  constexpr std::array<std::string_view, 1> event{"event"};
  return other.is_event && bound_class(classes[0])->is_event
             ? raise_refusal(RuleId::event_is_listed, json::path_of({}, event), expected, other.table.name)
             : raise_refusal(RuleId::fields_have_their_type, {}, expected, other.table.name);
}

bool is_one_of(Classes classes, PyObject* object) { return std::ranges::find(classes, Py_TYPE(object)) != classes.end(); }

PyObject* one_of(Classes classes, pybind11::object made) {
  if (!made || is_one_of(classes, made.ptr())) return made.release().ptr();
  return refuse_class(classes, made.ptr());
}

bool is_text(PyObject* source) { return PyUnicode_Check(source) || PyObject_CheckBuffer(source) != 0; }

/// An object of one of these classes: `source` itself, or what its JSON (bytes, str, ...) or its wire form says.
PyObject* read_any(PyObject* source, Classes classes, bool strict) {
  if (is_one_of(classes, source)) {
    if (strict && class_of_object(source).is_event && !event_keeps_what_is_stated(source)) return nullptr;
    return Py_NewRef(source);
  }
  if (bound_class(Py_TYPE(source)) != nullptr) return refuse_class(classes, source);
  const bool has_places = is_text(source);
  const pybind11::object bytes = has_places ? payload_bytes(source, "read") : wire_text(source);
  return one_of(classes, steal(read_as(classes[0], bytes, strict, has_places ? Places::kept : Places::left_out)));
}

/// An object of one of these classes: `source` itself, or what its JSON or wire form says.
PyObject* read(PyObject*, Arguments arguments) {
  PyObject *source = nullptr, *given = nullptr;
  int strict = 0;
  arguments.take("OO!|$p:_read", {"", "", "strict"}, &source, &PyTuple_Type, &given, &strict);
  std::vector<PyTypeObject*> classes;
  for (const pybind11::handle cls : pybind11::tuple(borrow(given)))
    classes.push_back(reinterpret_cast<PyTypeObject*>(cls.ptr()));
  const auto is_ours = [](PyTypeObject* cls) { return bound_class(cls) != nullptr; };
  if (classes.empty() || !std::ranges::all_of(classes, is_ours))
    fail(PyExc_TypeError, "_read() expects classes of bankhook");
  return read_any(source, classes, strict != 0);
}

}  // namespace

PyObject* read_wire(PyTypeObject* cls, PyObject* mapping) {
  const std::array classes{cls};
  return one_of(classes, steal(read_as(cls, wire_text(mapping), false, Places::left_out)));
}

PyObject* read_json(PyTypeObject* cls, PyObject* payload) {
  const std::string function =
      std::string(cls->tp_name).substr(std::string_view(cls->tp_name).rfind('.') + 1) + ".from_json";
  const std::array classes{cls};
  return one_of(classes, steal(read_as(cls, payload_bytes(payload, function.c_str()), false, Places::kept)));
}

void register_wire(pybind11::module_& module) { add_functions(module, {method<read>("_read")}); }

}  // namespace bankhook::python
