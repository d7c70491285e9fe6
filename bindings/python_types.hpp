// SPDX-License-Identifier: MIT
// The value types as Python's: of each what it is called, what makes it, what reads it and what it is on the wire.
#pragma once

#include "bind.hpp"
#include "library.hpp"
#include "object.hpp"
#include "unlocked.hpp"
#include "values.hpp"

#include <pybind11/pybind11.h>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

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
    bankhook::detail::base::compiler_barrier();  // texts are short: no wider copies, which have to be prepared
  };
  if (text.size() < sizeof any) {
    for (const char c : text) any |= * out++ = static_cast<unsigned char>(c);
    return (any & high_bits) == 0;
  }
  for (std::size_t at = 0; at + sizeof any <= text.size(); at += sizeof any) copy_word(at);
  copy_word(text.size() - sizeof any);
  return (any & high_bits) == 0;
}

/// Checked text that is not ASCII, as str.
PyObject* wide_to_python(std::string_view text);

/// Text that was checked by the reader, as str.
inline PyObject* text_to_python(std::string_view text) {
  PyObject* const result = PyUnicode_New(static_cast<Py_ssize_t>(text.size()), 0x7F);
  if (result == nullptr || copy_ascii(text, PyUnicode_1BYTE_DATA(result))) [[likely]]
    return result;
  Py_DECREF(result);
  return wide_to_python(text);
}

inline pybind11::object number(std::size_t value) { return checked(steal(PyLong_FromSize_t(value))); }
inline pybind11::object none() { return borrow(Py_None); }
inline pybind11::object bytes_of(std::string_view text) {
  return checked(steal(PyBytes_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()))));
}

/// An object for a text, a truth, a count, an enumerator, or one of these that may be missing: then None. Throws what
/// Python raises, as all of these do.
struct ToObject {
  pybind11::object operator()(pybind11::object&& value) const { return checked(std::move(value)); }
  template <class T>
  pybind11::object operator()(const T& value) const {
    if constexpr (std::derived_from<T, pybind11::handle>) return checked(borrow(value));
    else if constexpr (std::same_as<T, bool>) return borrow(value ? Py_True : Py_False);
    else if constexpr (Enumeration<T>) return borrow(enum_members<T>[static_cast<std::size_t>(value)]);
    else if constexpr (std::integral<T>) return number(static_cast<std::size_t>(value));
    else if constexpr (std::convertible_to<const T&, std::string_view>) return checked(steal(text_to_python(value)));
    else return value ? ToObject()(*value) : none();
  }
};
inline constexpr ToObject to_object;

inline pybind11::object text_unless_empty(std::string_view text) { return text.empty() ? none() : to_object(text); }

/// A tuple of what `make` gives for each item.
template <class Items, class Make = ToObject>
pybind11::tuple tuple_of(const Items& items, Make make = {}) {
  pybind11::tuple all(std::size(items));
  Py_ssize_t i = 0;
  for (const auto& item : items) {
    check_signals(static_cast<std::size_t>(i) + 1);
    PyTuple_SET_ITEM(all.ptr(), i++, to_object(make(item)).release().ptr());
  }
  return all;
}

/// Where a value belongs, for messages, and what keeps what it views until it is complete.
struct Place {
  std::string_view type;
  std::string_view field;
  Arena* arena = nullptr;  ///< for arrays and resources, as `kept`: null if the value can be neither
  Owners* kept = nullptr;
  bool takes_mappings = false;   ///< for resources
  const Place* outer = nullptr;  ///< the resource that was given as a mapping and lies in another one
  std::ptrdiff_t index = -1;     ///< in the field's array, if it is one of its elements

  /// `Account.account_hash`, `Connection.accounts[2]`, `BankConnectionsUpdateV2.connection.accounts[2].id`
  [[nodiscard]] std::string name() const;
};

/// Throws TypeError: `Account.account_hash: expected str, found int`, also where None stands for null.
[[noreturn]] void refuse_type(const Place& place, const char* expected, PyObject* found);
/// Throws ValueError: the same for a value of the right type; `expected` says what would be right.
[[noreturn]] void refuse_value(const Place& place, std::string_view expected);

// What a value without parts is in Python: a new reference, or null with an exception set.

inline PyObject* value_to_python(std::string_view value) { return text_to_python(value); }
template <std::same_as<std::uint64_t> T>
PyObject* value_to_python(T value) {
  return PyLong_FromUnsignedLongLong(value);
}
/// With the places that it was written with, whatever the context of the caller; see decimals.cpp.
PyObject* value_to_python(const Decimal& value);
PyObject* value_to_python(std::chrono::year_month_day value);
/// Python's datetime holds microseconds: further fraction digits are cut off here, and kept in the object and its JSON.
PyObject* value_to_python(const LocalTimestamp& value);
PyObject* value_to_python(const Timestamp& value);
template <class E>
PyObject* value_to_python(const OpenEnum<E>& value) {
  const auto known = value.known();
  return known ? Py_NewRef(enum_members<E>[static_cast<std::size_t>(*known)]) : text_to_python(value.text());
}
/// The text of a tag is made once.
template <detail::reflect::Tag T>
PyObject* value_to_python(const T&) {
  static PyObject* text = nullptr;
  if (text == nullptr) text = text_to_python(T::text());
  return Py_XNewRef(text);
}

/// Sets a value without parts to what `object` stands for, as strictly as the reader takes JSON: throws what Python raises
/// if it does not fit. Text that the value views lives as long as the object.
void plain_from_python(PyObject* object, const detail::json::ValueType& type, void* out, const Place& place);
/// The same for any value; a resource's views live as long as that resource.
void value_from_python(PyObject* object, const detail::json::ValueType& type, void* out, const Place& place);

/// A field as Python sees it; resources become views that share `block`.
template <class T>
PyObject* to_python(const T& value, Block& block) {
  if constexpr (detail::reflect::OptionalValue<T>) return value ? to_python(*value, block) : Py_NewRef(missing<T>());
  else if constexpr (detail::reflect::Array<T>)
    return tuple_of(value, [&](const auto& item) { return steal(to_python(item, block)); }).release().ptr();
  else if constexpr (detail::reflect::Structure<T>) return make_view(class_of<T>, &value, block);
  else return value_to_python(value);
}

/// Whether it is a dict or another mapping. These throw what Python raises.
bool is_mapping(PyObject* object);
/// A dict of what a mapping holds now, which `kept` keeps.
PyObject* kept_dict(PyObject* mapping, Owners& kept);
/// A tuple of what a list holds now, which `kept` keeps.
PyObject* kept_tuple(PyObject* list, Owners& kept);

/// Looks up Python's dates. Called once, when the module starts.
void prepare_dates();
/// Looks up decimal.Decimal. Called once, when the module starts.
void prepare_decimals();

/// decimal.Decimal itself; borrowed.
PyObject* decimal_class();

}  // namespace bankhook::python
