// SPDX-License-Identifier: MIT
// The classes of the reflected structs: spec sections 2 and 6, and what a tracker's queries return; `fields`.
#include "class.hpp"
#include "records.hpp"

namespace bankhook::python {
namespace {

/// `First | Second | ...`, for annotations.
template <class First, class... Rest>
pybind11::object any_event(std::type_identity<std::variant<First, Rest...>>) {
  auto any = borrow(reinterpret_cast<PyObject*>(class_of<First>));
  ((any = any | pybind11::handle(reinterpret_cast<PyObject*>(class_of<Rest>))), ...);
  return any;
}

RecordClass field_class("Field", 7);

template <class T, std::size_t I>
pybind11::object describe_field() {
  using Field = reflect::FieldType<T, I>;
  return field_class.make(field_names<T>[I], reflect::wire_names<T>[I], field_annotation<T, I>(),
                          !base::is_maybe_absent<Field>, base::is_nullable<Field>, T::section,
                          json::meaning_of(json::field_table<T>.fields[I]));
}

PyObject* fields_of(PyObject*, PyObject* cls) {
  pybind11::list fields;
  const bool is_ours = with_struct(cls, [&]<class T>() {
    reflect::for_each_field<T>([&]<std::size_t I>() {
      fields.append(describe_field<T, I>());
      return true;
    });
  });
  if (is_ours) return PySequence_Tuple(fields.ptr());
  if (PyType_Check(cls))
    return PyErr_Format(PyExc_TypeError, "fields() expects the class of an event or of a resource, found the class %s",
                        reinterpret_cast<PyTypeObject*>(cls)->tp_name);
  return PyErr_Format(PyExc_TypeError, "fields() expects the class of an event or of a resource, found an object of %s",
                      Py_TYPE(cls)->tp_name);
}

}  // namespace

void register_classes(pybind11::module_& module) {
  pybind11::list classes;
  for_each_class([&]<class T>() {
    register_class<T>(module);
    classes.append(pybind11::handle(reinterpret_cast<PyObject*>(class_of<T>)));
    return true;
  });
  module.attr("AnyEvent") = any_event(std::type_identity<AnyEvent>());
  module.attr("_classes") = pybind11::tuple(classes);
  add_functions(module, {method<fields_of>("fields")});
}

}  // namespace bankhook::python
