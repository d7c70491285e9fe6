// SPDX-License-Identifier: MIT
// What the package's Python code needs to show findings and texts: excerpts and paths as data, and hidden characters.
#include "classes.hpp"
#include "findings.hpp"
#include "functions.hpp"
#include "names.hpp"
#include "object.hpp"
#include "parse.hpp"
#include "register.hpp"
#include "to_python.hpp"
#include "unlocked.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace bankhook::python {
namespace {

/// `(line, text, start, end)`, counted in characters; None if there is no excerpt.
pybind11::object excerpt_to_python(const std::optional<Excerpt>& excerpt) {
  if (!excerpt) return pybind11::reinterpret_borrow<pybind11::object>(Py_None);
  const std::string_view text = excerpt->text;
  const std::size_t start = text::count_characters(text.substr(0, excerpt->start));
  const std::size_t size = text::count_characters(text.substr(excerpt->start, excerpt->end - excerpt->start));
  const pybind11::object shown = steal(text_to_python(text));
  if (!shown) return {};
  return steal(Py_BuildValue("(nOnn)", static_cast<Py_ssize_t>(excerpt->line), shown.ptr(), static_cast<Py_ssize_t>(start),
                             static_cast<Py_ssize_t>(start + size)));
}

PyObject* excerpts_of(PyObject*, PyObject* arguments) {
  PyObject* given = nullptr;
  PyObject* payload = nullptr;
  int show_values = 0;
  Py_ssize_t width = 102;
  if (PyArg_ParseTuple(arguments, "OOp|n:_excerpts", &given, &payload, &show_values, &width) == 0) return nullptr;
  const auto most = static_cast<std::size_t>(std::max<Py_ssize_t>(width, 0));
  const pybind11::object bytes = payload_bytes(payload, "_excerpts");
  const pybind11::object objects = bytes ? steal(PySequence_Tuple(given)) : bytes;
  if (!objects) return nullptr;
  Excerpts excerpts(text_of(bytes), show_values != 0 ? bankhook::Redaction::off : bankhook::Redaction::on);
  return tuple_of(static_cast<std::size_t>(PyTuple_GET_SIZE(objects.ptr())),
                  [&](std::size_t i) {
                    Kept kept;
                    PyObject* const object = PyTuple_GET_ITEM(objects.ptr(), static_cast<Py_ssize_t>(i));
                    return excerpt_to_python(excerpts.of(finding_argument("_excerpts()", object, kept), most));
                  })
      .release()
      .ptr();
}

/// The UTF-8 of a str; half a surrogate pair, which has no UTF-8, becomes a question mark.
pybind11::object utf8_bytes(PyObject* text) { return steal(PyUnicode_AsEncodedString(text, "utf-8", "replace")); }

/// `(steps, text)` of names and indices.
PyObject* path_of_steps(PyObject*, PyObject* given) {
  const pybind11::object items = steal(PySequence_Tuple(given));
  if (!items) return nullptr;
  std::vector<pybind11::object> kept;
  std::vector<json::Step> steps;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(items.ptr()) && steps.size() <= json::max_steps; ++i) {
    PyObject* const item = PyTuple_GET_ITEM(items.ptr(), i);
    if (PyUnicode_Check(item)) {
      kept.push_back(utf8_bytes(item));
      if (!kept.back()) return nullptr;
      steps.push_back({.kind = json::Step::Kind::name, .name = text_of(kept.back())});
    } else {
      const std::size_t index = PyLong_AsSize_t(item);
      if (PyErr_Occurred() != nullptr) return nullptr;
      steps.push_back({.kind = json::Step::Kind::index, .index = index});
    }
  }
  const json::Path path = json::path_of(steps);
  const pybind11::object text = steal(text_to_python(path.text));
  const pybind11::object cut = to_python(path.steps);
  return cut && text ? PyTuple_Pack(2, cut.ptr(), text.ptr()) : nullptr;
}

/// A field in the form of the wire; None for null, absent, an object or an array.
template <class T>
PyObject* written_or_none(const T& value) {
  if constexpr (reflect::OptionalValue<T>) return value ? written_or_none(*value) : Py_NewRef(Py_None);
  else if constexpr (reflect::HasParts<T>) return Py_NewRef(Py_None);
  else return written(value);
}

PyObject* written_field(PyObject*, PyObject* arguments) {
  PyObject* object = nullptr;
  PyObject* name = nullptr;
  if (PyArg_ParseTuple(arguments, "OU:_written", &object, &name) == 0) return nullptr;
  PyObject* text = nullptr;
  with_struct(Py_TYPE(object), [&]<class T>() {
    const std::size_t index = field_index<T>(name);
    reflect::for_each_field<T>([&]<std::size_t I>() {
      if (I == index) text = written_or_none(reflect::field<I>(value_of<T>(object)));
      return I != index;
    });
  });
  if (text == nullptr && PyErr_Occurred() == nullptr)
    PyErr_SetString(PyExc_TypeError, "_written() expects a field of an object");
  return text;
}

PyObject* escaped(PyObject*, PyObject* text) {
  if (!PyUnicode_Check(text))
    return PyErr_Format(PyExc_TypeError, "_escaped() expects str, found %s", Py_TYPE(text)->tp_name);
  const pybind11::object bytes = utf8_bytes(text);
  if (!bytes) return nullptr;
  std::string out;
  text::append_escaped(out, text_of(bytes));
  return text_to_python(out);
}

PyObject* cells(PyObject*, PyObject* text) {
  if (!PyUnicode_Check(text))
    return PyErr_Format(PyExc_TypeError, "_cells() expects str, found %s", Py_TYPE(text)->tp_name);
  const pybind11::object bytes = utf8_bytes(text);
  return bytes ? PyLong_FromSize_t(text::count_cells(text_of(bytes))) : nullptr;
}

/// All hidden characters as the inside of a character class of a regular expression: `\x00-\x1f...`.
pybind11::str hidden_characters() {
  std::vector<Py_UCS4> ranges;
  for (const text::CharacterRange& range : text::hidden_characters) {
    for (const char32_t character : {range.first, U'-', range.last}) ranges.push_back(character);
  }
  return steal(PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, ranges.data(), static_cast<Py_ssize_t>(ranges.size())));
}

PyMethodDef excerpt_functions[] = {
    with_several<excerpts_of>(
        "_excerpts",
        "(findings: Iterable[Finding], payload: Buffer | str, show_values: bool, width: int = 102, /) -> "
        "tuple[tuple[int, str, int, int] | None, ...]",
        "For each finding the line that `explain` shows: its number, its "
        "text, and\n"
        "the start and end of the marked characters; None for a finding without a line. A text has at\n"
        "most `width` characters."),
    with_one<path_of_steps>("_path", "(steps: Iterable[str | int], /) -> tuple[tuple[str | int, ...], str]",
                            "Names and indices, cut as in a finding, and their path."),
    with_several<written_field>("_written", "(object: object, name: str, /) -> str | None",
                                "A field's value as written on the wire, digit by digit; None for null or absent."),
    with_one<cells>("_cells", "(text: str, /) -> int",
                    "How many cells of a terminal a text takes that has no hidden characters."),
    with_one<escaped>("_escaped", "(text: str, /) -> str", "A text as it stands between the quotes of a path."),
    {},
};

}  // namespace

void register_excerpts(pybind11::module_& module) {
  add_functions(module, excerpt_functions);
  module.attr("_hidden_characters") = hidden_characters();
}

}  // namespace bankhook::python
