// SPDX-License-Identifier: MIT
// Keyword constructors and `replace`: members by name, checked as the reader checks them, copied into a block of their own.
#pragma once

#include "from_python.hpp"
#include "names.hpp"

#include <bankhook/bankhook.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>

namespace bankhook::python {

/// A root object with `value` and all that it views in a block of its own.
template <class T>
PyObject* make_owned(const T& value) {
  T copy = value;
  Arena arena;
  if (!reflect::move_into(copy, arena)) return PyErr_NoMemory();
  auto* const block = new (std::nothrow) ValueBlock<T>(copy, nullptr, arena.release());
  if (block == nullptr) return PyErr_NoMemory();
  PyObject* const self = make_instance(class_of<T>, &block->value, *block);
  if (self == nullptr) block->discard();
  return self;
}

/// Sets member `index`; `seen` gets its bit.
template <class T>
bool set_member(T& out, std::size_t index, PyObject* value, std::uint32_t& seen, Arena& arena) {
  seen |= std::uint32_t{1} << index;
  return reflect::for_each_member<T>([&]<std::size_t I>() {
    if (I != index) return true;
    const Place place{class_name<T>, member_names<T>[I], arena};
    return value_from_python(value, reflect::member<I>(out), place);
  });
}

/// TypeError unless `arguments`, the positional ones, is empty.
inline bool only_keywords(std::string_view function, PyObject* arguments) {
  if (PyTuple_GET_SIZE(arguments) == 0) return true;
  PyErr_Format(PyExc_TypeError, "%s() takes keyword arguments only", std::string(function).c_str());
  return false;
}

/// Sets the members that `keywords` (a dict or null) names.
template <class T>
bool set_members(T& out, PyObject* arguments, PyObject* keywords, std::uint32_t& seen, Arena& arena) {
  if (!only_keywords(class_name<T>, arguments)) return false;
  PyObject* name = nullptr;
  PyObject* value = nullptr;
  for (Py_ssize_t at = 0; keywords != nullptr && PyDict_Next(keywords, &at, &name, &value) != 0;) {
    const std::size_t index = member_index<T>(name);
    if (index == reflect::member_count<T>) {
      PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument %R", std::string(class_name<T>).c_str(), name);
      return false;
    }
    if (!set_member(out, index, value, seen, arena)) return false;
  }
  return true;
}

/// TypeError with the names of the members that are required and were not `seen`.
template <class T>
bool all_given(std::uint32_t seen) {
  std::string missing;
  reflect::for_each_member<T>([&]<std::size_t I>() {
    if (is_required<T, I> && (seen >> I & 1) == 0) {
      missing.append(missing.empty() ? "" : ", ").append(member_names<T>[I]);
    }
    return true;
  });
  if (missing.empty()) return true;
  PyErr_Format(PyExc_TypeError, "%s() misses required keyword arguments: %s", std::string(class_name<T>).c_str(),
               missing.c_str());
  return false;
}

/// tp_new of the class: every way to make an object comes through here, `object.__new__` is none.
template <class T>
PyObject* construct(PyTypeObject*, PyObject* arguments, PyObject* keywords) {
  T value{};
  Arena arena;
  std::uint32_t seen = 0;
  if (!set_members(value, arguments, keywords, seen, arena) || !all_given<T>(seen)) return nullptr;
  return make_owned(value);
}

template <class T>
PyObject* replace(PyObject* self, PyObject* arguments, PyObject* keywords) {
  T value = value_of<T>(self);
  Arena arena;
  std::uint32_t seen = 0;
  if (!set_members(value, arguments, keywords, seen, arena)) return nullptr;
  return make_owned(value);
}

/// An unknown event is its payload: made from `raw` alone.
template <>
PyObject* construct<UnknownEvent>(PyTypeObject* type, PyObject* arguments, PyObject* keywords);
template <>
PyObject* replace<UnknownEvent>(PyObject* self, PyObject* arguments, PyObject* keywords);

}  // namespace bankhook::python
