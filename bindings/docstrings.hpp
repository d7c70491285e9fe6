// SPDX-License-Identifier: MIT
// The docstrings of classes and fields: their meaning, the section of the specification, and what stands for null.
#pragma once

#include "annotations.hpp"
#include "library.hpp"

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

namespace bankhook::python {

/// Of the bytes that an event has beside its fields.
inline constexpr const char* raw_doc =
    "The payload as it was received (spec 6).\n\nbytes: of an event made in Python, what `to_json` gives.";

/// What a type alone does not say of its values; empty where it says all.
template <class T>
constexpr std::string_view note() {
  if constexpr (reflect::is_open_enum<T>) return "a text that is not listed yet stays a str";
  else if constexpr (reflect::is_type_tag<T>) return "always the same";
  else if constexpr (std::same_as<T, Decimal>) return "with the digits that were written";
  else if constexpr (std::same_as<T, LocalTimestamp>) return "naive";
  else if constexpr (std::same_as<T, Timestamp>) return "aware if an offset is written, else naive";
  else if constexpr (std::unsigned_integral<T>) return "0 or more";
  else if constexpr (reflect::detail::is_span<T>) return "in the order of the payload";
  else return "";
}

/// The notes of a type and of what it may be instead: `naive; ABSENT where the payload has no such field`.
template <class T>
std::string notes() {
  const auto with = [](std::string before, std::string_view more) {
    return before.append(before.empty() ? "" : "; ").append(more);
  };
  if constexpr (base::is_nullable<T>) return with(notes<typename T::value_type>(), "None is null");
  else if constexpr (base::is_maybe_absent<T>)
    return with(notes<typename T::value_type>(), "ABSENT where the payload has no such field");
  else return std::string(note<T>());
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
  const std::string further = notes<reflect::FieldType<T, I>>();
  return first_line<T>(reflect::field_meaning<T, I>)
      .append("\n\n")
      .append(field_annotation<T, I>())
      .append(further.empty() ? "" : ": ")
      .append(further)
      .append(further.empty() ? "" : ".");
}

}  // namespace bankhook::python
