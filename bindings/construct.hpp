// SPDX-License-Identifier: MIT
// Keyword constructors and `replace`: fields by name, checked as the reader checks them, copied into a block of their own.
#pragma once

#include "closest.hpp"
#include "from_python.hpp"
#include "library.hpp"
#include "names.hpp"

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <utility>

namespace bankhook::python {

/// A root object with `value` and all that it views in a block of its own.
template <class T>
PyObject* make_owned(const T& value) {
  T copy = value;
  Arena arena;
  if (!reflect::move_into(copy, arena)) return PyErr_NoMemory();
  auto* const block = new (std::nothrow) ValueBlock<T>(copy, nullptr, arena.release());
  if (block == nullptr) return PyErr_NoMemory();
  PyObject* const self = make_view(class_of<T>, &block->value, *block);
  if (self == nullptr) block->discard();
  return self;
}

/// Sets field `index` from what was given for it at `place`.
template <class T>
bool set_field(T& out, std::size_t index, PyObject* value, const Place& place) {
  return reflect::for_each_field<T>(
      [&]<std::size_t I>() { return I != index || value_from_python(value, reflect::field<I>(out), place); });
}

/// TypeError where the field was `seen` before, which a str that lies about its hash brings about; else sees it.
template <class T>
bool see_once(std::size_t index, std::uint32_t& seen) {
  const std::uint32_t bit = std::uint32_t{1} << index;
  if ((std::exchange(seen, seen | bit) & bit) == 0) return true;
  PyErr_Format(PyExc_TypeError, "%s: got %U twice", std::string(class_name<T>).c_str(), field_name_objects<T>[index]);
  return false;
}

/// TypeError unless `arguments`, the positional ones, is empty.
inline bool only_keywords(std::string_view function, PyObject* arguments) {
  if (PyTuple_GET_SIZE(arguments) == 0) return true;
  PyErr_Format(PyExc_TypeError, "%s() takes keyword arguments only", std::string(function).c_str());
  return false;
}

/// Sets the fields that `keywords` (a dict or null) names.
template <class T>
bool set_fields(T& out, PyObject* arguments, PyObject* keywords, std::uint32_t& seen, Arena& arena, Kept& kept) {
  if (!only_keywords(class_name<T>, arguments)) return false;
  PyObject* name = nullptr;
  PyObject* value = nullptr;
  for (Py_ssize_t at = 0; keywords != nullptr && PyDict_Next(keywords, &at, &name, &value) != 0;) {
    const std::size_t index = field_index<T>(name);
    if (index == reflect::field_count<T>) {
      pybind11::list known;
      for (PyObject* const field : field_name_objects<T>) known.append(pybind11::handle(field));
      refuse_keyword(class_name<T>, name, known);
      return false;
    }
    const Place place{class_name<T>, field_names<T>[index], arena, kept};
    if (!see_once<T>(index, seen) || !set_field(out, index, value, place)) return false;
  }
  return true;
}

/// TypeError with the names of the fields that are required and were not `seen`: `where` misses `what` by these names.
template <class T>
bool all_given(std::uint32_t seen, const std::string& where, const char* what) {
  std::string missing;
  reflect::for_each_field<T>([&]<std::size_t I>() {
    if (is_required<T, I> && (seen >> I & 1) == 0) {
      missing.append(missing.empty() ? "" : ", ").append(field_names<T>[I]);
    }
    return true;
  });
  if (missing.empty()) return true;
  PyErr_Format(PyExc_TypeError, "%s misses required %s: %s", where.c_str(), what, missing.c_str());
  return false;
}

/// tp_new of the class: every object is made here; `object.__new__` cannot make one.
template <class T>
PyObject* construct(PyTypeObject*, PyObject* arguments, PyObject* keywords) {
  T value{};
  Arena arena;
  Kept kept;
  std::uint32_t seen = 0;
  if (!set_fields(value, arguments, keywords, seen, arena, kept)) return nullptr;
  if (!all_given<T>(seen, std::string(class_name<T>) + "()", "keyword arguments")) return nullptr;
  return make_owned(value);
}

template <class T>
PyObject* replace(PyObject* self, PyObject* arguments, PyObject* keywords) {
  T value = value_of<T>(self);
  Arena arena;
  Kept kept;
  std::uint32_t seen = 0;
  if (!set_fields(value, arguments, keywords, seen, arena, kept)) return nullptr;
  return make_owned(value);
}

/// An unknown event is its payload: made from `raw` alone.
template <>
PyObject* construct<UnknownEvent>(PyTypeObject* type, PyObject* arguments, PyObject* keywords);
template <>
PyObject* replace<UnknownEvent>(PyObject* self, PyObject* arguments, PyObject* keywords);

}  // namespace bankhook::python
