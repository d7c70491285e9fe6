// SPDX-License-Identifier: MIT
// Classes of pybind11: final ones, whose methods check their arguments and never show one.
#pragma once

#include "bind.hpp"
#include "python_types.hpp"

#include <pybind11/pybind11.h>

#include <cstddef>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace bankhook::python {

/// A parameter that takes a str without half a surrogate pair, and views it.
struct Text {
  std::string_view text;
  operator std::string_view() const { return text; }  // NOLINT(google-explicit-constructor): it is one
};

}  // namespace bankhook::python

template <>
struct pybind11::detail::type_caster<bankhook::python::Text> {
  PYBIND11_TYPE_CASTER(bankhook::python::Text, const_name("str"));
  bool load(handle source, bool) {
    const auto utf8 = PyUnicode_Check(source.ptr()) ? bankhook::python::utf8_of(source.ptr()) : std::nullopt;
    value.text = utf8.value_or(std::string_view());
    return utf8.has_value();
  }
};

namespace bankhook::python {

/// What a parameter takes, in words.
template <class T>
std::string expected_for(PyObject* found) {
  if constexpr (std::is_same_v<T, Text>) return PyUnicode_Check(found) ? "str without surrogates" : "str";
  else if constexpr (std::is_same_v<T, bool>) return "bool";
  else if constexpr (std::is_unsigned_v<T>) return "int of 0 or more";
  else if constexpr (std::is_base_of_v<pybind11::handle, T>) return pybind11::detail::make_caster<T>::name.text;
  else {
    const std::string name = class_of<T>->tp_name;
    return name.substr(name.rfind('.') + 1);
  }
}

/// `object` as a parameter takes it. Throws TypeError with the type that was found, and ValueError for half a surrogate
/// pair.
template <class T>
void load_argument(auto& caster, const char* function, PyObject* object) {
  if (caster.load(object, false) && (object != Py_None || std::is_base_of_v<pybind11::handle, T>)) return;
  const bool is_text = std::is_same_v<T, Text> && PyUnicode_Check(object);
  fail(is_text ? PyExc_ValueError : PyExc_TypeError, "%s: expected %s, found %s", function, expected_for<T>(object).c_str(),
       Py_TYPE(object)->tp_name);
}

/// `call` for `.def`: with the object first, and then the arguments, as pybind11's casters make them of those that were
/// given. pybind11 hands over all that is given, so it refuses nothing itself, in words that would show values: what is
/// wrong is reported here. `function` is what messages call it.
template <class Result, class... Taken>
auto checking(const char* function, Result (*call)(Taken...)) {
  return [=](const pybind11::args& given, const pybind11::kwargs& keywords) -> pybind11::object {
    if (!keywords.empty()) refuse_keywords(function, keywords.ptr(), pybind11::tuple());
    if (given.size() != sizeof...(Taken))
      fail(PyExc_TypeError, "%s() takes %zu arguments with its object (%zu given)", function, sizeof...(Taken),
           given.size());
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      std::tuple<pybind11::detail::make_caster<Taken>...> casters;
      (load_argument<std::remove_cvref_t<Taken>>(std::get<I>(casters), function, PyTuple_GET_ITEM(given.ptr(), I)), ...);
      try {
        if constexpr (std::is_void_v<Result>)
          return call(pybind11::detail::cast_op<Taken>(std::get<I>(casters))...), none();
        else return pybind11::detail::object_or_cast(call(pybind11::detail::cast_op<Taken>(std::get<I>(casters))...));
      } catch (const std::length_error&) {  // a text larger than the address space
        throw std::bad_alloc();
      }
    }(std::index_sequence_for<Taken...>());
  };
}

/// The docstring in the stub, for a function of pybind11, which takes the object as any other argument.
inline std::string bound_docstring(const std::string& name) {
  std::string text = docstring(name);
  if (const std::size_t at = text.find("($self"); at != text.npos && at < text.find('\n')) text.erase(at + 1, 1);
  return text;
}

/// A class of pybind11 with the name, the docstring and the module that it has in the stub. `close_class` has to follow.
template <class T>
pybind11::class_<T> open_class(pybind11::module_& module, const char* name) {
  const pybind11::object home = checked(steal(PyModule_NewObject(to_object(module_of(name)).ptr())));
  const pybind11::class_<T> made(home, name, pybind11::is_final(), docstring(name));
  module.attr(name) = made;
  class_of<T> = reinterpret_cast<PyTypeObject*>(made.ptr());
  return made;
}

/// Only `make`, a tp_new, makes an object from now on, a whole one, and nothing changes the class: one without its value,
/// and one that got another one's `__class__`, would be read as what they are not.
template <class T>
void close_class(newfunc make) {
  // pybind11's way for its other modules, whose arguments nothing checks.
  pybind11::delattr(reinterpret_cast<PyObject*>(class_of<T>), "_pybind11_conduit_v1_");
  class_of<T>->tp_new = make;
  class_of<T>->tp_init = [](PyObject*, PyObject*, PyObject*) { return 0; };
  class_of<T>->tp_flags |= Py_TPFLAGS_IMMUTABLETYPE;
  PyType_Modified(class_of<T>);
}

}  // namespace bankhook::python
