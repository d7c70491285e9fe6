// SPDX-License-Identifier: MIT
// One template makes a Python class of a reflected struct: descriptors and methods derived from its members.
#pragma once

// The class stays a pybind11 type and passes as `const T&` into any bound function; no access goes through pybind11.

#include "methods.hpp"

#include <pybind11/pybind11.h>

#include <bankhook/bankhook.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace bankhook::python {

/// `restore(cls, json)`: what a pickle calls.
template <class T>
PyObject* reduce(PyObject* self, PyObject*);

template <class T>
inline constexpr bool is_event = std::is_same_v<T, UnknownEvent> || requires(T t) { t.event_type; };

/// The descriptors of `T`: its members and, for events, `raw`.
template <class T>
PyGetSetDef* descriptors() {
  static const std::vector<std::string> names(member_names<T>.begin(), member_names<T>.end());
  static std::array<PyGetSetDef, reflect::member_count<T> + 2> table{};
  reflect::for_each_member<T>([&]<std::size_t I>() {
    table[I] = {names[I].c_str(), get_member<T, I>, nullptr, nullptr, nullptr};
    return true;
  });
  if constexpr (is_event<T> && !std::is_same_v<T, UnknownEvent>)
    table[reflect::member_count<T>] = {"raw", raw<T>, nullptr, "The payload as it was received.", nullptr};
  return table.data();
}

template <class T>
PyMethodDef* methods() {
  constexpr int keywords = METH_VARARGS | METH_KEYWORDS;
  const auto with_keywords = reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(replace<T>));
  static std::array<PyMethodDef, 9> table{{
      {"replace", with_keywords, keywords, "replace(**changes): a new object with these members changed."},
      {"__replace__", with_keywords, keywords, nullptr},
      {"to_json", to_json<T>, METH_NOARGS, "The object as minified JSON, members in the specification's order."},
      {"to_dict", to_dict<T>, METH_NOARGS, "The members by name, resources as dicts; absent members are left out."},
      {"__copy__", itself, METH_NOARGS, nullptr},
      {"__deepcopy__", itself, METH_O, nullptr},
      {"__reduce__", reduce<T>, METH_NOARGS, nullptr},
      {},
  }};
  return table.data();
}

inline int initialise_nothing(PyObject*, PyObject*, PyObject*) { return 0; }

/// Where pybind11 would install its own ways: what is called without it.
template <class T>
void set_slots(PyHeapTypeObject* heap_type) {
  PyTypeObject& type = heap_type->ht_type;
  type.tp_new = construct<T>;
  type.tp_init = initialise_nothing;
  type.tp_dealloc = destroy_instance;
  type.tp_getset = descriptors<T>();
  type.tp_methods = methods<T>();
  type.tp_repr = represent<T>;
  type.tp_hash = hash<T>;
  type.tp_richcompare = compare<T>;
}

/// Binds `T` under its own name.
template <class T>
void register_class(pybind11::module_& module, const char* doc) {
  const pybind11::class_<T> bound(module, std::string(class_name<T>).c_str(), doc, pybind11::is_final(),
                                  pybind11::custom_type_setup(set_slots<T>));
  pybind11::list positions;
  reflect::for_each_member<T>([&]<std::size_t I>() {
    if constexpr (!is_type_tag<reflect::MemberType<T, I>>) positions.append(pybind11::str(std::string(member_names<T>[I])));
    return true;
  });
  bound.attr("__match_args__") = pybind11::tuple(positions);
  class_of<T> = reinterpret_cast<PyTypeObject*>(bound.inc_ref().ptr());
}

template <class T>
PyObject* reduce(PyObject* self, PyObject*) {
  const pybind11::object restore =
      steal(PyObject_GetAttrString(pybind11::module_::import("bankhook._core").ptr(), "restore"));
  PyObject* json = nullptr;
  if constexpr (is_event<T>) json = raw<T>(self, nullptr);
  else json = to_json<T>(self, nullptr);
  return restore && json != nullptr ? Py_BuildValue("O(ON)", restore.ptr(), class_of<T>, json) : nullptr;
}

}  // namespace bankhook::python
