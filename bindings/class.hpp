// SPDX-License-Identifier: MIT
// One template makes a Python class of a reflected struct: descriptors and methods derived from its fields.
#pragma once

#include "classes.hpp"
#include "dicts.hpp"
#include "docs_objects.hpp"
#include "docstrings.hpp"
#include "functions.hpp"
#include "library.hpp"
#include "methods.hpp"
#include "show.hpp"
#include "signature.hpp"
#include "wire.hpp"

#include <pybind11/pybind11.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace bankhook::python {

/// `restore(cls, json)` or `restore(cls, json, name)`: what a pickle calls. The name is that of the place field, if one was
/// given and `T` has the field: in the process that reads the pickle, the field may have another name.
template <class T>
PyObject* reduce(PyObject* self);

/// The descriptors of `T`: its fields and, for events, `raw`.
template <class T>
PyGetSetDef* descriptors() {
  static std::array<std::string, reflect::field_count<T>> names;
  static std::array<std::string, reflect::field_count<T>> docs;
  static std::array<PyGetSetDef, reflect::field_count<T> + 2> table{};
  reflect::for_each_field<T>([&]<std::size_t I>() {
    names[I] = field_names<T>[I];
    docs[I] = field_doc<T, I>();
    table[I] = {names[I].c_str(), guarded<get_field<T, I>>, nullptr, docs[I].c_str(), nullptr};
    return true;
  });
  if constexpr (is_event<T> && !std::is_same_v<T, UnknownEvent>)
    table[reflect::field_count<T>] = {"raw", guarded<raw<T>>, nullptr, raw_doc, nullptr};
  return table.data();
}

template <class T>
PyMethodDef* methods() {
  static std::array<PyMethodDef, 15> table{
      with_keywords<replace<T>>("replace", "(self, **changes: Any) -> Self", docs::replace),
      with_keywords<replace<T>>("__replace__", "(self, **changes: Any) -> Self", "For `copy.replace`."),
      with_none<to_json<T>>("to_json", "(self) -> bytes", docs::to_json),
      with_one<from_json_method<T>>("from_json", "(cls, payload: Buffer | str, /) -> Self", docs::from_json, METH_CLASS),
      with_none<fields_to_dict<T>>("to_dict", "(self) -> dict[str, Any]", docs::to_dict),
      with_one<from_dict<T>>("from_dict", "(cls, mapping: Mapping[str, Any], /) -> Self", docs::from_dict, METH_CLASS),
      with_keywords<to_wire_method<T>>(
          "to_wire", "(self, *, number: Callable[[str], object] | None = None) -> dict[str, Any]", docs::to_wire),
      with_one<from_wire_method<T>>("from_wire", "(cls, mapping: Mapping[str, Any], /) -> Self", docs::from_wire,
                                    METH_CLASS),
      with_none<itself>("__copy__", "(self) -> Self", "The object itself: it never changes."),
      with_one<itself_too>("__deepcopy__", "(self, memo: dict[int, Any], /) -> Self",
                           "The object itself: it never changes."),
      with_none<reduce<T>>("__reduce__", "(self) -> tuple[Any, ...]", "The class and the JSON."),
      with_none<show>("_repr_html_", "(self) -> str",
                      "A folding tree of the fields in the specification's "
                      "order, for notebooks."),
      with_keywords<print>("_repr_pretty_", "(self, printer: Printer, cycle: bool, /) -> None",
                           "The repr for IPython, "
                           "shortened where it is long."),
      with_none<name_values>("__rich_repr__", "(self) -> Iterator[tuple[str, Any]]", "The fields for `rich.print`."),
      PyMethodDef{},
  };
  return table.data();
}

/// Binds `T` under its own name.
template <class T>
void register_class(pybind11::module_& module) {
  intern_field_names<T>();
  for (const char* name : {".replace", ".__replace__"})  // a stub can say which changes; these notes win
    note_signature(std::string(class_name<T>).append(name), keyword_signature<T>(Keywords::optional, "Self"));
  const std::string doc = class_doc<T>();
  class_of<T> = make_class(
      module, class_name<T>, sizeof(View),
      {slot(Py_tp_new, guarded<construct<T>, PyTypeObject*, PyObject*, PyObject*>), slot(Py_tp_init, initialise_nothing),
       slot(Py_tp_dealloc, destroy_view), slot(Py_tp_getset, descriptors<T>()), slot(Py_tp_methods, methods<T>()),
       slot(Py_tp_getattro, guarded<get_attribute<T>, PyObject*, PyObject*>),
       slot(Py_tp_repr, guarded<represent<T>, PyObject*>), slot(Py_tp_hash, hash<T>), slot(Py_tp_richcompare, compare<T>),
       slot(Py_tp_doc, doc.c_str())});
  const pybind11::handle bound(reinterpret_cast<PyObject*>(class_of<T>));
  pybind11::list positions;
  reflect::for_each_field<T>([&]<std::size_t I>() {
    if constexpr (!reflect::is_type_tag<reflect::FieldType<T, I>>)
      positions.append(pybind11::handle(field_name_objects<T>[I]));
    return true;
  });
  bound.attr("__match_args__") = pybind11::tuple(positions);
  bound.attr("__signature__") = signature_of<T>();
  note_signature(std::string(class_name<T>).append(".__init__"), keyword_signature<T>(Keywords::required, "None"));
  make_immutable(class_of<T>);
}

template <class T>
PyObject* reduce(PyObject* self) {
  PyObject* json = nullptr;
  if constexpr (is_event<T>) json = raw<T>(self, nullptr);
  else json = to_json<T>(self);
  if (json == nullptr || !has_place_id<T> || !detail::place_id_is_named<>)
    return json == nullptr ? nullptr : Py_BuildValue("O(ON)", values.restore, class_of<T>, json);
  return Py_BuildValue("O(ONN)", values.restore, class_of<T>, json, text_to_python(place_id_name.view()));
}

}  // namespace bankhook::python
