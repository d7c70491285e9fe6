// SPDX-License-Identifier: MIT
// One template makes a Python class of a reflected struct: descriptors and methods derived from its members.
#pragma once

// The class stays a pybind11 type and passes as `const T&` into any bound function; no access goes through pybind11.

#include "classes.hpp"
#include "dicts.hpp"
#include "docstrings.hpp"
#include "guarded.hpp"
#include "library.hpp"
#include "methods.hpp"
#include "show.hpp"

#include <pybind11/pybind11.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace bankhook::python {

/// `restore(cls, json)` or `restore(cls, json, name)`: what a pickle calls. The name is that of the place field, if one was
/// given and `T` has the field: in the process that reads the pickle, the field may have another name.
template <class T>
PyObject* reduce(PyObject* self, PyObject*);

/// The descriptors of `T`: its members and, for events, `raw`.
template <class T>
PyGetSetDef* descriptors() {
  static std::array<std::string, reflect::member_count<T>> names;
  static std::array<std::string, reflect::member_count<T>> docs;
  static std::array<PyGetSetDef, reflect::member_count<T> + 2> table{};
  reflect::for_each_member<T>([&]<std::size_t I>() {
    names[I] = member_names<T>[I];
    docs[I] = member_doc<T, I>();
    table[I] = {names[I].c_str(), guarded<get_member<T, I>>, nullptr, docs[I].c_str(), nullptr};
    return true;
  });
  if constexpr (is_event<T> && !std::is_same_v<T, UnknownEvent>)
    table[reflect::member_count<T>] = {"raw", guarded<raw<T>>, nullptr, raw_doc, nullptr};
  return table.data();
}

/// A function with keywords, as the table of methods takes it.
template <PyCFunctionWithKeywords function>
PyCFunction with_keywords() {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

template <class T>
PyMethodDef* methods() {
  constexpr int keywords = METH_VARARGS | METH_KEYWORDS;
  constexpr PyCFunctionWithKeywords replace_guarded = guarded<replace<T>>;
  constexpr PyCFunctionWithKeywords to_dict_guarded = guarded<to_dict<T>>;
  constexpr PyCFunctionWithKeywords from_dict_guarded = guarded<from_dict<T>>;
  static std::array<PyMethodDef, 11> table{{
      {"replace", with_keywords<replace_guarded>(), keywords,
       "replace($self, /, **changes)\n--\n\nA new object with these members changed; `copy.replace` calls it, too."},
      {"__replace__", with_keywords<replace_guarded>(), keywords,
       "__replace__($self, /, **changes)\n--\n\nFor `copy.replace`."},
      {"to_json", guarded<to_json<T>>, METH_NOARGS,
       "to_json($self, /)\n--\n\nThe object as minified JSON, members in the specification's order."},
      {"to_dict", with_keywords<to_dict_guarded>(), keywords,
       "to_dict($self, /, *, json=False, number=None)\n--\n\n"
       "The members by name, resources as dicts, tuples as lists; absent ones are left out.\n\n"
       "json=True gives what json.loads makes of the JSON: names on the wire, dates as text, amounts as int or float. An\n"
       "amount that no float holds is a Decimal, which json.dumps refuses rather than rounds. `number` makes another "
       "thing\n"
       "of the digits of each amount with a fraction: Decimal keeps 19.90 as written."},
      {"from_dict", with_keywords<from_dict_guarded>(), keywords | METH_CLASS,
       "from_dict($type, mapping, /, *, json=False)\n--\n\n"
       "An object from what `to_dict` gives; what lies in it may be an object or a mapping.\n\n"
       "Names and values are those of the constructor, and a TypeError or ValueError names the member by its path. With\n"
       "json=True they are those of the wire: read as JSON is, unlisted members skipped; ParseError where they are wrong."},
      {"__copy__", itself, METH_NOARGS, "__copy__($self, /)\n--\n\nThe object itself: it never changes."},
      {"__deepcopy__", itself, METH_O, "__deepcopy__($self, memo, /)\n--\n\nThe object itself: it never changes."},
      {"__reduce__", guarded<reduce<T>>, METH_NOARGS, "__reduce__($self, /)\n--\n\nThe class and the JSON."},
      {"_repr_html_", guarded<show>, METH_NOARGS,
       "_repr_html_($self, /)\n--\n\nA folding tree of the members in the specification's order, for notebooks."},
      {"_repr_pretty_", guarded<print>, METH_VARARGS,
       "_repr_pretty_($self, printer, cycle, /)\n--\n\nThe repr for IPython, shortened where it is long."},
      {},
  }};
  return table.data();
}

/// tp_init: the object is complete when it is made, and calling `__init__` again changes nothing.
inline int initialise_nothing(PyObject*, PyObject*, PyObject*) { return 0; }

/// Where pybind11 would install its own ways: what is called without it.
template <class T>
void set_slots(PyHeapTypeObject* heap_type) {
  PyTypeObject& type = heap_type->ht_type;
  type.tp_new = guarded<construct<T>>;
  type.tp_init = initialise_nothing;
  type.tp_dealloc = destroy_instance;
  type.tp_getset = descriptors<T>();
  type.tp_methods = methods<T>();
  type.tp_getattro = guarded<get_attribute<T>>;
  type.tp_repr = guarded<represent<T>>;
  type.tp_hash = hash<T>;
  type.tp_richcompare = compare<T>;
}

/// `Account(*, id, account_hash)` and the doc, as CPython's own types write it: `inspect.signature` reads it.
template <class T>
std::string doc_with_signature(std::string_view doc) {
  std::string text(class_name<T>);
  text += "(*";
  reflect::for_each_member<T>([&]<std::size_t I>() {
    using Member = reflect::MemberType<T, I>;
    text.append(", ").append(member_names<T>[I]);
    if constexpr (is_type_tag<Member>) text.append("='").append(Member::text()).append("'");
    else if constexpr (!is_required<T, I>) text += "=...";  // CPython reads literals only
    return true;
  });
  return text.append(")\n--\n\n").append(doc);
}

/// Binds `T` under its own name.
template <class T>
void register_class(pybind11::module_& module) {
  intern_member_names<T>();
  const std::string full_doc = doc_with_signature<T>(class_doc<T>());
  const pybind11::class_<T> bound(module, std::string(class_name<T>).c_str(), full_doc.c_str(), pybind11::is_final(),
                                  pybind11::custom_type_setup(set_slots<T>));
  pybind11::list positions;
  reflect::for_each_member<T>([&]<std::size_t I>() {
    if constexpr (!is_type_tag<reflect::MemberType<T, I>>) positions.append(pybind11::handle(member_name_objects<T>[I]));
    return true;
  });
  bound.attr("__match_args__") = pybind11::tuple(positions);
  make_immutable(bound);
  class_of<T> = reinterpret_cast<PyTypeObject*>(bound.inc_ref().ptr());
}

template <class T>
PyObject* reduce(PyObject* self, PyObject*) {
  PyObject* json = nullptr;
  if constexpr (is_event<T>) json = raw<T>(self, nullptr);
  else json = to_json<T>(self, nullptr);
  if (json == nullptr || !has_place_id<T> || !detail::place_id_is_named<>)
    return json == nullptr ? nullptr : Py_BuildValue("O(ON)", values.restore, class_of<T>, json);
  return Py_BuildValue("O(ONN)", values.restore, class_of<T>, json, text_to_python(place_id_name.view()));
}

}  // namespace bankhook::python
