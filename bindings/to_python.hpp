// SPDX-License-Identifier: MIT
// C++ values as Python objects, made on access. Each function gives a new reference, or null with an exception set.
#pragma once

#include "instance.hpp"
#include "values.hpp"

#include <bankhook/bankhook.hpp>

#include <chrono>
#include <concepts>
#include <cstring>
#include <span>
#include <string_view>

namespace bankhook::python {

/// Text that was checked by the reader, as str.
inline PyObject* text_to_python(std::string_view text) {
  const auto size = static_cast<Py_ssize_t>(text.size());
  unsigned char any = 0;
  for (const char c : text) any |= static_cast<unsigned char>(c);
  if (any >= 0x80) return PyUnicode_DecodeUTF8(text.data(), size, nullptr);
  PyObject* const result = PyUnicode_New(size, 0x7F);
  if (result != nullptr && size > 0) std::memcpy(PyUnicode_1BYTE_DATA(result), text.data(), text.size());
  return result;
}

PyObject* to_python(const Decimal& value);
PyObject* to_python(std::chrono::year_month_day value);
/// Python's datetime holds microseconds: further fraction digits are cut off here, and kept in the object and its JSON.
PyObject* to_python(const LocalTimestamp& value);
PyObject* to_python(const Timestamp& value);

/// A member as Python sees it; resources become views that share `block`.
template <class T>
PyObject* to_python(const T& value, Block& block);

template <class T>
PyObject* tuple_to_python(std::span<const T> items, Block& block) {
  PyObject* const tuple = PyTuple_New(static_cast<Py_ssize_t>(items.size()));
  for (std::size_t i = 0; tuple != nullptr && i < items.size(); ++i) {
    PyObject* const item = to_python(items[i], block);
    if (item == nullptr) {
      Py_DECREF(tuple);
      return nullptr;
    }
    PyTuple_SET_ITEM(tuple, static_cast<Py_ssize_t>(i), item);
  }
  return tuple;
}

template <class E>
PyObject* enum_to_python(const OpenEnum<E>& value) {
  const auto known = value.known();
  return known ? Py_NewRef(enum_members<E>[static_cast<std::size_t>(*known)]) : text_to_python(value.text());
}

template <class T>
PyObject* to_python(const T& value, Block& block) {
  if constexpr (is_nullable<T>) return value ? to_python(*value, block) : Py_NewRef(Py_None);
  else if constexpr (is_maybe_absent<T>) return value ? to_python(*value, block) : Py_NewRef(values.absent);
  else if constexpr (is_open_enum<T>) return enum_to_python(value);
  else if constexpr (std::convertible_to<T, std::string_view>) return text_to_python(value);
  else if constexpr (std::unsigned_integral<T>) return PyLong_FromUnsignedLongLong(value);
  else if constexpr (reflect::detail::is_span<T>) return tuple_to_python(value, block);
  else if constexpr (reflect::Aggregate<T>) return make_instance(class_of<T>, &value, block);
  else return to_python(value);
}

}  // namespace bankhook::python
