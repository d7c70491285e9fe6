// SPDX-License-Identifier: MIT
// Classes of pybind11: final ones, whose methods check their arguments and never show one.
#pragma once

#include "bind.hpp"
#include "python_types.hpp"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <cstddef>
#include <deque>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

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

template <class T>
inline constexpr bool takes_none = std::is_base_of_v<pybind11::handle, T>;
template <class T>
inline constexpr bool takes_none<std::optional<T>> = true;

/// What a parameter takes, in words.
template <class T>
std::string expected_for(PyObject* found) {
  if constexpr (requires { typename T::value_type; }) return expected_for<typename T::value_type>(found);
  else if constexpr (std::is_same_v<T, Text>) return PyUnicode_Check(found) ? "str without surrogates" : "str";
  else if constexpr (std::is_same_v<T, bool>) return "bool";
  else if constexpr (std::is_unsigned_v<T>) return "int of 0 or more";
  else if constexpr (takes_none<T>) return pybind11::detail::make_caster<T>::name.text;
  else {
    static_assert(std::is_class_v<T> && !std::is_convertible_v<T, std::string_view>,
                  "take Text, bool, an unsigned integer, a handle or a bound class, or std::optional of one of these");
    const std::string name = class_of<T>->tp_name;
    return name.substr(name.rfind('.') + 1);
  }
}

/// A function as messages call it, and its parameters after the object, as Python spells them:
/// `Tracker.transactions(member_id=None, *, status=None)`, `Tracker.connection(member_id, id, /)`. None is the one default.
/// Parameters without names, as in `JointAccounts.key`, are given by position.
class Signature {
 public:
  static constexpr std::size_t most = 6;  ///< parameters after the object

  /// Of a function of so many parameters, its object included. Throws ImportError if it has not as many names.
  Signature(std::string_view text, std::size_t count, bool has_object);

  /// The argument of each parameter, the object first, if there is one. Throws TypeError unless all are given that have to
  /// be.
  void take(const pybind11::tuple& given, const pybind11::dict& keywords, std::span<PyObject*> found) const;
  /// `object` as a parameter takes it, which so many follow. Throws TypeError with the type that was found, and ValueError
  /// for half a surrogate pair.
  template <class T>
  void load(auto& caster, PyObject* object, std::size_t following) const {
    if ((object == Py_None && !takes_none<T>) || !caster.load(object, false))
      refuse(object, expected_for<T>(object), following);
  }

 private:
  [[noreturn]] void refuse(PyObject* found, const std::string& expected, std::size_t following) const;

  std::string function_;
  std::size_t objects_;               ///< 1, or 0 of a function without an object
  std::vector<std::string> names_{};  ///< in messages; none of parameters without names
  std::string format_{};              ///< as Arguments::take has it, as are these:
  std::vector<const char*> keywords_{};
};

/// What is given to `.def`. pybind11 hands over all that is given, so it refuses nothing itself, in words that would show
/// values: what is wrong is reported here. One type for all functions, because pybind11 makes 2 KB of code for each type.
struct Checked {
  using Function = void();
  using Call = pybind11::object(const Signature&, Function*, const pybind11::args&, const pybind11::kwargs&);
  Call* call;
  Function* function;
  const Signature* signature;  ///< held for good

  pybind11::object operator()(const pybind11::args& given, const pybind11::kwargs& keywords) const {
    try {
      return call(*signature, function, given, keywords);
    } catch (const std::length_error&) {  // a text larger than the address space
      throw std::bad_alloc();
    }
  }
};

/// `function` for `.def`: with the object first, and then the arguments, as pybind11's casters make them of those that were
/// given. `signature` is as in Signature.
template <class Result, class... Taken>
Checked checking(const char* signature, Result (*function)(Taken...)) {
  constexpr auto call = [](const Signature& taking, Checked::Function* to_call, const pybind11::args& given,
                           const pybind11::kwargs& keywords) -> pybind11::object {
    std::array<PyObject*, sizeof...(Taken)> found{};
    taking.take(given, keywords, found);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      std::tuple<pybind11::detail::make_caster<Taken>...> casters;
      (taking.load<std::remove_cvref_t<Taken>>(std::get<I>(casters), found[I], sizeof...(I) - 1 - I), ...);
      const auto result = [&] {
        return reinterpret_cast<Result (*)(Taken...)>(to_call)(pybind11::detail::cast_op<Taken>(std::get<I>(casters))...);
      };
      if constexpr (std::is_void_v<Result>) return result(), none();
      else return pybind11::detail::object_or_cast(result());
    }(std::index_sequence_for<Taken...>());
  };
  using First = std::tuple_element_t<0, std::tuple<Taken..., void>>;
  constexpr bool has_object = std::is_reference_v<First> && !takes_none<std::remove_cvref_t<First>>;
  static_assert(sizeof...(Taken) - has_object <= Signature::most);
  return {call, reinterpret_cast<Checked::Function*>(function), new Signature(signature, sizeof...(Taken), has_object)};
}

/// The docstring in the stub, for a function of pybind11, which takes the object as any other argument.
inline const char* bound_docstring(const std::string& name) {
  static std::deque<std::string>& kept = *new std::deque<std::string>();
  std::string& text = kept.emplace_back(docstring(name));
  if (const std::size_t at = text.find("($self"); at != text.npos && at < text.find('\n')) text.erase(at + 1, 1);
  return text.c_str();
}

/// The value in an object of a class that was closed, which is a whole one.
template <class T>
T& value_in(PyObject* self) {
  return *static_cast<T*>(reinterpret_cast<pybind11::detail::instance*>(self)->get_value_and_holder().value_ptr());
}

/// A class of pybind11 with the name, the docstring and the module that it has in the stub. Only `make`, a tp_new or null,
/// makes an object, a whole one; `add_rows` adds what is not of pybind11. `close_class` has to follow.
template <class T>
pybind11::class_<T> open_class(
    pybind11::module_& module, const char* name, newfunc make,
    void (*add_rows)(PyHeapTypeObject*) = [](PyHeapTypeObject*) {}) {
  const pybind11::object home = checked(steal(PyModule_NewObject(to_object(module_of(name)).ptr())));
  const auto set_up = [=](PyHeapTypeObject* type) {
    type->ht_type.tp_new = make;
    type->ht_type.tp_init = [](PyObject*, PyObject*, PyObject*) { return 0; };
    if (make == nullptr) type->ht_type.tp_flags |= Py_TPFLAGS_DISALLOW_INSTANTIATION;
    add_rows(type);
  };
  const pybind11::class_<T> made(home, name, pybind11::is_final(), docstring(name), pybind11::custom_type_setup(set_up));
  module.attr(name) = made;
  class_of<T> = reinterpret_cast<PyTypeObject*>(made.ptr());
  return made;
}

/// Nothing changes the class from now on: an object that got another one's `__class__` would be read as what it is not.
template <class T>
void close_class() {
  // pybind11's way for its other modules, whose arguments nothing checks.
  pybind11::delattr(reinterpret_cast<PyObject*>(class_of<T>), "_pybind11_conduit_v1_");
  class_of<T>->tp_flags |= Py_TPFLAGS_IMMUTABLETYPE;
  PyType_Modified(class_of<T>);
}

}  // namespace bankhook::python
