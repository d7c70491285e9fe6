// SPDX-License-Identifier: MIT
// A wire form as JSON, so that the one reader reads it: nothing that holds for a payload has to be held for dicts again.
#include "classes.hpp"
#include "dicts.hpp"
#include "findings.hpp"
#include "python_types.hpp"
#include "records.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace bankhook::python {
namespace {

/// Deeper than the reader goes, so that it is the reader who says so; what contains itself is refused here.
constexpr std::size_t max_depth = 1100;

class Writer {
 public:
  /// Appends what `value` stands for. Throws ParseError for what JSON cannot hold.
  void write(PyObject* value) {
    if (steps_.size() > max_depth) refuse(Py_TYPE(value)->tp_name);
    if (write_scalar(value) || write_resource(value)) return;
    if (PyList_Check(value) || PyTuple_Check(value)) return write_items(value);
    if (!is_mapping(value)) refuse(name_of_type(value));
    write_fields(value);
  }

  [[nodiscard]] const std::string& text() const { return out_; }

 private:
  static std::string name_of_type(PyObject* value) {
    const std::string_view name = Py_TYPE(value)->tp_name;
    return std::string(name.substr(name.rfind('.') + 1));
  }

  /// Appends the digits that a type itself gives: what a subclass calls its text does not count.
  void write_digits(PyObject* value, reprfunc print) {
    const pybind11::object digits = steal(print(value));
    if (!digits && PyErr_ExceptionMatches(PyExc_ValueError) == 0) throw pybind11::error_already_set();
    if (!digits) {
      PyErr_Clear();  // of an int with thousands of digits, which Python does not print
      refuse(name_of_type(value));
    }
    out_ += *utf8_of(digits.ptr());
  }

  bool write_scalar(PyObject* value) {
    auto* const decimal = reinterpret_cast<PyTypeObject*>(decimal_class());
    if (value == Py_None) out_ += "null";
    else if (value == Py_True) out_ += "true";
    else if (value == Py_False) out_ += "false";
    else if (PyUnicode_Check(value)) write_text(value);
    else if (PyLong_Check(value)) write_digits(value, PyLong_Type.tp_repr);
    else if (PyFloat_Check(value)) write_digits(value, PyFloat_Type.tp_repr);
    else if (PyObject_TypeCheck(value, decimal) != 0) write_digits(value, decimal->tp_str);
    else return false;
    return true;
  }

  /// Half a surrogate pair is written as it would be in UTF-8, which the reader refuses at its place.
  void write_text(PyObject* text) {
    if (const auto utf8 = utf8_of(text)) return serialize_to(*utf8, out_);
    const pybind11::object bytes = checked(steal(PyUnicode_AsEncodedString(text, "utf-8", "surrogatepass")));
    serialize_to(text_of(bytes), out_);
  }

  /// An object of the library stands for its JSON.
  bool write_resource(PyObject* value) {
    const BoundClass* const cls = bound_class(Py_TYPE(value));
    if (cls != nullptr) out_ += text_of(checked(steal(cls->to_json(value))));
    return cls != nullptr;
  }

  void write_items(PyObject* list) {
    Kept kept;  // of what the list holds now: what lies in it may be Python's, and may change the list
    PyObject* const items = kept_tuple(list, kept);
    out_ += '[';
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(items); ++i) {
      if (!check_signals(static_cast<std::size_t>(i) + 1)) throw pybind11::error_already_set();
      if (i > 0) out_ += ',';
      steps_.push_back({.kind = json::Step::Kind::index, .index = static_cast<std::size_t>(i)});
      write(PyTuple_GET_ITEM(items, i));
      steps_.pop_back();
    }
    out_ += ']';
  }

  void write_fields(PyObject* mapping) {
    Kept kept;
    PyObject* const fields = kept_dict(mapping, kept);
    PyObject* name = nullptr;
    PyObject* value = nullptr;
    char separator = '{';
    for (Py_ssize_t at = 0; PyDict_Next(fields, &at, &name, &value) != 0; separator = ',') {
      out_ += separator;
      if (!PyUnicode_Check(name)) refuse(name_of_type(name) + " as a name");
      write_text(name);
      out_ += ':';
      const pybind11::object shown = checked(steal(PyUnicode_AsEncodedString(name, "utf-8", "replace")));
      steps_.push_back({.kind = json::Step::Kind::name, .name = text_of(shown)});
      write(value);
      steps_.pop_back();
    }
    if (separator == '{') out_ += separator;
    out_ += '}';
  }

  [[noreturn]] void refuse(std::string_view found) const {
    raise_refusal(RuleId::fields_have_their_type, json::path_of(steps_), "what JSON holds", found);
    throw pybind11::error_already_set();
  }

  std::string out_;
  std::vector<json::Step> steps_;  ///< to the value at hand; names are kept by who writes the mapping
};

}  // namespace

pybind11::object wire_text(PyObject* source) {
  Writer writer;
  writer.write(source);
  return bytes_of(writer.text());
}

}  // namespace bankhook::python
