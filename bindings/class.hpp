// SPDX-License-Identifier: MIT
// One template makes a Python class of a reflected struct: descriptors and methods derived from its fields.
#pragma once

#include "bind.hpp"
#include "classes.hpp"
#include "construct.hpp"
#include "describe.hpp"
#include "dicts.hpp"
#include "library.hpp"
#include "python_types.hpp"

#include <pybind11/pybind11.h>

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace bankhook::python {

/// Where JSON is written before it is copied into bytes, whose size has to be known: memory that is kept from call to call,
/// so that it mostly is large enough at once. One is enough: it is used under the interpreter's lock, and no Python runs
/// meanwhile.
class SharedText {
 public:
  SharedText() { text_.clear(); }
  SharedText(const SharedText&) = delete;
  SharedText& operator=(const SharedText&) = delete;
  ~SharedText() {
    constexpr std::size_t most_kept = 1 << 20;
    if (text_.capacity() > most_kept) [[unlikely]]
      text_ = std::string();
  }
  std::string& operator*() const { return text_; }

 private:
  inline static std::string text_;
};

template <class T>
PyObject* to_json(PyObject* self) {
  const SharedText json;
  serialize_to(value_of<T>(self), *json);
  return PyBytes_FromStringAndSize((*json).data(), static_cast<Py_ssize_t>((*json).size()));
}

/// The payload as it was received; for an object that was made in Python, what `to_json` gives.
template <class T>
PyObject* raw(PyObject* self) {
  PyObject* const payload = block_of(self).raw_of(&value_of<T>(self));
  return payload != nullptr || PyErr_Occurred() != nullptr ? payload : to_json<T>(self);
}

/// Field `I` of `self`.
template <class T, std::size_t I>
PyObject* get_field(PyObject* self) {
  if constexpr (std::is_same_v<T, UnknownEvent> && I == 1) return raw<T>(self);
  else return to_python(reflect::field<I>(value_of<T>(self)), block_of(self));
}

/// tp_getattro: a program's text names fields by interned strings, so a field is found by the address of its name, in a
/// third of the time that the way through the type and its descriptors takes. All else goes that way.
template <class T>
PyObject* get_attribute(PyObject* self, PyObject* name) {
  PyObject* value = nullptr;
  const bool is_another = reflect::for_each_field<T>([&]<std::size_t I>() {
    if (name != field_name_objects<T>[I]) return true;
    value = get_field<T, I>(self);
    return false;
  });
  return is_another ? PyObject_GenericGetAttr(self, name) : value;
}

template <class T>
PyObject* compare(PyObject* self, PyObject* other, int operation) {
  if ((operation != Py_EQ && operation != Py_NE) || Py_TYPE(other) != class_of<T>) Py_RETURN_NOTIMPLEMENTED;
  return PyBool_FromLong(reflect::equal(value_of<T>(self), value_of<T>(other)) == (operation == Py_EQ));
}

template <class T>
Py_hash_t hash(PyObject* self) {
  const auto value = static_cast<Py_hash_t>(reflect::hash(value_of<T>(self)));
  return value == -1 ? -2 : value;  // -1 means an error to Python
}

/// `TransactionStatus.CREATED` for an enumerator, else the object's own repr: an expression that evaluates to it.
inline pybind11::object shown(const pybind11::object& object) {
  if (!PyUnicode_Check(object.ptr()) || PyUnicode_CheckExact(object.ptr())) return pybind11::repr(object);
  return checked(steal(PyUnicode_FromFormat("%s.%S", Py_TYPE(object.ptr())->tp_name, object.attr("name").ptr())));
}

/// `Account(id='acc-1', account_hash=None)`; absent fields are left out.
template <class T>
pybind11::object represent(PyObject* self) {
  if (PyErr_CheckSignals() != 0) return {};  // what lies in arrays comes through here
  pybind11::list parts;
  reflect::for_each_field<T>([&]<std::size_t I>() {
    if constexpr (reflect::Tag<reflect::FieldType<T, I>>) return true;
    const pybind11::object value = checked(steal(get_field<T, I>(self)));
    if (value.ptr() == values.absent) return true;
    parts.append(checked(steal(PyUnicode_FromFormat("%U=%U", field_name_objects<T>[I], shown(value).ptr()))));
    return true;
  });
  const pybind11::object joined = pybind11::str(", ").attr("join")(parts);
  return steal(PyUnicode_FromFormat("%s(%U)", std::string(class_name<T>).c_str(), joined.ptr()));
}

// Values that do not change need no copy.

inline PyObject* itself(PyObject* self) { return Py_NewRef(self); }
inline PyObject* itself_too(PyObject* self, PyObject*) { return Py_NewRef(self); }

/// `restore(cls, json)` or `restore(cls, json, name)`: what a pickle calls. The name is that of the place field, if one was
/// given and `T` has the field: in the process that reads the pickle, the field may have another name.
template <class T>
PyObject* reduce(PyObject* self) {
  PyObject* const json = is_event<T> ? raw<T>(self) : to_json<T>(self);
  if (json == nullptr || !has_place_id<T> || !detail::place_id_is_named<>)
    return json == nullptr ? nullptr : Py_BuildValue("O(ON)", values.restore, class_of<T>, json);
  return Py_BuildValue("O(ONN)", values.restore, class_of<T>, json, text_to_python(place_id_name.view()));
}

template <class T>
PyObject* to_dict(PyObject* self) {
  if constexpr (constexpr auto& names = field_name_objects<T>; std::is_same_v<T, UnknownEvent>)
    return Py_BuildValue("{ONON}", names[0], get_field<T, 0>(self), names[1], raw<T>(self));
  else return formed(value_of<T>(self), PythonForm());
}

template <class T>
PyObject* to_wire(PyObject* self, Arguments arguments) {
  PyObject* number = Py_None;
  arguments.take("|$O:to_wire", {"number"}, &number);
  const WireNumbers numbers(number);
  if constexpr (std::is_same_v<T, UnknownEvent>)
    return json_to_python(text_of(checked(steal(raw<T>(self)))), numbers).release().ptr();
  else return formed(value_of<T>(self), WireForm{numbers});
}

template <class T>
PyObject* from_json(PyObject*, PyObject* payload) {
  return read_json(class_of<T>, payload);
}

template <class T>
PyObject* from_wire(PyObject*, PyObject* mapping) {
  if (is_mapping(mapping)) return read_wire(class_of<T>, mapping);
  return PyErr_Format(PyExc_TypeError, "%s.from_wire() expects a mapping, found %s", std::string(class_name<T>).c_str(),
                      Py_TYPE(mapping)->tp_name);
}

/// What the function of this name in the package's Python side, which nothing else loads, says of the object.
template <FixedString function>
pybind11::object asked(PyObject* self) {
  return pybind11::module_::import("bankhook._records").attr(function.characters)(pybind11::handle(self));
}

/// `_repr_pretty_(printer, cycle)`: the repr, shortened where it is long. What a notebook stores beside the HTML.
inline pybind11::object print(PyObject* self, Positional arguments) {
  PyObject* printer = nullptr;
  int cycle = 0;
  arguments.take("Op:_repr_pretty_", &printer, &cycle);
  return pybind11::module_::import("bankhook._records").attr("pretty")(pybind11::handle(self), pybind11::handle(printer));
}

/// Interns the names of the fields, and keeps them and their docstrings for good.
template <class T>
std::vector<PyGetSetDef> descriptors() {
  std::vector<PyGetSetDef> rows;
  reflect::for_each_field<T>([&]<std::size_t I>() {
    static const std::string name(field_names<T>[I]), doc = field_doc<T, I>();
    field_name_objects<T>[I] = checked(steal(PyUnicode_InternFromString(name.c_str()))).release().ptr();
    rows.push_back(property<get_field<T, I>>(name.c_str(), doc.c_str()));
    return true;
  });
  if constexpr (is_event<T> && !std::is_same_v<T, UnknownEvent>) rows.push_back(property<raw<T>>("raw", raw_doc));
  return rows;
}

/// Binds `T` under its own name.
template <class T>
void register_class(pybind11::module_& module) {
  static const std::string doc = class_doc<T>();
  std::vector<PyGetSetDef> properties = descriptors<T>();
  pybind11::list positions;
  reflect::for_each_field<T>([&]<std::size_t I>() {
    if (!reflect::Tag<reflect::FieldType<T, I>>) positions.append(pybind11::handle(field_name_objects<T>[I]));
    return true;
  });
  pybind11::dict attributes;
  attributes["__match_args__"] = pybind11::tuple(positions);
  attributes["__signature__"] = signature_of<T>();
  class_of<T> = make_class(
      module, class_name<T>,
      {.size = sizeof(View),
       .slots = {slot(Py_tp_new, guarded<construct<T>>),
                 slot(Py_tp_init, initialise_nothing),
                 slot(Py_tp_dealloc, destroy_view),
                 slot(Py_tp_getattro, guarded<get_attribute<T>>),
                 slot(Py_tp_repr, guarded<represent<T>>),
                 slot(Py_tp_hash, hash<T>),
                 slot(Py_tp_richcompare, compare<T>),
                 {Py_tp_doc, const_cast<char*>(doc.c_str())}},
       .methods = {method<replace<T>>("replace"), method<replace<T>>("__replace__"), method<to_json<T>>("to_json"),
                   method<from_json<T>>("from_json"), method<to_dict<T>>("to_dict"), method<from_dict<T>>("from_dict"),
                   method<to_wire<T>>("to_wire"), method<from_wire<T>>("from_wire"), method<itself>("__copy__"),
                   method<itself_too>("__deepcopy__"), method<reduce<T>>("__reduce__"),
                   method<asked<"html">>("_repr_html_"), method<print>("_repr_pretty_"),
                   method<asked<"named_values">>("__rich_repr__")},
       .properties = std::move(properties),
       .attributes = attributes});
}

}  // namespace bankhook::python
