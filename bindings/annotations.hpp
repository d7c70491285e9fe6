// SPDX-License-Identifier: MIT
// How a type checker writes the fields' types, derived from the C++ types: for the stub and for docstrings.
#pragma once

#include "library.hpp"
#include "names.hpp"

#include <chrono>
#include <concepts>
#include <string>
#include <type_traits>

namespace bankhook::python {

/// What a field is when it is read: `str | None`, `tuple[Account, ...]`.
template <class T>
std::string annotation() {
  if constexpr (base::is_nullable<T>) return annotation<typename T::value_type>() + " | None";
  else if constexpr (base::is_maybe_absent<T>) return annotation<typename T::value_type>() + " | Absent";
  else if constexpr (reflect::is_open_enum<T>) return std::string(reflect::type_name<typename T::enum_type>) + " | str";
  else if constexpr (reflect::is_type_tag<T>) return "Literal[\"" + std::string(T::text()) + "\"]";
  else if constexpr (std::same_as<T, std::string_view>) return "str";
  else if constexpr (std::unsigned_integral<T>) return "int";
  else if constexpr (std::same_as<T, Decimal>) return "Decimal";
  else if constexpr (std::same_as<T, std::chrono::year_month_day>) return "datetime.date";
  else if constexpr (std::same_as<T, LocalTimestamp> || std::same_as<T, Timestamp>) return "datetime.datetime";
  else if constexpr (QuotedForm<T>) return "str";
  else if constexpr (reflect::detail::is_span<T>) return "tuple[" + annotation<typename T::value_type>() + ", ...]";
  else return std::string(class_name<T>);
}

/// What a constructor takes for it, which may be more.
template <class T>
std::string taken_annotation() {
  if constexpr (std::same_as<T, Decimal>) return "Decimal | int";
  else if constexpr (reflect::is_open_enum<T>) return "str";
  else if constexpr (base::is_nullable<T>) return taken_annotation<typename T::value_type>() + " | None";
  else if constexpr (base::is_maybe_absent<T>) return taken_annotation<typename T::value_type>() + " | Absent";
  else if constexpr (reflect::detail::is_span<T>) {
    const std::string item = taken_annotation<typename T::value_type>();
    return "tuple[" + item + ", ...] | list[" + item + "]";
  } else return annotation<T>();
}

/// The fields of `UnknownEvent` beside its name are its bytes.
template <class T, std::size_t I>
std::string field_annotation() {
  if constexpr (std::same_as<T, UnknownEvent> && I == 1) return "bytes";
  else return annotation<reflect::FieldType<T, I>>();
}

/// What a constructor takes for it.
template <class T, std::size_t I>
std::string taken_by_constructor() {
  if constexpr (std::same_as<T, UnknownEvent>) return field_annotation<T, I>();
  else return taken_annotation<reflect::FieldType<T, I>>();
}

}  // namespace bankhook::python
