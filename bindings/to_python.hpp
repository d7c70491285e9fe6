// SPDX-License-Identifier: MIT
// C++ values as Python objects, made on access. Each function gives a new reference, or null with an exception set.
#pragma once

#include "decimals.hpp"
#include "library.hpp"
#include "object.hpp"
#include "unlocked.hpp"
#include "values.hpp"

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace bankhook::python {

/// Copies `text` to `out`, and returns whether all of it is ASCII: eight bytes at once, the last ones overlapping, because
/// ids are 8 to 40 bytes long.
inline bool copy_ascii(std::string_view text, Py_UCS1* out) {
  constexpr std::uint64_t high_bits = 0x8080808080808080;
  std::uint64_t any = 0;
  const auto copy_word = [&](std::size_t at) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, sizeof word);
    std::memcpy(out + at, &word, sizeof word);
    any |= word;
  };
  if (text.size() < sizeof any) {
    for (const char c : text) any |= * out++ = static_cast<unsigned char>(c);
    return (any & high_bits) == 0;
  }
  for (std::size_t at = 0; at + sizeof any <= text.size(); at += sizeof any) copy_word(at);
  copy_word(text.size() - sizeof any);
  return (any & high_bits) == 0;
}

/// Text that was checked by the reader, as str.
inline PyObject* text_to_python(std::string_view text) {
  const auto size = static_cast<Py_ssize_t>(text.size());
  PyObject* const result = PyUnicode_New(size, 0x7F);
  if (result == nullptr || copy_ascii(text, PyUnicode_1BYTE_DATA(result))) [[likely]]
    return result;
  Py_DECREF(result);
  return PyUnicode_DecodeUTF8(text.data(), size, nullptr);
}

/// Python's datetime holds microseconds: further fraction digits are cut off here, and kept in the object and its JSON.
PyObject* to_python(std::chrono::year_month_day value);
PyObject* to_python(const LocalTimestamp& value);
PyObject* to_python(const Timestamp& value);
/// Any other value with a form of its own is the text of that form.
template <QuotedForm T>
PyObject* to_python(const T& value) {
  char buffer[T::max_printed];
  return text_to_python({buffer, value.print(buffer)});
}

/// A field as Python sees it; resources become views that share `block`.
template <class T>
PyObject* to_python(const T& value, Block& block);

template <class T>
PyObject* tuple_to_python(std::span<const T> items, Block& block) {
  PyObject* const tuple = PyTuple_New(static_cast<Py_ssize_t>(items.size()));
  for (std::size_t i = 0; tuple != nullptr && i < items.size(); ++i) {
    PyObject* const item = check_signals(i + 1) ? to_python(items[i], block) : nullptr;
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

/// The text of a tag, made once.
template <class T>
PyObject* tag_to_python() {
  static PyObject* text = nullptr;
  if (text == nullptr) text = text_to_python(T::text());
  return Py_XNewRef(text);
}

/// A field that is neither a resource nor an array.
template <class T>
PyObject* scalar_to_python(const T& value) {
  if constexpr (base::is_nullable<T>) return value ? scalar_to_python(*value) : Py_NewRef(Py_None);
  else if constexpr (base::is_maybe_absent<T>) return value ? scalar_to_python(*value) : Py_NewRef(values.absent);
  else if constexpr (reflect::is_open_enum<T>) return enum_to_python(value);
  else if constexpr (reflect::is_type_tag<T>) return tag_to_python<T>();
  else if constexpr (std::convertible_to<T, std::string_view>) return text_to_python(value);
  else if constexpr (std::unsigned_integral<T>) return PyLong_FromUnsignedLongLong(value);
  else return to_python(value);
}

template <class T>
PyObject* to_python(const T& value, Block& block) {
  if constexpr (base::is_nullable<T>) return value ? to_python(*value, block) : Py_NewRef(Py_None);
  else if constexpr (base::is_maybe_absent<T>) return value ? to_python(*value, block) : Py_NewRef(values.absent);
  else if constexpr (reflect::detail::is_span<T>) return tuple_to_python(value, block);
  else if constexpr (reflect::Aggregate<T> && !reflect::is_type_tag<T>) return make_view(class_of<T>, &value, block);
  else return scalar_to_python(value);
}

}  // namespace bankhook::python
