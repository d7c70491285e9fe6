// SPDX-License-Identifier: MIT
// parse, and what pickles call to come back.
#include "parse.hpp"
#include "register.hpp"

#include <string>
#include <variant>

namespace bankhook::python {
namespace {

/// Keeps what the reader remembers of lengths from payload to payload, and nothing else.
thread_local Arena arena;

PyObject* parse_any(PyObject*, PyObject* argument) {
  const pybind11::object bytes = payload_bytes(argument);
  if (!bytes) return nullptr;
  const std::string_view text = text_of(bytes);
  arena.reset();
  arena.reserve(text.size());
  const auto event = parse(text, arena);
  if (!event) return raise(event.error(), text);
  return std::visit([&](const auto& value) { return make_root(value, bytes.ptr(), arena); }, *event);
}

/// Reads `json` as the class `T` if that is `type`; else null without an error.
template <class T>
PyObject* restore_as(PyObject* type, const pybind11::object& bytes) {
  if (type != reinterpret_cast<PyObject*>(class_of<T>)) return nullptr;
  arena.reset();
  const auto value = parse_as<T>(text_of(bytes), arena);
  return value ? make_root(*value, is_event<T> ? bytes.ptr() : nullptr, arena) : raise(value.error(), text_of(bytes));
}

PyObject* restore(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  if (count != 2) return PyErr_Format(PyExc_TypeError, "restore() takes a class and its JSON");
  const pybind11::object bytes = payload_bytes(arguments[1]);
  if (!bytes) return nullptr;
  PyObject* made = nullptr;
  const auto as = [&]<class T>() {
    return made == nullptr && PyErr_Occurred() == nullptr ? made = restore_as<T>(arguments[0], bytes) : made;
  };
  as.template operator()<Account>();
  as.template operator()<Connection>();
  as.template operator()<Customer>();
  as.template operator()<ConnectedCustomer>();
  as.template operator()<InitialTransaction>();
  if (made != nullptr || PyErr_Occurred() != nullptr) return made;
  return parse_any(nullptr, bytes.ptr());
}

PyObject* unknown_from(PyObject* raw) {
  const pybind11::object event = steal(parse_any(nullptr, raw));
  if (!event || Py_TYPE(event.ptr()) == class_of<UnknownEvent>) return pybind11::object(event).release().ptr();
  return PyErr_Format(PyExc_ValueError, "UnknownEvent.raw: expected the payload of an unknown event, found %s",
                      Py_TYPE(event.ptr())->tp_name);
}

PyMethodDef functions[] = {
    {"parse", parse_any, METH_O,
     "parse(payload, /)\n--\n\nReads one event from bytes, bytearray, memoryview, mmap or str; raises ParseError."},
    {"restore", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(restore)), METH_FASTCALL,
     "restore(cls, json, /)\n--\n\nWhat pickles call."},
    {},
};

}  // namespace

pybind11::object payload_bytes(PyObject* payload) {
  if (PyBytes_CheckExact(payload)) return pybind11::reinterpret_borrow<pybind11::object>(payload);
  if (PyUnicode_Check(payload)) return steal(PyUnicode_AsEncodedString(payload, "utf-8", "surrogatepass"));
  if (PyObject_CheckBuffer(payload) != 0) return steal(PyBytes_FromObject(payload));
  PyErr_Format(PyExc_TypeError, "parse() expects bytes, bytearray, memoryview, mmap or str, found %s",
               Py_TYPE(payload)->tp_name);
  return {};
}

PyObject* raise(const Error& error, std::string_view text) {
  const bankhook::Place place = locate(text, error.offset);
  const std::string what = sentence(error, text);
  const std::string message = describe(error, text);
  const pybind11::object path = steal(text_to_python(place.path));
  const pybind11::object finding =
      path ? steal(PyObject_CallFunction(values.finding, "Onnns", path.ptr(), static_cast<Py_ssize_t>(error.offset),
                                         static_cast<Py_ssize_t>(place.line), static_cast<Py_ssize_t>(place.column),
                                         what.c_str()))
           : path;
  const pybind11::object arguments = finding ? steal(Py_BuildValue("(sO)", message.c_str(), finding.ptr())) : finding;
  if (arguments) PyErr_SetObject(values.parse_error, arguments.ptr());
  return nullptr;
}

template <>
PyObject* construct<UnknownEvent>(PyTypeObject*, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"raw", "event", nullptr};
  PyObject* raw = nullptr;
  PyObject* name = nullptr;
  if (PyArg_ParseTupleAndKeywords(arguments, keywords, "|$OO:UnknownEvent", const_cast<char**>(names), &raw, &name) == 0)
    return nullptr;
  if (raw == nullptr) return PyErr_Format(PyExc_TypeError, "UnknownEvent() misses required keyword arguments: raw");
  if (!PyBytes_Check(raw))
    return PyErr_Format(PyExc_TypeError, "UnknownEvent.raw: expected bytes, found %s", Py_TYPE(raw)->tp_name);
  pybind11::object made = steal(unknown_from(raw));
  if (!made || name == nullptr) return made.release().ptr();
  const pybind11::object event = steal(get_member<UnknownEvent, 0>(made.ptr(), nullptr));
  const int same = event ? PyObject_RichCompareBool(event.ptr(), name, Py_EQ) : -1;
  if (same == 1) return made.release().ptr();
  return same == 0 ? PyErr_Format(PyExc_ValueError, "UnknownEvent.event: expected the name in raw") : nullptr;
}

template <>
PyObject* replace<UnknownEvent>(PyObject* self, PyObject* arguments, PyObject* keywords) {
  return keywords == nullptr || PyDict_Size(keywords) == 0 ? itself(self, nullptr)
                                                           : construct<UnknownEvent>(nullptr, arguments, keywords);
}

void register_parse(pybind11::module_& module) { PyModule_AddFunctions(module.ptr(), functions); }

}  // namespace bankhook::python
