// SPDX-License-Identifier: MIT
// fields: what each field of a class is, from the structs that the classes are made of.
#include "annotations.hpp"
#include "classes.hpp"
#include "docs_objects.hpp"
#include "functions.hpp"
#include "records.hpp"
#include "register.hpp"
#include "to_python.hpp"

#include <cstddef>
#include <string>

namespace bankhook::python {
namespace {

RecordClass<7> field_class;

template <class T, std::size_t I>
pybind11::object describe_field() {
  using Field = reflect::FieldType<T, I>;
  return field_class.make(steal(text_to_python(field_names<T>[I])), steal(text_to_python(reflect::wire_names<T>[I])),
                          steal(text_to_python(field_annotation<T, I, Use::read>())), truth(!base::is_maybe_absent<Field>),
                          truth(base::is_nullable<Field>), steal(text_to_python(T::section)),
                          steal(text_to_python(reflect::field_meaning<T, I>)));
}

PyObject* fields_of(PyObject*, PyObject* cls) {
  fix_names();
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

PyMethodDef field_functions[] = {
    with_one<fields_of>("fields", "(cls: type, /) -> tuple[Field, ...]", docs::fields),
    {},
};

}  // namespace

void register_fields(pybind11::module_& module) {
  field_class.find("Field");
  add_functions(module, field_functions);
  pybind11::list classes;
  for_each_class([&]<class T>() {
    classes.append(pybind11::handle(reinterpret_cast<PyObject*>(class_of<T>)));
    return true;
  });
  module.attr("_classes") = pybind11::tuple(classes);
}

}  // namespace bankhook::python
