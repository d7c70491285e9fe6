// SPDX-License-Identifier: MIT
// How a type checker writes the fields' types, derived from the C++ types: for the stub and for docstrings.
#pragma once

#include "library.hpp"
#include "names.hpp"
#include "python_types.hpp"

#include <concepts>
#include <cstddef>
#include <string>

namespace bankhook::python {

/// Whether a value is read or given: a constructor may take more.
enum class Use : bool { read, given };

/// `str | None`, `tuple[Account, ...]`
template <class T, Use use>
std::string annotation() {
  if constexpr (reflect::OptionalValue<T>)
    return annotation<typename T::value_type, use>() + (base::is_nullable<T> ? " | None" : " | Absent");
  else if constexpr (reflect::Array<T>) {
    const std::string item = annotation<typename T::value_type, use>();
    return "tuple[" + item + ", ...]" + (use == Use::given ? " | list[" + item + "]" : "");
  } else if constexpr (reflect::Structure<T>) return std::string(class_name<T>);
  else return std::string(use == Use::given ? PythonType<T>::taken : PythonType<T>::annotation);
}

/// The fields of `UnknownEvent` beside its name are its bytes; it is given its name unchanged.
template <class T, std::size_t I, Use use>
std::string field_annotation() {
  if constexpr (std::same_as<T, UnknownEvent>) return I == 1 ? "bytes" : "str";
  else return annotation<reflect::FieldType<T, I>, use>();
}

}  // namespace bankhook::python
