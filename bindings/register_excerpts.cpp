// SPDX-License-Identifier: MIT
// What the package's Python code needs to show findings and texts: excerpts and paths as data, and hidden characters.
#include "bind.hpp"
#include "classes.hpp"
#include "findings.hpp"
#include "object.hpp"
#include "unlocked.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::python {
namespace {

/// `(line, text, start, end)`, counted in characters; None if there is no excerpt.
pybind11::object excerpt_to_python(const std::optional<Excerpt>& excerpt) {
  if (!excerpt) return none();
  const std::string_view text = excerpt->text;
  const std::size_t start = text::count_characters(text.substr(0, excerpt->start));
  const std::size_t size = text::count_characters(text.substr(excerpt->start, excerpt->end - excerpt->start));
  return pybind11::make_tuple(excerpt->line, to_object(text), start, start + size);
}

/// For each finding the line that `explain` shows: its number, its text, and the start and end of the marked characters;
/// None for a finding without a line. A text has at most `width` characters.
pybind11::object excerpts_of(PyObject*, Positional arguments) {
  PyObject *given = nullptr, *payload = nullptr;
  int show_values = 0;
  Py_ssize_t width = 102;
  arguments.take("OOp|n:_excerpts", &given, &payload, &show_values, &width);
  const pybind11::object bytes = payload_bytes(payload, "_excerpts");
  Excerpts excerpts(text_of(bytes), show_values != 0 ? bankhook::Redaction::off : bankhook::Redaction::on);
  return tuple_of(pybind11::tuple(borrow(given)), [&](pybind11::handle object) {
    Kept kept;
    const auto most = static_cast<std::size_t>(std::max<Py_ssize_t>(width, 0));
    return excerpt_to_python(excerpts.of(finding_argument("_excerpts()", object.ptr(), kept), most));
  });
}

/// The UTF-8 of a str; half a surrogate pair, which has no UTF-8, becomes a question mark.
pybind11::object utf8_bytes(const char* function, PyObject* text) {
  if (!PyUnicode_Check(text)) fail(PyExc_TypeError, "%s expects str, found %s", function, Py_TYPE(text)->tp_name);
  return checked(steal(PyUnicode_AsEncodedString(text, "utf-8", "replace")));
}

/// Names and indices, cut as in a finding, and their path.
pybind11::object path_of_steps(PyObject*, PyObject* given) {
  std::vector<pybind11::object> kept;
  std::vector<json::Step> steps;
  for (const pybind11::handle item : pybind11::tuple(borrow(given))) {
    if (steps.size() > json::max_steps) break;
    if (PyUnicode_Check(item.ptr())) {
      kept.push_back(utf8_bytes("_path()", item.ptr()));
      steps.push_back({.kind = json::Step::Kind::name, .name = text_of(kept.back())});
    } else {
      steps.push_back({.kind = json::Step::Kind::index, .index = PyLong_AsSize_t(item.ptr())});
      if (PyErr_Occurred() != nullptr) throw pybind11::error_already_set();
    }
  }
  const json::Path path = json::path_of(steps);
  return pybind11::make_tuple(to_python(path.steps), to_object(path.text));
}

/// A field's value as written on the wire, digit by digit; None for null, absent, an object or an array.
pybind11::object written_field(PyObject*, Positional arguments) {
  PyObject *object = nullptr, *name = nullptr;
  arguments.take("OU:_written", &object, &name);
  const BoundClass* const cls = bound_class(Py_TYPE(object));
  const auto fields = cls == nullptr ? std::span<const json::FieldRow>() : cls->table.fields;
  const auto field = std::ranges::find(fields, text_argument("_written()", name), &json::FieldRow::name);
  if (field == fields.end()) fail(PyExc_TypeError, "_written() expects a field of an object");
  const pybind11::object wire = wire_form(object, reinterpret_cast<PyObject*>(&PyUnicode_Type));
  const pybind11::object value = wire.attr("get")(to_object(field->wire_name()));
  if (PyLong_Check(value.ptr())) return pybind11::str(value);
  return PyUnicode_Check(value.ptr()) ? value : none();
}

/// A text as it stands between the quotes of a path.
PyObject* escaped(PyObject*, PyObject* text) {
  std::string out;
  text::append_escaped(out, text_of(utf8_bytes("_escaped()", text)));
  return text_to_python(out);
}

/// How many cells of a terminal a text takes that has no hidden characters.
pybind11::object cells(PyObject*, PyObject* text) {
  return number(text::count_cells(text_of(utf8_bytes("_cells()", text))));
}

/// All hidden characters as the inside of a character class of a regular expression: `\x00-\x1f...`.
pybind11::str hidden_characters() {
  std::vector<Py_UCS4> ranges;
  for (const text::CharacterRange& range : text::hidden_characters) {
    for (const char32_t character : {range.first, U'-', range.last}) ranges.push_back(character);
  }
  return steal(PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, ranges.data(), static_cast<Py_ssize_t>(ranges.size())));
}

}  // namespace

void register_excerpts(pybind11::module_& module) {
  add_functions(module, {method<excerpts_of>("_excerpts"), method<path_of_steps>("_path"),
                         method<written_field>("_written"), method<cells>("_cells"), method<escaped>("_escaped")});
  module.attr("_hidden_characters") = hidden_characters();
}

}  // namespace bankhook::python
