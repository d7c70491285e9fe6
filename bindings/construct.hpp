// SPDX-License-Identifier: MIT
// Objects from Python's values, as strictly as the reader takes JSON: by keywords, by changed fields, or from mappings.
#pragma once

// Each function throws what Python raises if an object does not fit.

#include "bind.hpp"
#include "library.hpp"
#include "object.hpp"
#include "python_types.hpp"
#include "unlocked.hpp"
#include "values.hpp"

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <utility>

namespace bankhook::python {

/// Text that `out` views lives as long as the Python object; a resource's views as long as that resource.
template <class T>
void value_from_python(PyObject* object, T& out, const Place& place);

/// Where fields come from, by their names.
struct Fields {
  PyObject* dict;  ///< null for none
  Arena& arena;
  Kept& kept;
  bool is_mapping = false;       ///< else they are keywords
  const Place* outer = nullptr;  ///< where the mapping lies, if in another one
};

/// TypeError for a name that is not known.
template <class T>
[[noreturn]] void refuse_field(PyObject* name, const std::string& where, bool is_mapping) {
  if (is_mapping) fail(PyExc_TypeError, "%s got an unexpected field %.80R", where.c_str(), name);
  pybind11::list known;
  for (PyObject* const field : field_name_objects<T>) known.append(pybind11::handle(field));
  refuse_keyword(class_name<T>, name, known);
}

/// TypeError with the names of the fields that are required and were not `seen`, a bit each.
template <class T>
void check_all_given(std::uint32_t seen, const std::string& where, const char* what) {
  std::string missing;
  reflect::for_each_field<T>([&]<std::size_t I>() {
    if (is_required<T, I> && (seen >> I & 1) == 0) missing.append(missing.empty() ? "" : ", ").append(field_names<T>[I]);
    return true;
  });
  if (!missing.empty()) fail(PyExc_TypeError, "%s misses required %s: %s", where.c_str(), what, missing.c_str());
}

/// Sets the fields that are named, which are all that are required or, for a change, any.
template <class T>
void set_fields(T& out, const Fields& fields, bool is_change = false) {
  const std::string where = fields.outer != nullptr
                                ? fields.outer->name()
                                : std::string(class_name<T>) + (fields.is_mapping ? ".from_dict()" : "()");
  PyObject *name = nullptr, *value = nullptr;
  std::uint32_t seen = 0;
  for (Py_ssize_t at = 0; fields.dict != nullptr && PyDict_Next(fields.dict, &at, &name, &value) != 0;) {
    const std::size_t index = PyUnicode_Check(name) ? field_index<T>(name) : reflect::field_count<T>;
    if (index == reflect::field_count<T>) refuse_field<T>(name, where, fields.is_mapping);
    const std::uint32_t bit = std::uint32_t{1} << index;
    if ((std::exchange(seen, seen | bit) & bit) != 0)  // a str lies about its hash
      fail(PyExc_TypeError, "%s: got %U twice", std::string(class_name<T>).c_str(), field_name_objects<T>[index]);
    const Place place{class_name<T>, field_names<T>[index], fields.arena, fields.kept, fields.is_mapping, fields.outer};
    reflect::for_each_field<T>([&]<std::size_t I>() {
      if (I == index) value_from_python(value, reflect::field<I>(out), place);
      return I != index;
    });
  }
  if (!is_change) check_all_given<T>(seen, where, fields.is_mapping ? "fields" : "keyword arguments");
}

template <class T>
void array_from_python(PyObject* object, std::span<const T>& out, const Place& place) {
  if (!PyTuple_Check(object) && !PyList_Check(object)) refuse_type(place, "tuple or list", object);
  PyObject* const tuple = kept_tuple(object, place.kept);
  const auto size = static_cast<std::size_t>(PyTuple_GET_SIZE(tuple));
  auto* const items = static_cast<T*>(place.arena.allocate(size * sizeof(T), alignof(T)));
  if (items == nullptr) throw std::bad_alloc();
  for (std::size_t i = 0; i < size; ++i) {
    Place item = place;
    item.index = static_cast<std::ptrdiff_t>(i);
    if (!check_signals(i + 1)) throw pybind11::error_already_set();
    value_from_python(PyTuple_GET_ITEM(tuple, static_cast<Py_ssize_t>(i)), *::new (items + i) T(), item);
  }
  out = {items, size};
}

template <class T>
void resource_from_python(PyObject* object, T& out, const Place& place) {
  if (Py_TYPE(object) == class_of<T>) out = value_of<T>(object);
  else if (place.takes_mappings && is_mapping(object))
    set_fields(out, {kept_dict(object, place.kept), place.arena, place.kept, true, &place});
  else refuse_type(place, (std::string(class_name<T>) + (place.takes_mappings ? " or mapping" : "")).c_str(), object);
}

template <class T>
void value_from_python(PyObject* object, T& out, const Place& place) {
  if constexpr (reflect::OptionalValue<T>) {
    if (object == missing<T>()) out.reset();
    else value_from_python(object, out.emplace(), place);
  } else if constexpr (reflect::Array<T>) array_from_python(object, out, place);
  else if constexpr (reflect::Structure<T>) resource_from_python(object, out, place);
  else out = PythonType<T>::from_python(object, place);
}

/// An unknown event is its payload: made from `raw` alone.
PyObject* make_unknown(const Arguments& arguments);

/// TypeError for positional arguments.
inline void need_keywords(const Arguments& arguments, std::string_view function) {
  if (PyTuple_GET_SIZE(arguments.tuple) != 0)
    fail(PyExc_TypeError, "%s() takes keyword arguments only", std::string(function).c_str());
}

/// tp_new of the class: every object is made here; `object.__new__` cannot make one.
template <class T>
PyObject* construct(PyTypeObject*, PyObject* tuple, PyObject* keywords) {
  const Arguments arguments{tuple, keywords};
  if constexpr (std::is_same_v<T, UnknownEvent>) return make_unknown(arguments);
  else {
    need_keywords(arguments, class_name<T>);
    T value{};
    Arena arena;
    Kept kept;
    set_fields(value, {keywords, arena, kept});
    return make_owned(value);
  }
}

template <class T>
PyObject* replace(PyObject* self, Arguments arguments) {
  if constexpr (std::is_same_v<T, UnknownEvent>) {
    if (arguments.keywords != nullptr && PyDict_GET_SIZE(arguments.keywords) != 0) return make_unknown(arguments);
  }
  need_keywords(arguments, class_name<T>);
  T value = value_of<T>(self);
  if constexpr (std::is_same_v<T, UnknownEvent>) return Py_NewRef(self);
  Arena arena;
  Kept kept;
  set_fields(value, {arguments.keywords, arena, kept}, true);
  return make_owned(value);
}

/// What `to_dict` gave, as an object again.
template <class T>
PyObject* from_dict(PyObject*, PyObject* mapping) {
  if (!is_mapping(mapping))
    return PyErr_Format(PyExc_TypeError, "%s.from_dict() expects a mapping, found %s", std::string(class_name<T>).c_str(),
                        Py_TYPE(mapping)->tp_name);
  Arena arena;
  Kept kept;
  PyObject* const dict = kept_dict(mapping, kept);
  if constexpr (std::is_same_v<T, UnknownEvent>) return make_unknown({pybind11::tuple().ptr(), dict});
  else {
    T value{};
    set_fields(value, {dict, arena, kept, true});
    return make_owned(value);
  }
}

}  // namespace bankhook::python
