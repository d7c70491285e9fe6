// SPDX-License-Identifier: MIT
// Objects as dicts by the names on the wire, with what json.loads makes of the values; and such dicts as JSON again.
#pragma once

#include "closest.hpp"
#include "library.hpp"
#include "methods.hpp"
#include "records.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace bankhook::python {

/// What stands for numbers with a fraction or an exponent: what a function of their digits returns; without one, a float
/// if it has exactly this value, and otherwise a Decimal.
class WireNumbers {
 public:
  /// Throws TypeError for what is neither a function nor None.
  explicit WireNumbers(PyObject* function);

  [[nodiscard]] pybind11::object of(const Decimal& value) const;
  /// A number of any length.
  [[nodiscard]] pybind11::object of(std::string_view digits) const;

 private:
  PyObject* function_;
};

/// What JSON has for a value, as json.loads gives it. Each of these throws what Python raises.
template <class T>
pybind11::object to_wire(const T& value, const WireNumbers& numbers);

/// What JSON says that was read, or made, by the library: nothing of it is checked.
pybind11::object json_to_python(std::string_view json, const WireNumbers& numbers);

template <class T>
pybind11::object dict_to_wire(const T& value, const WireNumbers& numbers) {
  const pybind11::object dict = checked(steal(PyDict_New()));
  reflect::for_each_field<T>([&]<std::size_t I>() {
    const auto& field = reflect::field<I>(value);
    if constexpr (base::is_maybe_absent<reflect::FieldType<T, I>>) {
      if (!field) return true;
    }
    const pybind11::object name = checked(steal(text_to_python(reflect::wire_names<T>[I])));
    if (PyDict_SetItem(dict.ptr(), name.ptr(), to_wire(field, numbers).ptr()) != 0) throw pybind11::error_already_set();
    return true;
  });
  return dict;
}

template <class T>
pybind11::object to_wire(const T& value, const WireNumbers& numbers) {
  using Type = PythonType<T>;
  if constexpr (reflect::OptionalValue<T>) return value ? to_wire(*value, numbers) : none();
  else if constexpr (reflect::Array<T>) {
    const auto make = [&](const auto& item) { return to_wire(item, numbers).release().ptr(); };
    return checked(steal(sequence_of(PyList_New, value, make)));
  } else if constexpr (reflect::Structure<T>) return dict_to_wire(value, numbers);
  else if constexpr (requires { Type::to_wire(value, numbers); }) return checked(steal(Type::to_wire(value, numbers)));
  else return checked(steal(Type::to_python(value)));
}

/// What a wire form says, as JSON (bytes). Throws ParseError for a part that JSON cannot hold, with the path to it.
pybind11::object wire_text(PyObject* source);

/// `cls.from_wire(mapping)`
PyObject* read_wire(PyTypeObject* cls, PyObject* mapping);
/// `cls.from_json(payload)`
PyObject* read_json(PyTypeObject* cls, PyObject* payload);

/// The method `to_wire` of a class.
template <class T>
PyObject* to_wire_method(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"number", nullptr};
  PyObject* number = Py_None;
  if (!take_arguments(arguments, keywords, "|$O:to_wire", names, &number)) return nullptr;
  fix_names();
  const WireNumbers numbers(number);
  if constexpr (std::is_same_v<T, UnknownEvent>) {
    const pybind11::object bytes = checked(steal(raw<T>(self, nullptr)));
    return json_to_python(text_of(bytes), numbers).release().ptr();
  } else return to_wire(value_of<T>(self), numbers).release().ptr();
}

/// The class method `from_json`.
template <class T>
PyObject* from_json_method(PyObject*, PyObject* payload) {
  return read_json(class_of<T>, payload);
}

/// The class method `from_wire`.
template <class T>
PyObject* from_wire_method(PyObject*, PyObject* mapping) {
  const int is_one = is_mapping(mapping);
  if (is_one == 1) return read_wire(class_of<T>, mapping);
  if (is_one == 0)
    PyErr_Format(PyExc_TypeError, "%s.from_wire() expects a mapping, found %s", std::string(class_name<T>).c_str(),
                 Py_TYPE(mapping)->tp_name);
  return nullptr;
}

}  // namespace bankhook::python
