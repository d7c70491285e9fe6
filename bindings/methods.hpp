// SPDX-License-Identifier: MIT
// What every class can do: compare, hash, show itself, become JSON; derived from the fields.
#pragma once

#include "construct.hpp"
#include "library.hpp"
#include "to_python.hpp"

#include <cstddef>
#include <span>
#include <string>

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
  const std::string* operator->() const { return &text_; }

 private:
  inline static std::string text_;
};

template <class T>
PyObject* to_json(PyObject* self) {
  fix_names();
  const SharedText json;
  serialize_to(value_of<T>(self), *json);
  return PyBytes_FromStringAndSize(json->data(), static_cast<Py_ssize_t>(json->size()));
}

/// The payload as it was received; for an object that was made in Python, what `to_json` gives.
template <class T>
PyObject* raw(PyObject* self, void*) {
  PyObject* const payload = block_of(self).raw_of(&value_of<T>(self));
  return payload != nullptr || PyErr_Occurred() != nullptr ? payload : to_json<T>(self);
}

/// Field `I` of `self`, as a getter of a descriptor.
template <class T, std::size_t I>
PyObject* get_field(PyObject* self, void*) {
  if constexpr (std::is_same_v<T, UnknownEvent> && I == 1) return raw<T>(self, nullptr);
  return to_python(reflect::field<I>(value_of<T>(self)), block_of(self));
}

/// tp_getattro: a program's text names fields by interned strings, so a field is found by the address of its name, in a
/// third of the time that the way through the type and its descriptors takes. All else goes that way.
template <class T>
PyObject* get_attribute(PyObject* self, PyObject* name) {
  PyObject* value = nullptr;
  const bool is_another = reflect::for_each_field<T>([&]<std::size_t I>() {
    if (name != field_name_objects<T>[I]) return true;
    value = get_field<T, I>(self, nullptr);
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
inline pybind11::object shown(PyObject* object) {
  if (!PyUnicode_Check(object) || PyUnicode_CheckExact(object)) return steal(PyObject_Repr(object));
  const pybind11::object name = steal(PyObject_GetAttrString(object, "name"));
  return name ? steal(PyUnicode_FromFormat("%s.%U", Py_TYPE(object)->tp_name, name.ptr())) : name;
}

/// `Account(id='acc-1', account_hash=None)`; absent fields are left out.
template <class T>
PyObject* represent(PyObject* self) {
  if (PyErr_CheckSignals() != 0) return nullptr;  // what lies in arrays comes through here
  const pybind11::object parts = steal(PyList_New(0));
  const bool fine = parts && reflect::for_each_field<T>([&]<std::size_t I>() {
                      if constexpr (reflect::is_type_tag<reflect::FieldType<T, I>>) return true;
                      const pybind11::object value = steal(get_field<T, I>(self, nullptr));
                      if (!value || value.ptr() == values.absent) return static_cast<bool>(value);
                      const pybind11::object text = shown(value.ptr());
                      if (!text) return false;
                      const pybind11::object part =
                          steal(PyUnicode_FromFormat("%U=%U", field_name_objects<T>[I], text.ptr()));
                      return part && PyList_Append(parts.ptr(), part.ptr()) == 0;
                    });
  if (!fine) return nullptr;
  const pybind11::object comma = steal(text_to_python(", "));
  const pybind11::object joined = comma ? steal(PyUnicode_Join(comma.ptr(), parts.ptr())) : comma;
  return joined ? PyUnicode_FromFormat("%s(%U)", std::string(class_name<T>).c_str(), joined.ptr()) : nullptr;
}

/// Values that do not change need no copy.
inline PyObject* itself(PyObject* self) { return Py_NewRef(self); }
inline PyObject* itself_too(PyObject* self, PyObject*) { return Py_NewRef(self); }

}  // namespace bankhook::python
