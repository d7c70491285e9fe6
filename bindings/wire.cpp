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

/// An int, or a Decimal for thousands of digits, of which Python makes no int.
pybind11::object whole_number(std::string_view digits) {
  const pybind11::object number = unless_too_long(steal(PyLong_FromString(std::string(digits).c_str(), nullptr, 10)));
  return number ? number : pybind11::handle(decimal_class())(to_object(digits));
}

/// What stands for a number with a fraction or an exponent, of any length.
pybind11::object fraction(std::string_view digits, PyObject* number) {
  if (number != Py_None) return pybind11::handle(number)(to_object(digits));
  const pybind11::handle decimal(decimal_class());
  const pybind11::object exact = decimal(to_object(digits));
  const pybind11::object nearest = checked(steal(PyFloat_FromString(to_object(digits).ptr())));
  return decimal(pybind11::repr(nearest)).equal(exact) ? nearest : exact;
}

/// Walks a text that was read before, so that nothing of it has to be checked: its nesting is bounded, too.
class Walker {
 public:
  Walker(std::string_view json, PyObject* number) : in_(json, arena_), at_(json.data()), number_(number) {}

  pybind11::object value() {
    switch (next()) {
      case '{': return object();
      case '[': return array();
      case '"': return string();
      case 't': return at_ += 4, to_object(true);
      case 'f': return at_ += 5, to_object(false);
      case 'n': return at_ += 4, none();
      default: return number_here();
    }
  }

 private:
  /// The next character that is not white space.
  char next() {
    while (json::is_space(*at_)) ++at_;
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
      const pybind11::object name = string();
      takes(':');
      if (PyDict_SetItem(dict.ptr(), name.ptr(), value().ptr()) != 0) throw pybind11::error_already_set();
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

  pybind11::object string() {
    std::string_view text;
    at_ = json::read_any_text(in_, at_ + 1, text);
    if (at_ == nullptr) throw std::bad_alloc();  // it was read before: nothing else can fail
    return to_object(text);
  }

  pybind11::object number_here() {
    const std::string_view rest(at_, in_.end), digits = rest.substr(0, rest.find_first_not_of("+-.0123456789eE"));
    at_ += digits.size();
    return digits.find_first_of(".eE") == digits.npos ? whole_number(digits) : fraction(digits, number_);
  }

  Arena arena_{};
  json::ParseContext in_;
  const char* at_;
  PyObject* number_;
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
