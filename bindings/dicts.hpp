// SPDX-License-Identifier: MIT
// Objects as dicts and back, by the fields' names and values in Python.
#pragma once

#include "library.hpp"
#include "methods.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace bankhook::python {

template <class T>
PyObject* plain(const T& value, Block& block);

template <class T>
PyObject* dict_to_python(const T& value, Block& block) {
  pybind11::object dict = steal(PyDict_New());
  const bool fine = dict && reflect::for_each_field<T>([&]<std::size_t I>() {
                      const auto& field = reflect::field<I>(value);
                      if constexpr (base::is_maybe_absent<reflect::FieldType<T, I>>) {
                        if (!field) return true;
                      }
                      const pybind11::object item = steal(plain(field, block));
                      return item && PyDict_SetItem(dict.ptr(), field_name_objects<T>[I], item.ptr()) == 0;
                    });
  return fine ? dict.release().ptr() : nullptr;
}

/// A field's value for `to_dict`: resources become dicts, arrays lists, all else is as the field itself gives it.
template <class T>
PyObject* plain(const T& value, Block& block) {
  if constexpr (reflect::OptionalValue<T>) return value ? plain(*value, block) : Py_NewRef(missing<T>());
  else if constexpr (reflect::Array<T>)
    return sequence_of(PyList_New, value, [&](const auto& item) { return plain(item, block); });
  else if constexpr (reflect::Structure<T>) return dict_to_python(value, block);
  else return to_python(value, block);
}

/// The fields by name.
template <class T>
PyObject* fields_to_dict(PyObject* self) {
  return dict_to_python(value_of<T>(self), block_of(self));
}

/// An unknown event is a name and its bytes.
template <>
inline PyObject* fields_to_dict<UnknownEvent>(PyObject* self) {
  const pybind11::object name = steal(get_field<UnknownEvent, 0>(self, nullptr));
  const pybind11::object bytes = name ? steal(raw<UnknownEvent>(self, nullptr)) : name;
  const auto& names = field_name_objects<UnknownEvent>;
  return bytes ? Py_BuildValue("{OOOO}", names[0], name.ptr(), names[1], bytes.ptr()) : nullptr;
}

/// Sets what `mapping` names; all that is required must be there. `outer` is where the mapping lies, if in another one.
template <class T>
bool fields_from_python(PyObject* mapping, T& out, Arena& arena, Kept& kept, const Place* outer) {
  const std::string where = outer == nullptr ? std::string(class_name<T>) + ".from_dict()" : outer->name();
  PyObject* const dict = kept_dict(mapping, kept);
  PyObject* name = nullptr;
  PyObject* value = nullptr;
  std::uint32_t seen = 0;
  for (Py_ssize_t at = 0; dict != nullptr && PyDict_Next(dict, &at, &name, &value) != 0;) {
    const std::size_t index = PyUnicode_Check(name) ? field_index<T>(name) : reflect::field_count<T>;
    if (index == reflect::field_count<T>) {
      PyErr_Format(PyExc_TypeError, "%s got an unexpected field %.80R", where.c_str(), name);
      return false;
    }
    const Place place{class_name<T>, field_names<T>[index], arena, kept, true, outer};
    if (!see_once<T>(index, seen) || !set_field(out, index, value, place)) return false;
  }
  return dict != nullptr && all_given<T>(seen, where, "fields");
}

template <class T>
bool mapping_from_python(PyObject* mapping, T& out, const Place& place) {
  return fields_from_python(mapping, out, place.arena, place.kept, &place);
}

/// What `to_dict` gave, as an object again.
template <class T>
PyObject* fields_from_dict(PyObject* mapping) {
  T value{};
  Arena arena;
  Kept kept;
  return fields_from_python(mapping, value, arena, kept, nullptr) ? make_owned(value) : nullptr;
}

template <>
inline PyObject* fields_from_dict<UnknownEvent>(PyObject* mapping) {
  Kept kept;
  PyObject* const dict = kept_dict(mapping, kept);
  const pybind11::object none = dict == nullptr ? pybind11::object() : steal(PyTuple_New(0));
  return none ? PyObject_Call(reinterpret_cast<PyObject*>(class_of<UnknownEvent>), none.ptr(), dict) : nullptr;
}

template <class T>
PyObject* from_dict(PyObject*, PyObject* mapping) {
  const int is_one = is_mapping(mapping);
  if (is_one == 1) return fields_from_dict<T>(mapping);
  if (is_one == 0)
    PyErr_Format(PyExc_TypeError, "%s.from_dict() expects a mapping, found %s", std::string(class_name<T>).c_str(),
                 Py_TYPE(mapping)->tp_name);
  return nullptr;
}

}  // namespace bankhook::python
