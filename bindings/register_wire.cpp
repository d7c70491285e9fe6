// SPDX-License-Identifier: MIT
// The wire form, both ways: JSON as json.loads gives it, and objects from whatever stands for them.
#include "bound.hpp"
#include "classes.hpp"
#include "findings.hpp"
#include "python_types.hpp"
#include "records.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::python {
namespace {

/// An int, or a Decimal for thousands of digits, of which Python makes no int.
pybind11::object whole_number(std::string_view digits) {
  const pybind11::object number = unless_too_long(steal(PyLong_FromString(std::string(digits).c_str(), nullptr, 10)));
  return number ? number : pybind11::handle(decimal_class())(to_object(digits));
}

/// Whether a field of this name has amounts: they have one type, whatever their digits.
bool has_amounts(std::string_view given) {
  return std::ranges::any_of(
      detail::json::field_table<InitialTransaction>.fields, [&](const detail::json::FieldRow& field) {
        return field.type->innermost().kind == detail::json::ValueType::Kind::decimal && field.wire_name() == given;
      });
}

/// Walks a text that was read before, so that nothing of it has to be checked: its nesting is bounded, too.
class Walker {
 public:
  Walker(std::string_view json, PyObject* number) : in_(json, arena_), at_(json.data()), number_(number) {}

  pybind11::object value(bool is_amount = false) {
    switch (next()) {
      case '{': return object();
      case '[': return array();
      case '"': return to_object(text_here());
      case 't': return at_ += 4, to_object(true);
      case 'f': return at_ += 5, to_object(false);
      case 'n': return at_ += 4, none();
      default: return number_here(is_amount);
    }
  }

 private:
  /// The next character that is not white space.
  char next() {
    while (detail::json::is_space(*at_)) ++at_;
    return *at_;
  }
  /// Whether the next character is this one; then it is skipped.
  bool takes(char c) {
    const bool is_next = next() == c;
    at_ += is_next;
    return is_next;
  }

  pybind11::object object() {
    pybind11::dict dict;
    for (++at_; !takes('}'); takes(',')) {
      next();
      const std::string_view text = text_here();
      const pybind11::object name = to_object(text);
      takes(':');
      if (PyDict_SetItem(dict.ptr(), name.ptr(), value(has_amounts(text)).ptr()) != 0) throw pybind11::error_already_set();
    }
    return dict;
  }

  pybind11::object array() {
    pybind11::list list;
    for (++at_; !takes(']'); takes(',')) {
      check_signals(++turns_);
      list.append(value());
    }
    return list;
  }

  std::string_view text_here() {
    std::string_view text;
    at_ = detail::json::read_any_text(in_, at_ + 1, text);
    if (at_ == nullptr) throw std::bad_alloc();  // it was read before: nothing else can fail
    return text;
  }

  pybind11::object number_here(bool is_amount) {
    const std::string_view rest(at_, in_.end), digits = rest.substr(0, rest.find_first_not_of("+-.0123456789eE"));
    at_ += digits.size();
    if (!is_amount && digits.find_first_of(".eE") == digits.npos) return whole_number(digits);
    return pybind11::handle(number_ == Py_None ? decimal_class() : number_)(to_object(digits));
  }

  Arena arena_{};
  detail::json::ParseContext in_;
  const char* at_;
  PyObject* number_;
  std::size_t turns_ = 0;
};

/// Deeper than the reader goes, so that it is the reader who says so; what contains itself is refused here.
constexpr std::size_t max_depth = 1100;

class Writer {
 public:
  /// Appends what `value` stands for. Throws ParseError for what JSON cannot hold.
  void write(PyObject* value) {
    if (steps_.size() > max_depth) refuse(value);
    if (write_scalar(value) || write_resource(value)) return;
    if (PyList_Check(value) || PyTuple_Check(value)) return write_items(value);
    if (!is_mapping(value)) refuse(value);
    write_fields(value);
  }

  [[nodiscard]] const std::string& text() const { return out_; }

 private:
  /// Appends the digits that a type itself gives: what a subclass calls its text does not count.
  void write_digits(PyObject* value, reprfunc print) {
    const pybind11::object digits = unless_too_long(steal(print(value)));
    if (!digits) refuse(value);
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

  void write_at(const detail::json::Step& step, PyObject* value) {
    steps_.push_back(step);
    write(value);
    steps_.pop_back();
  }

  void write_items(PyObject* list) {
    Owners kept;  // of what the list holds now: what lies in it may be Python's,
                  // and may change the list
    PyObject* const items = kept_tuple(list, kept);
    out_ += '[';
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(items); ++i) {
      check_signals(static_cast<std::size_t>(i) + 1);
      if (i > 0) out_ += ',';
      write_at({.kind = detail::json::Step::Kind::index, .index = static_cast<std::size_t>(i)}, PyTuple_GET_ITEM(items, i));
    }
    out_ += ']';
  }

  void write_fields(PyObject* mapping) {
    Owners kept;
    PyObject* const fields = kept_dict(mapping, kept);
    PyObject* name = nullptr;
    PyObject* value = nullptr;
    char separator = '{';
    for (Py_ssize_t at = 0; PyDict_Next(fields, &at, &name, &value) != 0; separator = ',') {
      out_ += separator;
      if (!PyUnicode_Check(name)) refuse(name, " as a name");
      write_text(name);
      out_ += ':';
      const pybind11::object shown = checked(steal(PyUnicode_AsEncodedString(name, "utf-8", "replace")));
      write_at({.kind = detail::json::Step::Kind::name, .name = text_of(shown)}, value);
    }
    if (separator == '{') out_ += separator;
    out_ += '}';
  }

  [[noreturn]] void refuse(PyObject* found, const char* as = "") const {
    const std::string type = Py_TYPE(found)->tp_name;
    raise_refusal(RuleId::fields_have_their_type, detail::json::path_of(steps_), "what JSON holds",
                  type.substr(type.rfind('.') + 1) + as);
    throw pybind11::error_already_set();
  }

  std::string out_;
  std::vector<detail::json::Step> steps_;  ///< to the value at hand; names are kept by who writes the mapping
};

/// What a wire form says, as JSON (bytes), so that the one reader reads it: nothing that holds for a payload has to be held
/// for dicts again. Throws ParseError for a part that JSON cannot hold, with the path to it.
pybind11::object wire_text(PyObject* source) {
  Writer writer;
  writer.write(source);
  return bytes_of(writer.text());
}

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
             ? raise_refusal(RuleId::event_is_listed, detail::json::path_of({}, event), expected, other.table.name)
             : raise_refusal(RuleId::fields_have_their_type, {}, expected, other.table.name);
}

bool is_one_of(Classes classes, PyObject* object) { return std::ranges::find(classes, Py_TYPE(object)) != classes.end(); }

/// An object of one of these classes from JSON (bytes).
PyObject* read_one_of(Classes classes, const pybind11::object& bytes, Places places, bool strict) {
  pybind11::object made = steal(read_as(classes[0], bytes, strict, places));
  if (!made || is_one_of(classes, made.ptr())) return made.release().ptr();
  return refuse_class(classes, made.ptr());
}

/// An object of one of these classes: `source` itself, or what its JSON (bytes, str, ...) or its wire form says.
pybind11::object read(pybind11::handle given_source, const pybind11::tuple& given, bool strict) {
  PyObject* const source = given_source.ptr();
  std::vector<PyTypeObject*> classes;
  for (const pybind11::handle cls : given) classes.push_back(reinterpret_cast<PyTypeObject*>(cls.ptr()));
  const auto is_ours = [](PyTypeObject* cls) { return bound_class(cls) != nullptr; };
  if (classes.empty() || !std::ranges::all_of(classes, is_ours))
    fail(PyExc_TypeError, "_read() expects classes of bankhook");
  if (is_one_of(classes, source)) {
    const bool needs_check = strict && class_of_object(source).is_event;
    if (needs_check) checked(steal(read_event(checked(steal(raw_payload(source))), true)));
    return borrow(source);
  }
  if (is_ours(Py_TYPE(source))) return checked(steal(refuse_class(classes, source)));
  const bool is_text = PyUnicode_Check(source) || PyObject_CheckBuffer(source) != 0;
  return checked(steal(is_text ? read_one_of(classes, payload_bytes(source, "read"), Places::kept, strict)
                               : read_one_of(classes, wire_text(source), Places::left_out, strict)));
}

}  // namespace

pybind11::object wire_form(PyObject* object, PyObject* number) {
  const BoundClass& cls = class_of_object(object);
  const pybind11::object json = checked(steal(cls.is_unknown_event() ? raw_payload(object) : cls.to_json(object)));
  return json_to_python(text_of(json), number);
}

pybind11::object json_to_python(std::string_view json, PyObject* number) { return Walker(json, number).value(); }

PyObject* from_wire(PyObject* type, PyObject* mapping) {
  const BoundClass& cls = class_for_mapping(type, "from_wire", mapping);
  return read_one_of({&cls.type, 1}, wire_text(mapping), Places::left_out, false);
}

PyObject* from_json(PyObject* type, PyObject* payload) {
  const BoundClass& cls = *bound_class(type);
  const bool is_bytes = PyBytes_CheckExact(payload);  // else its name is needed for the error
  const auto bytes = is_bytes ? borrow(payload) : payload_bytes(payload, (cls.name() + ".from_json").c_str());
  return read_one_of({&cls.type, 1}, bytes, Places::kept, false);
}

void register_wire(pybind11::module_& module) { module.def("_read", checking("_read", read)); }

}  // namespace bankhook::python
