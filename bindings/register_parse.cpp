// SPDX-License-Identifier: MIT
// parse, and what pickles call to come back.
#include "parse.hpp"
#include "register.hpp"

#include <algorithm>
#include <string>
#include <variant>

namespace bankhook::python {
namespace {

/// Keeps what the reader remembers of lengths from payload to payload, and little else. One is enough: the interpreter's
/// lock is held while it is used, and no Python runs meanwhile.
Arena arena;
constexpr std::size_t most_reserved = 1 << 20;

/// Reads the whole text; the arena then holds the memory of this event and of nothing else.
template <class Read>
auto read_with_arena(std::string_view text, Read read) {
  arena.reset();
  arena.reserve(std::min(text.size(), most_reserved));
  auto result = read(text, arena);
  if (!result) static_cast<void>(arena.release());
  return result;
}

PyObject* parse_any(PyObject*, PyObject* argument) {
  const pybind11::object bytes = payload_bytes(argument);
  if (!bytes) return nullptr;
  const std::string_view text = text_of(bytes);
  const auto event = read_with_arena(text, [](std::string_view json, Arena& to) { return parse(json, to); });
  if (!event) [[unlikely]]
    return raise(event.error(), text);
  return std::visit([&](const auto& value) { return make_root(value, bytes.ptr(), arena); }, *event);
}

template <class T>
PyObject* restore_as(const pybind11::object& bytes) {
  const std::string_view text = text_of(bytes);
  const auto value = read_with_arena(text, [](std::string_view json, Arena& to) { return parse_as<T>(json, to); });
  return value ? make_root(*value, bytes.ptr(), arena) : raise(value.error(), text);
}

/// An event that was unknown when it was pickled may be known today.
template <>
PyObject* restore_as<UnknownEvent>(const pybind11::object& bytes) {
  return parse_any(nullptr, bytes.ptr());
}

PyObject* restore(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  if (count != 2) return PyErr_Format(PyExc_TypeError, "restore() takes a class and its JSON");
  const pybind11::object bytes = payload_bytes(arguments[1]);
  if (!bytes) return nullptr;
  PyObject* made = nullptr;
  const bool is_none_of_ours = for_each_class([&]<class T>() {
    if (arguments[0] != reinterpret_cast<PyObject*>(class_of<T>)) return true;
    made = restore_as<T>(bytes);
    return false;
  });
  return is_none_of_ours ? PyErr_Format(PyExc_TypeError, "restore() takes a class of bankhook, found %R", arguments[0])
                         : made;
}

PyObject* unknown_from(PyObject* raw) {
  const pybind11::object event = steal(parse_any(nullptr, raw));
  if (!event || Py_TYPE(event.ptr()) == class_of<UnknownEvent>) return pybind11::object(event).release().ptr();
  return PyErr_Format(PyExc_ValueError, "UnknownEvent.raw: expected the payload of an unknown event, found %s",
                      Py_TYPE(event.ptr())->tp_name);
}

using FastFunction = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t);
constexpr FastFunction restore_guarded = guarded<restore>;

PyMethodDef functions[] = {
    {"parse", guarded<parse_any>, METH_O,
     "parse(payload, /)\n--\n\nReads one event (spec 6) from bytes, bytearray, memoryview, mmap or str.\n\n"
     "Raises ParseError, with the place, where the payload is no event. An unknown event name gives an UnknownEvent.\n"
     "The event keeps exact bytes alive instead of copying them, and so does every part of it that is kept."},
    {"restore", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(restore_guarded)), METH_FASTCALL,
     "restore(cls, json, /)\n--\n\nWhat pickles call: an object of this class from its JSON."},
    {},
};

/// Text that may hold names out of a payload which is not UTF-8.
PyObject* readable(const std::string& text) {
  return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace");
}

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
  const pybind11::object path = steal(readable(place.path));
  const pybind11::object line = path ? steal(readable(message)) : path;
  const pybind11::object parts =
      line ? steal(Py_BuildValue("((Onnns))", path.ptr(), static_cast<Py_ssize_t>(error.offset),
                                 static_cast<Py_ssize_t>(place.line), static_cast<Py_ssize_t>(place.column), what.c_str()))
           : line;
  auto* const finding_type = reinterpret_cast<PyTypeObject*>(values.finding);
  const pybind11::object finding =  // what its `_make` does, and no Python on the way
      parts ? steal(PyTuple_Type.tp_new(finding_type, parts.ptr(), nullptr)) : parts;
  const pybind11::object arguments = finding ? steal(PyTuple_Pack(2, line.ptr(), finding.ptr())) : finding;
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
  if (keywords != nullptr && PyDict_GET_SIZE(keywords) != 0) return construct<UnknownEvent>(nullptr, arguments, keywords);
  return only_keywords(class_name<UnknownEvent>, arguments) ? itself(self, nullptr) : nullptr;
}

void register_parse(pybind11::module_& module) {
  if (PyModule_AddFunctions(module.ptr(), functions) != 0) throw pybind11::error_already_set();
  values.restore = pybind11::object(module.attr("restore")).release().ptr();
}

}  // namespace bankhook::python
