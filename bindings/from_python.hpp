// SPDX-License-Identifier: MIT
// Python objects as C++ values, as strictly as the reader takes JSON.
#pragma once

// Each function gives false, with a Python error set, where the object does not fit.

#include "library.hpp"
#include "object.hpp"
#include "unlocked.hpp"
#include "values.hpp"

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::python {

/// Where a value belongs, for messages, and what keeps what it views until it is complete.
struct Place {
  std::string_view type;
  std::string_view field;
  Arena& arena;
  Kept& kept;
  bool takes_mappings = false;   ///< for resources
  const Place* outer = nullptr;  ///< the resource that was given as a mapping and lies in another one
  std::ptrdiff_t index = -1;     ///< in the field's array, if it is one of its elements

  /// `Account.account_hash`, `Connection.accounts[2]`, `BankConnectionsUpdateV2.connection.accounts[2].id`
  [[nodiscard]] std::string name() const;
};

/// TypeError: `Account.account_hash: expected str or None, found int`; always false.
bool refuse_type(const Place& place, const char* expected, PyObject* found);
/// ValueError: the same for a value of the right type; `expected` says what would be right.
bool refuse_value(const Place& place, std::string_view expected);

bool from_python(PyObject* object, std::string_view& out, const Place& place, const char* expected = "str");
bool from_python(PyObject* object, std::uint64_t& out, const Place& place);
bool from_python(PyObject* object, Decimal& out, const Place& place);
bool from_python(PyObject* object, std::chrono::year_month_day& out, const Place& place);
bool from_python(PyObject* object, LocalTimestamp& out, const Place& place);
bool from_python(PyObject* object, Timestamp& out, const Place& place);
/// Any other value with a form of its own, from the text of that form.
template <QuotedForm T>
bool from_python(PyObject* object, T& out, const Place& place) {
  std::string_view text;
  if (!from_python(object, text, place)) return false;
  out = T();
  return T::scan(text, out) || refuse_value(place, bankhook::detail::words_of(T::form_error).expected);
}

/// Text that `out` views lives as long as the Python object; a resource's views as long as that resource.
template <class T>
bool value_from_python(PyObject* object, T& out, const Place& place);

/// Whether it is a dict or another mapping; -1 with an exception.
int is_mapping(PyObject* object);
/// A dict of what a mapping holds now, which `kept` keeps; null with an exception.
PyObject* kept_dict(PyObject* mapping, Kept& kept);
/// A tuple of what a list holds now, which `kept` keeps; null with an exception.
PyObject* kept_tuple(PyObject* list, Kept& kept);

/// The fields of a resource that was given as a mapping at `place`; see dicts.hpp.
template <class T>
bool mapping_from_python(PyObject* mapping, T& out, const Place& place);

template <class T>
bool array_from_python(PyObject* object, std::span<const T>& out, const Place& place) {
  if (!PyTuple_Check(object) && !PyList_Check(object)) return refuse_type(place, "tuple or list", object);
  if ((object = kept_tuple(object, place.kept)) == nullptr) return false;
  const auto size = static_cast<std::size_t>(PySequence_Fast_GET_SIZE(object));
  auto* const items = static_cast<T*>(place.arena.allocate(size * sizeof(T), alignof(T)));
  if (items == nullptr) return PyErr_NoMemory() != nullptr;
  for (std::size_t i = 0; i < size; ++i) {
    Place item = place;
    item.index = static_cast<std::ptrdiff_t>(i);
    T* const slot = ::new (items + i) T();
    if (!check_signals(i + 1)) return false;
    if (!value_from_python(PySequence_Fast_GET_ITEM(object, static_cast<Py_ssize_t>(i)), *slot, item)) return false;
  }
  out = {items, size};
  return true;
}

template <class T>
bool resource_from_python(PyObject* object, T& out, const Place& place) {
  if (Py_TYPE(object) == class_of<T>) {
    out = value_of<T>(object);
    return true;
  }
  const int mapping = place.takes_mappings ? is_mapping(object) : 0;
  if (mapping == 1) return mapping_from_python(object, out, place);
  std::string expected(reflect::type_name<T>);
  if (place.takes_mappings) expected += " or mapping";
  return mapping == 0 && refuse_type(place, expected.c_str(), object);
}

template <class T>
bool tag_from_python(PyObject* object, const T&, const Place& place) {
  std::string_view text;
  if (!from_python(object, text, place)) return false;
  return text == T::text() || refuse_value(place, T::text());
}

template <class E>
bool enum_from_python(PyObject* object, OpenEnum<E>& out, const Place& place) {
  std::string_view text;
  if (!from_python(object, text, place)) return false;
  out = OpenEnum<E>::of(text);
  return true;
}

template <class T>
bool value_from_python(PyObject* object, T& out, const Place& place) {
  if constexpr (base::is_nullable<T>) {
    if (object != Py_None) return value_from_python(object, out.emplace(), place);
    out.reset();
    return true;
  } else if constexpr (base::is_maybe_absent<T>) {
    if (object != values.absent) return value_from_python(object, out.emplace(), place);
    out.reset();
    return true;
  } else if constexpr (reflect::is_open_enum<T>) return enum_from_python(object, out, place);
  else if constexpr (reflect::is_type_tag<T>) return tag_from_python(object, out, place);
  else if constexpr (reflect::detail::is_span<T>) return array_from_python(object, out, place);
  else if constexpr (reflect::Aggregate<T>) return resource_from_python(object, out, place);
  else return from_python(object, out, place);
}

}  // namespace bankhook::python
