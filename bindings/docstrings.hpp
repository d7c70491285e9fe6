// SPDX-License-Identifier: MIT
// The docstrings of classes and fields: their meaning, the section of the specification, and what stands for null.
#pragma once

#include "annotations.hpp"
#include "library.hpp"
#include "python_types.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace bankhook::python {

/// Of the bytes that an event has beside its fields.
inline constexpr const char* raw_doc =
    "The payload as it was received (spec 6).\n\nbytes: of an event made in Python, what `to_json` gives.";

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
  else return std::string(PythonType<T>::note);
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
  return first_line<T>(reflect::field_meaning<T, I>)
      .append("\n\n")
      .append(field_annotation<T, I, Use::read>())
      .append(further.empty() ? "" : ": ")
      .append(further)
      .append(further.empty() ? "" : ".");
}

}  // namespace bankhook::python
