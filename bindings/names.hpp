// SPDX-License-Identifier: MIT
// What the classes and their fields are called in Python: as in C++.
#pragma once

#include "library.hpp"
#include "values.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace bankhook::python {

/// The fields of `T` as Python names them.
template <class T>
inline constexpr auto field_names = []<std::size_t... I>(std::index_sequence<I...>) {
  return std::array<std::string_view, sizeof...(I)>{reflect::field_name<T, I>...};
}(std::make_index_sequence<reflect::field_count<T>>());

template <class T>
inline constexpr std::string_view class_name = reflect::type_name<T>;

/// The same as objects, interned; set by `register_class`, held for good.
template <class T>
inline std::array<PyObject*, reflect::field_count<T>> field_name_objects{};

template <class T>
void intern_field_names() {
  for (std::size_t i = 0; i < field_names<T>.size(); ++i) {
    field_name_objects<T>[i] = PyUnicode_InternFromString(std::string(field_names<T>[i]).c_str());
    if (field_name_objects<T>[i] == nullptr) throw pybind11::error_already_set();
  }
}

/// Which field `name` (a str) is; the count of fields if it is not one of them.
template <class T>
std::size_t field_index(PyObject* name) {
  const auto& names = field_name_objects<T>;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return i;  // keywords in a program's text are interned
  }
  std::size_t i = 0;
  while (i < names.size() && PyUnicode_Compare(name, names[i]) != 0) ++i;
  return i;
}

}  // namespace bankhook::python
