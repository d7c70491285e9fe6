// SPDX-License-Identifier: MIT
// What the classes and their members are called in Python: as in C++.
#pragma once

#include "library.hpp"
#include "values.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace bankhook::python {

/// The members of `T` as Python names them.
template <class T>
inline constexpr auto member_names = []<std::size_t... I>(std::index_sequence<I...>) {
  return std::array<std::string_view, sizeof...(I)>{reflect::member_name<T, I>...};
}(std::make_index_sequence<reflect::member_count<T>>());

template <class T>
inline constexpr std::string_view class_name = reflect::type_name<T>;

/// The same as objects, interned; set by `register_class`, held for good.
template <class T>
inline std::array<PyObject*, reflect::member_count<T>> member_name_objects{};

template <class T>
void intern_member_names() {
  for (std::size_t i = 0; i < member_names<T>.size(); ++i) {
    member_name_objects<T>[i] = PyUnicode_InternFromString(std::string(member_names<T>[i]).c_str());
    if (member_name_objects<T>[i] == nullptr) throw pybind11::error_already_set();
  }
}

/// Which member `name` (a str) is; the count of members where it is none of them.
template <class T>
std::size_t member_index(PyObject* name) {
  const auto& names = member_name_objects<T>;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return i;  // keywords in a program's text are interned
  }
  std::size_t i = 0;
  while (i < names.size() && PyUnicode_Compare(name, names[i]) != 0) ++i;
  return i;
}

}  // namespace bankhook::python
