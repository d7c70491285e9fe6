// SPDX-License-Identifier: MIT
// Numbers of the wire as Python's, and any JSON as json.loads gives it: what an unknown event holds.
#include "bind.hpp"
#include "classes.hpp"
#include "python_types.hpp"
#include "records.hpp"

#include <cstddef>
#include <new>
#include <string>
#include <string_view>

namespace bankhook::python {
namespace {

bool has_fraction(std::string_view digits) { return digits.find_first_of(".eE") != digits.npos; }

/// An int, or a Decimal for thousands of digits, of which Python makes no int.
pybind11::object whole_number(std::string_view digits) {
  pybind11::object number = steal(PyLong_FromString(std::string(digits).c_str(), nullptr, 10));
  if (number) return number;
  if (PyErr_ExceptionMatches(PyExc_ValueError) == 0) throw pybind11::error_already_set();
  PyErr_Clear();
  return pybind11::handle(decimal_class())(to_object(digits));
}

/// What stands for a number with a fraction or an exponent, of any length.
pybind11::object fraction(std::string_view digits, PyObject* number) {
  const pybind11::object text = to_object(digits);
  if (number != Py_None) return pybind11::handle(number)(text);
  const pybind11::handle decimal(decimal_class());
  const pybind11::object exact = decimal(text), nearest = checked(steal(PyFloat_FromString(text.ptr())));
  return decimal(pybind11::repr(nearest)).equal(exact) ? nearest : exact;
}

/// Walks a text that was read before, so that nothing of it has to be checked: its nesting is bounded, too.
class Walker {
 public:
  Walker(std::string_view json, PyObject* number) : rest_(json), number_(number) {}

  pybind11::object value() {
    skip_space();
    switch (rest_.front()) {
      case '{': return object();
      case '[': return array();
      case '"': return string();
      case 't': return skip(4), to_object(true);
      case 'f': return skip(5), to_object(false);
      case 'n': return skip(4), none();
      default: return number_here();
    }
  }

 private:
  void skip(std::size_t count) { rest_.remove_prefix(count); }
  void skip_space() {
    while (json::is_space(rest_.front())) skip(1);
  }

  /// Whether the next character is this one; then it is skipped. After it and before it may be space.
  bool takes(char c) {
    skip_space();
    if (rest_.front() != c) return false;
    skip(1);
    return true;
  }

  pybind11::object object() {
    pybind11::dict dict;
    for (skip(1); !takes('}'); takes(',')) {
      skip_space();
      const pybind11::object name = string();
      takes(':');
      dict[name] = value();
    }
    return dict;
  }

  pybind11::object array() {
    pybind11::list list;
    for (skip(1); !takes(']'); takes(',')) {
      if (!check_signals(++turns_)) throw pybind11::error_already_set();
      list.append(value());
    }
    return list;
  }

  pybind11::object string() {
    std::size_t end = rest_.find('"', 1);
    const bool has_escapes = rest_.substr(0, end).contains('\\');
    if (has_escapes) end = rest_.find('\\');
    while (rest_[end] == '\\') end = rest_.find_first_of("\"\\", end + 2);
    const std::string_view quoted = rest_.substr(0, end + 1);
    skip(end + 1);
    if (!has_escapes) return to_object(quoted.substr(1, quoted.size() - 2));
    arena_.reset();
    const auto decoded = json::read<std::string_view>(quoted, arena_);
    if (!decoded) throw std::bad_alloc();  // it was read before: nothing else can fail
    return to_object(*decoded);
  }

  pybind11::object number_here() {
    const std::string_view digits = rest_.substr(0, rest_.find_first_not_of("+-.0123456789eE"));
    skip(digits.size());
    return has_fraction(digits) ? fraction(digits, number_) : whole_number(digits);
  }

  std::string_view rest_;
  PyObject* number_;
  Arena arena_{};
  std::size_t turns_ = 0;
};

}  // namespace

pybind11::object wire_form(PyObject* object, PyObject* number) {
  const BoundClass& cls = class_of_object(object);
  const pybind11::object json = checked(steal(cls.is_unknown_event() ? raw_payload(object) : cls.to_json(object)));
  return json_to_python(text_of(json), number);
}

pybind11::object json_to_python(std::string_view json, PyObject* number) { return Walker(json, number).value(); }

}  // namespace bankhook::python
