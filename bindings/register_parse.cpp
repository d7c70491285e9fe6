// SPDX-License-Identifier: MIT
// parse, and what pickles call to come back.
#include "bind.hpp"
#include "classes.hpp"
#include "findings.hpp"

#include <algorithm>
#include <expected>
#include <string>
#include <variant>

namespace bankhook::python {
namespace {

/// Keeps what the reader remembers of lengths from payload to payload, and little else. One is enough: it is used
/// under the interpreter's lock, and no Python runs meanwhile.
Arena shared_arena;
constexpr std::size_t max_reserved = 1 << 20;

/// `finish(result, arena)` of what `read(text, arena)` gave for the whole text; the arena has the memory of this event and
/// of nothing else.
PyObject* read_whole(const pybind11::object& bytes, auto read, auto finish) {
  const std::string_view text = text_of(bytes);
  if (text.size() >= long_text) [[unlikely]] {
    Arena memory;  // of its own: other threads read meanwhile
    return finish(unlocked(true, [&] { return read(text, memory); }), memory);
  }
  shared_arena.reset();
  shared_arena.reserve(std::min(text.size(), max_reserved));
  auto result = read(text, shared_arena);
  if (!result) static_cast<void>(shared_arena.release());
  return finish(result, shared_arena);
}

/// `parse(payload, /, *, strict=False)`
PyObject* parse_payload(PyObject*, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  if (count != 1) fail(PyExc_TypeError, "parse() takes exactly one positional argument (%zd given)", count);
  int strict = 0;
  for (Py_ssize_t i = 0; names != nullptr && i < PyTuple_GET_SIZE(names); ++i) {
    if (PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(names, i), "strict") != 0)
      refuse_keywords("parse", names, pybind11::make_tuple("strict"));
    strict = PyObject_IsTrue(arguments[count + i]);
    if (strict < 0) return nullptr;
  }
  return read_event(payload_bytes(arguments[0], "parse"), strict != 0);
}

/// Whether the JSON of a pickle means the same here as in the process that wrote it, where the place field was called
/// `name`: if it has another name here, a place id would be skipped. Escapes may hide the name.
bool says_the_same(const BoundClass& cls, std::string_view json, std::string_view name) {
  if (!cls.has_place_id || name == place_id_name.view()) return true;
  const std::string quoted = '"' + std::string(name) + '"';
  return json.find(quoted) == json.npos && json.find('\\') == json.npos;
}

/// What pickles call: an object of this class from its JSON. A third argument is the place field's name in the process that
/// made the pickle; ValueError if the JSON has that field and it has another name here.
PyObject* restore(PyObject*, const pybind11::tuple& arguments) {
  PyObject *type = nullptr, *json = nullptr, *place_name = Py_None;
  take(arguments, "OO|O:_restore", &type, &json, &place_name);
  const pybind11::object bytes = payload_bytes(json, "restore");
  const auto name = PyUnicode_Check(place_name) ? utf8_of(place_name) : compiled_names[place_id_index];
  const BoundClass* const cls = bound_class(type);
  if (cls == nullptr) fail(PyExc_TypeError, "restore() takes a class of bankhook, found %R", type);
  if (!name || !says_the_same(*cls, text_of(bytes), *name))
    fail(PyExc_ValueError, "pickled while the place field had another name: see BANKHOOK_PLACE_ID");
  // An event that was unknown when it was pickled may be known today.
  return cls->is_unknown_event() ? read_event(bytes, false) : from_json(type, bytes.ptr());
}

}  // namespace

PyObject* read_event(const pybind11::object& bytes, bool strict, Places places) {
  bankhook::detail::base::prefetch_text(text_of(bytes).data(), text_of(bytes).size());
  constexpr auto read = [](std::string_view json, Arena& to) { return detail::parse_and_note(json, to); };
  return read_whole(bytes, read, [&](const detail::Parsed& parsed, Arena& memory) -> PyObject* {
    if (!parsed) [[unlikely]]
      return raise_as(parsed.event.error(), bytes, places);
    const bool may_break = strict && detail::may_break(*parsed.event, parsed.has_notes, Evidence::stated);
    if (may_break && !keeps_what_is_stated(bytes, places)) return nullptr;
    return std::visit([&](const auto& value) { return make_root(value, bytes.ptr(), memory, parsed.is_canonical); },
                      *parsed.event);
  });
}

PyObject* read_as(PyTypeObject* cls, const pybind11::object& bytes, bool strict, Places places) {
  PyObject* made = nullptr;
  with_struct(cls, [&]<class T>() {
    if constexpr (EventStruct<T>) {
      made = read_event(bytes, strict, places);
    } else {
      constexpr auto read = [](std::string_view json, Arena& to) { return parse_as<T>(json, to); };
      made = read_whole(bytes, read, [&](const std::expected<T, Error>& value, Arena& memory) {
        return value ? make_root(*value, bytes.ptr(), memory) : raise_as<T>(value.error(), bytes, places);
      });
    }
  });
  return made;
}

pybind11::object payload_bytes(PyObject* payload, const char* function) {
  if (PyBytes_CheckExact(payload)) return borrow(payload);
  if (PyUnicode_Check(payload)) return checked(steal(PyUnicode_AsEncodedString(payload, "utf-8", "surrogatepass")));
  if (PyObject_CheckBuffer(payload) != 0) return checked(steal(PyBytes_FromObject(payload)));
  fail(PyExc_TypeError, "%s() expects bytes, bytearray, memoryview, mmap or str, found %s", function,
       Py_TYPE(payload)->tp_name);
}

PyObject* make_unknown(const Arguments& arguments) {
  PyObject *raw = nullptr, *name = nullptr;
  arguments.take("|$OU:UnknownEvent", {"raw", "event"}, &raw, &name);
  if (raw == nullptr) fail(PyExc_TypeError, "UnknownEvent() misses required keyword arguments: raw");
  if (!PyBytes_Check(raw)) refuse_argument("UnknownEvent.raw", "bytes", raw);
  pybind11::object made = checked(steal(read_event(payload_bytes(raw, "parse"), false)));
  if (Py_TYPE(made.ptr()) != class_of<UnknownEvent>)
    fail(PyExc_ValueError, "UnknownEvent.raw: expected the payload of an unknown event, found %s",
         Py_TYPE(made.ptr())->tp_name);
  // What a subclass calls equal does not count.
  if (name != nullptr && PyUnicode_Compare(pybind11::object(made.attr("event")).ptr(), name) != 0)
    fail(PyExc_ValueError, "UnknownEvent.event: expected the name in raw");
  return made.release().ptr();
}

void register_parse(pybind11::module_& module) {
  add_functions(module, {method<parse_payload>("parse"), method<restore>("_restore")});
  values.restore = pybind11::object(module.attr("_restore")).release().ptr();
}

}  // namespace bankhook::python
