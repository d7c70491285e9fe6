// SPDX-License-Identifier: MIT
// Rows of functions and classes of slots, as CPython's own modules have them. What pybind11 binds: bound.hpp.
#pragma once

// What a function, method, property or class is called to users, its signature and its docstring are written in the stub,
// python/bankhook/_core.pyi, from which the build takes them by name. TypeErrors name what was expected and the type that
// was found, never a value: an argument may be personal.

#include "object.hpp"
#include "values.hpp"

#include <pybind11/pybind11.h>
#include <structmember.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace bankhook::python {

/// Raises in Python what is being caught; always null.
BANKHOOK_COLD PyObject* raise_caught();

/// The border to the interpreter: what C++ throws becomes what Python raises, and passes no frame of C.
template <auto function>
struct Guarded;
template <class Result, class... Arguments, Result (*function)(Arguments...)>
struct Guarded<function> {
  static PyObject* call(Arguments... arguments) {
    try {
      if constexpr (std::is_same_v<Result, PyObject*>) return function(arguments...);
      else return function(arguments...).release().ptr();
    } catch (const std::exception&) {
      return raise_caught();
    }
  }
};

/// `function`, which returns a new reference or an object, for CPython's tables; costs nothing if nothing is thrown.
template <auto function>
inline constexpr auto* guarded = &Guarded<function>::call;

/// Throws TypeError if one of the names that were given is not known:
/// `Tracker() got an unexpected keyword argument 'take_creat'; did you mean 'take_create'?`.
void refuse_keywords(std::string_view function, PyObject* given, const pybind11::object& known);

/// Takes what is in a tuple as PyArg_ParseTuple does. Throws TypeError.
void take(pybind11::handle tuple, const char* format, auto... out) {
  if (!PyTuple_Check(tuple.ptr())) fail(PyExc_TypeError, "expected a tuple, found %s", Py_TYPE(tuple.ptr())->tp_name);
  if (PyArg_ParseTuple(tuple.ptr(), format, out...) == 0) throw pybind11::error_already_set();
}

/// The arguments of a call that takes keywords, too: a dict or null.
struct Arguments {
  PyObject* tuple;
  PyObject* keywords;

  /// Takes them as PyArg_ParseTupleAndKeywords does; the format ends with a colon and the function's name, and a parameter
  /// that is given by position only has an empty name. Throws TypeError, with the closest name for an unknown keyword.
  void take(const char* format, const std::vector<const char*>& names, auto... out) const {
    std::array<const char*, sizeof...(out) + 1> ended{};
    std::ranges::copy(names, ended.begin());
    if (PyArg_ParseTupleAndKeywords(tuple, keywords, format, const_cast<char**>(ended.data()), out...) == 0)
      refuse(format, names);
  }

 private:
  [[noreturn]] void refuse(std::string_view format, const std::vector<const char*>& names) const;
};

/// Of nothing but the object, whatever else CPython gives.
template <auto function, class Other>
auto of_self(PyObject* self, Other*) {
  return function(self);
}
template <auto function>
auto with_positional(PyObject* self, PyObject* tuple) {
  return function(self, pybind11::reinterpret_borrow<pybind11::tuple>(tuple));
}
template <auto function>
auto with_keywords(PyObject* self, PyObject* tuple, PyObject* keywords) {
  return function(self, Arguments{tuple, keywords});
}

/// A row of a table: `function(self)`, or that and its arguments, or a tuple of them, or Arguments; or CPython's fast
/// calls.
template <auto function>
PyMethodDef method(const char* name) {
  const auto row = [name](auto* call, int flags) {
    return PyMethodDef{name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(call)), flags, nullptr};
  };
  using Function = decltype(function);
  if constexpr (std::is_invocable_v<Function, PyObject*>) return row(guarded<of_self<function, PyObject>>, METH_NOARGS);
  else if constexpr (std::is_invocable_v<Function, PyObject*, PyObject*>) return row(guarded<function>, METH_O);
  else if constexpr (std::is_invocable_v<Function, PyObject*, pybind11::tuple>)
    return row(guarded<with_positional<function>>, METH_VARARGS);
  else if constexpr (std::is_invocable_v<Function, PyObject*, Arguments>)
    return row(guarded<with_keywords<function>>, METH_VARARGS | METH_KEYWORDS);
  else return row(guarded<function>, METH_FASTCALL | METH_KEYWORDS);
}

/// A row of a table of properties.
template <auto function>
PyGetSetDef property(const char* name, const char* doc = nullptr) {
  return {name, guarded<of_self<function, void>>, nullptr, doc, nullptr};
}

/// A method that is Python's: the function of this name among the package's records, which takes the object first.
template <FixedString function>
PyObject* asked(PyObject* self, Arguments arguments) {
  const pybind11::object found = pybind11::module_::import("bankhook._records").attr(function.characters);
  const pybind11::object bound = checked(steal(PyMethod_New(found.ptr(), self)));
  return PyObject_Call(bound.ptr(), arguments.tuple, arguments.keywords);
}

/// A slot of a class. What it names lives on.
inline PyType_Slot slot(int id, auto* function) { return {id, reinterpret_cast<void*>(function)}; }

/// The docstring of `name` in the stub.
const char* docstring(std::string_view name);

/// Adds functions to the module.
void add_functions(pybind11::module_& module, std::vector<PyMethodDef> rows);

/// What a class is made of.
struct ClassParts {
  std::size_t size{};  ///< of an object, which starts with a Head
  std::vector<PyType_Slot> slots;
  std::vector<PyMethodDef> methods;
  std::vector<PyGetSetDef> properties{};
  std::vector<PyMemberDef> members{};
  unsigned long flags = 0;
  pybind11::dict attributes{};
  bool is_value = false;  ///< of fields: the stub has the methods of all such classes once
};

/// The public module in which users find a class or a function: `bankhook.types`, unless another one imports it by name.
std::string_view module_of(std::string_view name);

/// A final class with this name in its public module, held for good. It cannot be changed: an object that got another one's
/// `__class__` would be read as what it is not. Without a tp_new, calling it makes nothing.
PyTypeObject* make_class(pybind11::module_& module, std::string_view name, ClassParts parts);

/// Rows for a class that the stub has under this name, held for good.
PyMethodDef* methods_of(const std::string& name, std::vector<PyMethodDef> rows);

/// The registrations of a subject each, by a file of the same name.
using Registration = void(pybind11::module_&);
BANKHOOK_COLD Registration register_values, register_lifecycles, register_classes, register_fields, register_parse,
    register_sandbox, register_select, register_lines, register_rules, register_wire, register_batches, register_tables,
    register_tracker, register_joint_accounts;

/// The UTF-8 of a str; nothing for half a surrogate pair. Throws TypeError for any other object.
inline std::optional<std::string_view> id_argument(const char* function, PyObject* object) {
  if (!PyUnicode_Check(object)) refuse_argument(function, "str", object);
  return utf8_of(object);
}

/// The text of a str, as long-lived as that. Throws what Python raises: TypeError for another object, and ValueError for
/// half a surrogate pair, which no payload holds.
inline std::string_view text_argument(const char* function, PyObject* object) {
  if (const auto text = id_argument(function, object)) return *text;
  fail(PyExc_ValueError, "%s: expected str without surrogates", function);
}

/// The enumerator with this text on the wire. Throws TypeError for another object, and ValueError for another text.
template <Enumeration E>
E enumerator_argument(const char* function, PyObject* object) {
  const auto known = OpenEnum<E>::of(text_argument(function, object)).known();
  if (known) return *known;
  fail(PyExc_ValueError, "%s: expected %s", function, std::string(detail::reflect::listing<E>.view()).c_str());
}

}  // namespace bankhook::python
