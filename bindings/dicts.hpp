// SPDX-License-Identifier: MIT
// Objects as dicts: by the fields' names and values in Python, or by those on the wire, as json.loads gives them.
#pragma once

#include "library.hpp"
#include "python_types.hpp"

#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
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

/// Names and values as the fields themselves give them.
struct PythonForm {
  template <class T, std::size_t I>
  [[nodiscard]] pybind11::object name() const {
    return borrow(field_name_objects<T>[I]);
  }
  template <class T>
  [[nodiscard]] PyObject* leaf(const T& value) const {
    return PythonType<T>::to_python(value);
  }
};

/// What JSON has for them.
struct WireForm {
  const WireNumbers& numbers;

  template <class T, std::size_t I>
  [[nodiscard]] pybind11::object name() const {
    return checked(steal(text_to_python(reflect::wire_names<T>[I])));
  }
  template <class T>
  [[nodiscard]] PyObject* leaf(const T& value) const {
    if constexpr (std::is_same_v<T, Decimal>) return numbers.of(value).release().ptr();
    else if constexpr (std::is_same_v<T, std::uint64_t>) return PythonType<T>::to_python(value);
    else return written(value);
  }
};

/// A value in one of these forms: resources become dicts without what is absent, arrays lists. A new reference, or null
/// with an exception set.
template <class T, class Form>
PyObject* formed(const T& value, const Form& form) {
  if constexpr (reflect::OptionalValue<T>) return value ? formed(*value, form) : Py_NewRef(Py_None);
  else if constexpr (reflect::Array<T>)
    return sequence_of(PyList_New, value, [&](const auto& item) { return formed(item, form); });
  else if constexpr (!reflect::Structure<T>) return form.leaf(value);
  else {
    pybind11::dict dict;
    reflect::for_each_field<T>([&]<std::size_t I>() {
      const auto& field = reflect::field<I>(value);
      if constexpr (base::is_maybe_absent<reflect::FieldType<T, I>>) {
        if (!field) return true;
      }
      const pybind11::object item = checked(steal(formed(field, form)));
      if (PyDict_SetItem(dict.ptr(), form.template name<T, I>().ptr(), item.ptr()) != 0)
        throw pybind11::error_already_set();
      return true;
    });
    return dict.release().ptr();
  }
}

/// What JSON says that was read, or made, by the library: nothing of it is checked. Throws what Python raises.
pybind11::object json_to_python(std::string_view json, const WireNumbers& numbers);
/// What a wire form says, as JSON (bytes). Throws ParseError for a part that JSON cannot hold, with the path to it.
pybind11::object wire_text(PyObject* source);
/// `cls.from_wire(mapping)`
PyObject* read_wire(PyTypeObject* cls, PyObject* mapping);
/// `cls.from_json(payload)`
PyObject* read_json(PyTypeObject* cls, PyObject* payload);

}  // namespace bankhook::python
