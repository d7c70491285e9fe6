// SPDX-License-Identifier: MIT
// What a class says of itself and of its fields: types as a checker writes them, docstrings, the constructor's signature.
#pragma once

#include "python_types.hpp"

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

namespace bankhook::python {

/// Of the bytes that an event has beside its fields.
inline constexpr const char* raw_doc =
    "The payload as it was received (spec 6).\n\nbytes: of an event made in Python, what `to_json` gives.";

/// `str | None`, `tuple[Account, ...]`
template <class T>
std::string annotation() {
  if constexpr (reflect::OptionalValue<T>)
    return annotation<typename T::value_type>() + (base::is_nullable<T> ? " | None" : " | Absent");
  else if constexpr (reflect::Array<T>) return "tuple[" + annotation<typename T::value_type>() + ", ...]";
  else if constexpr (reflect::Structure<T>) return std::string(class_name<T>);
  else return PythonType<T>::annotation();
}

/// The fields of `UnknownEvent` beside its name are its bytes.
template <class T, std::size_t I>
std::string field_annotation() {
  if constexpr (std::same_as<T, UnknownEvent>) return I == 1 ? "bytes" : "str";
  else return annotation<reflect::FieldType<T, I>>();
}

/// What a type alone does not say of its values and of what they may be instead, empty where it says all:
/// `naive; ABSENT where the payload has no such field`.
template <class T>
std::string note() {
  if constexpr (reflect::OptionalValue<T>) {
    const std::string of_value = note<typename T::value_type>();
    return of_value + (of_value.empty() ? "" : "; ") +
           (base::is_nullable<T> ? "None is null" : "ABSENT where the payload has no such field");
  } else if constexpr (reflect::Array<T>) return "in the order of the payload";
  else if constexpr (reflect::Structure<T>) return "";
  else return PythonType<T>::note;
}

/// `Opaque hash of the account IBAN (spec 2.3).`
template <class T>
std::string first_line(std::string_view meaning) {
  return std::string(meaning).append(" (spec ").append(T::section).append(").");
}

template <class T>
std::string class_doc() {
  static_assert(!reflect::meaning<T>.empty(), "a_class_says_what_it_is");
  return first_line<T>(reflect::meaning<T>);
}

template <class T, std::size_t I>
std::string field_doc() {
  static_assert(!reflect::field_meaning<T, I>.empty(), "a_field_says_what_it_is");
  const std::string further = note<reflect::FieldType<T, I>>();
  return first_line<T>(json::meaning_of(json::field_table<T>.fields[I])) + "\n\n" + field_annotation<T, I>() +
         (further.empty() ? "" : ": " + further + ".");
}

/// The class's `__signature__`, its fields as keywords, which is made when it is asked for: a docstring can state literals
/// only.
template <class T>
pybind11::object signature_of() {
  pybind11::list parameters;
  reflect::for_each_field<T>([&]<std::size_t I>() {
    using Field = reflect::FieldType<T, I>;
    const pybind11::handle name(field_name_objects<T>[I]);
    if constexpr (is_required<T, I>) parameters.append(pybind11::make_tuple(name));
    else if constexpr (base::is_maybe_absent<Field>)
      parameters.append(pybind11::make_tuple(name, pybind11::handle(values.absent)));
    else if constexpr (reflect::Tag<Field>) parameters.append(pybind11::make_tuple(name, std::string(Field::text())));
    else parameters.append(pybind11::make_tuple(name, pybind11::ellipsis()));  // the name in the bytes of an unknown event
    return true;
  });
  return pybind11::module_::import("bankhook._records").attr("LateSignature")(pybind11::tuple(parameters));
}

}  // namespace bankhook::python
