// SPDX-License-Identifier: MIT
// The classes of the reflected structs (spec sections 2 and 6, and what a tracker's queries return): what their objects do.
#include "bind.hpp"
#include "classes.hpp"
#include "python_types.hpp"
#include "records.hpp"

#include <cstddef>
#include <deque>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace bankhook::python {
namespace {

/// Where JSON is written before it is copied into bytes, whose size has to be known: memory that is kept from call to call,
/// so that it mostly is large enough at once. One is enough: it is used under the interpreter's lock, and no Python runs
/// meanwhile.
std::string shared_text;
constexpr std::size_t most_kept = 1 << 20;

/// What `write(std::string&)` appends.
PyObject* written(auto write) {
  shared_text.clear();
  write(shared_text);
  PyObject* const bytes = PyBytes_FromStringAndSize(shared_text.data(), static_cast<Py_ssize_t>(shared_text.size()));
  if (shared_text.capacity() > most_kept) [[unlikely]]
    shared_text = std::string();
  return bytes;
}

template <class T>
PyObject* to_json(PyObject* self) {
  if constexpr (EventStruct<T>) {
    if (block_of(self).is_canonical(address_in(self))) return block_of(self).raw_of(address_in(self));
  }
  return written([self](std::string& out) { serialize_to(value_of<T>(self), out); });
}

/// `to_json(over=True)`.
template <class T>
pybind11::object to_json_over(PyObject* self) {
  pybind11::object payload;
  if constexpr (EventStruct<T>) {
    payload = steal(block_of(self).to_write_over(address_in(self)));
    if (!payload && PyErr_Occurred() != nullptr) throw pybind11::error_already_set();
  }
  if (!payload) {
    fail(PyExc_ValueError, "%s.to_json: expected an event that was parsed, or made of one by replace, for over=True",
         std::string(detail::reflect::type_name<T>).c_str());
  }
  return checked(steal(written([&](std::string& out) {
    if (!serialize_over(value_of<T>(self), text_of(payload), out)) throw std::bad_alloc();  // it was read before
  })));
}

/// `to_json(self, /, *, over=False)`
template <class T>
PyObject* to_json_called(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  if (names == nullptr && count == 0) [[likely]]
    return to_json<T>(self);
  if (count != 0) fail(PyExc_TypeError, "to_json() takes keyword arguments only");
  if (PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(names, 0), "over") != 0 || PyTuple_GET_SIZE(names) != 1)
    refuse_keywords("to_json", names, pybind11::make_tuple("over"));
  const int over = PyObject_IsTrue(arguments[0]);
  if (over < 0) return nullptr;
  return over != 0 ? to_json_over<T>(self).release().ptr() : to_json<T>(self);
}

/// Field `I` of `self`.
template <class T, std::size_t I>
PyObject* get_field(PyObject* self) {
  if constexpr (std::is_same_v<T, UnknownEvent> && I == 1) return raw_payload(self);
  else return to_python(detail::reflect::field<I>(value_of<T>(self)), block_of(self));
}

/// tp_getattro: a program's text names fields by interned strings, so a field is found by the address of its name, in a
/// third of the time that the way through the type and its descriptors takes. All else goes that way.
template <class T>
PyObject* get_attribute(PyObject* self, PyObject* name) {
  PyObject* value = nullptr;
  const bool is_another = detail::reflect::for_each_field<T>([&]<std::size_t I>() {
    if (name != field_name_objects<T>[I]) return true;
    value = get_field<T, I>(self);
    return false;
  });
  return is_another ? PyObject_GenericGetAttr(self, name) : value;
}

template <class T>
PyObject* compare(PyObject* self, PyObject* other, int operation) {
  if ((operation != Py_EQ && operation != Py_NE) || Py_TYPE(other) != class_of<T>) Py_RETURN_NOTIMPLEMENTED;
  return PyBool_FromLong(detail::reflect::equal(value_of<T>(self), value_of<T>(other)) == (operation == Py_EQ));
}

template <class T>
Py_hash_t hash(PyObject* self) {
  const auto value = static_cast<Py_hash_t>(detail::reflect::hash(value_of<T>(self)));
  return value == -1 ? -2 : value;  // -1 means an error to Python
}

/// The getter of a property: its closure is the field's name, as `get_attribute` knows it.
PyObject* get_named(PyObject* self, void* name) { return PyObject_GetAttr(self, static_cast<PyObject*>(name)); }

/// `Account(id='acc-1', account_hash=None)`
PyObject* represent(PyObject* self) { return PyObject_CallOneArg(values.represent, self); }

/// Values that do not change need no copy.
PyObject* itself(PyObject* self) { return Py_NewRef(self); }

/// `restore(cls, json)` or `restore(cls, json, name)`: what a pickle calls. The name is that of the place field, if one was
/// given and the class has the field: in the process that reads the pickle, the field may have another name.
PyObject* reduce(PyObject* self) {
  const BoundClass& cls = class_of_object(self);
  PyObject* const json = cls.is_event ? raw_payload(self) : cls.to_json(self);
  if (json == nullptr || !cls.has_place_id || !detail::place_id_is_named<>)
    return json == nullptr ? nullptr : Py_BuildValue("O(ON)", values.restore, cls.type, json);
  return Py_BuildValue("O(ONN)", values.restore, cls.type, json, text_to_python(place_id_name.view()));
}

/// A field in a dict: resources are dicts without what is absent, arrays lists.
template <class T>
pybind11::object in_dict(const T& value) {
  if constexpr (detail::reflect::OptionalValue<T>) return value ? in_dict(*value) : borrow(missing<T>());
  else if constexpr (detail::reflect::Array<T>)
    return pybind11::list(tuple_of(value, [](const auto& item) { return in_dict(item); }));
  else if constexpr (detail::reflect::Structure<T>) {
    pybind11::dict dict;
    detail::reflect::for_each_field<T>([&]<std::size_t I>() {
      const pybind11::object field = in_dict(detail::reflect::field<I>(value));
      if (field.ptr() != values.absent && PyDict_SetItem(dict.ptr(), field_name_objects<T>[I], field.ptr()) != 0)
        throw pybind11::error_already_set();
      return true;
    });
    return dict;
  } else return checked(steal(value_to_python(value)));
}

template <class T>
pybind11::object to_dict(PyObject* self) {
  const pybind11::object dict = in_dict(value_of<T>(self));
  if constexpr (std::is_same_v<T, UnknownEvent>) dict["raw"] = checked(steal(raw_payload(self)));
  return dict;
}

pybind11::object to_wire(PyObject* self, Arguments arguments) {
  PyObject* number = Py_None;
  arguments.take("|$O:to_wire", {"number"}, &number);
  if (number != Py_None && PyCallable_Check(number) == 0) refuse_argument("number", "a function of digits", number);
  return wire_form(self, number);
}

pybind11::object is_in_error(PyObject* self) { return to_object(value_of<TrackedConnection>(self).is_in_error()); }

/// Makes the class; `slots`, `to_json` and `to_dict` are its quick parts.
BANKHOOK_COLD PyTypeObject* make_bound_class(pybind11::module_& module, const BoundClass& cls,
                                             std::vector<PyType_Slot> slots, PyMethodDef to_json, PyMethodDef to_dict) {
  static std::deque<std::string> docs;  // kept for good
  std::vector<PyGetSetDef> properties;
  pybind11::list positions;
  for (std::size_t i = 0; i < cls.names.size(); ++i) {
    const detail::json::FieldRow& field = cls.table.fields[i];
    cls.names[i] = checked(steal(PyUnicode_InternFromString(std::string(field.name).c_str()))).release().ptr();
    if (PyDict_SetItem(cls.indexes, cls.names[i], number(i).ptr()) != 0) throw pybind11::error_already_set();
    const char* const doc = docs.emplace_back(field_doc(cls, field)).c_str();
    properties.push_back({PyUnicode_AsUTF8(cls.names[i]), get_named, nullptr, doc, cls.names[i]});
    if (field.type->kind != Kind::tag) positions.append(pybind11::handle(cls.names[i]));
  }
  if (cls.is_event && !cls.is_unknown_event())
    properties.push_back(property<raw_payload>(
        "raw", "The payload as it was received (spec 6).\n\nbytes: of an event made in Python, what `to_json` gives."));
  if (cls.table.name == detail::reflect::type_name<TrackedConnection>)
    properties.push_back(property<is_in_error>(
        "is_in_error", "Whether the service cannot read from it (spec 2.2).\n\nbool: it has an error code or a message."));
  pybind11::dict attributes;
  attributes["__match_args__"] = pybind11::tuple(positions);
  attributes["__signature__"] = signature_of(cls);
  const char* const doc = docs.emplace_back(class_doc(cls)).c_str();
  slots.insert(slots.end(), {slot(Py_tp_new, guarded<construct>),
                             slot(Py_tp_dealloc, destroy<release_block>),
                             slot(Py_tp_repr, represent),
                             {Py_tp_doc, const_cast<char*>(doc)}});
  return make_class(
      module, cls.table.name,
      {.size = sizeof(View),
       .slots = std::move(slots),
       .methods = {to_json, method<replace>("replace"), method<replace>("__replace__"), method<from_json>("from_json"),
                   to_dict, method<from_dict>("from_dict"), method<to_wire>("to_wire"), method<from_wire>("from_wire"),
                   method<itself>("__copy__"), method<of_self<itself, PyObject>>("__deepcopy__"),
                   method<reduce>("__reduce__"), method<asked<"html">>("_repr_html_"),
                   method<asked<"pretty">>("_repr_pretty_"), method<asked<"named_values">>("__rich_repr__")},
       .properties = std::move(properties),
       .attributes = attributes,
       .is_value = true});
}

/// Binds `T` under its own name.
template <class T>
void register_class(pybind11::module_& module) {
  static_assert(!detail::reflect::meaning<T>.empty(), "a class says what it is");
  static_assert(sizeof(T) <= max_value_size, "a value is made in memory of this size");
  constexpr auto own = [](const void* value) { return make_owned(*static_cast<const T*>(value)); };
  BoundClass& cls =
      bound_classes.emplace_back(detail::json::field_table<T>, detail::json::value_type<T>, EventStruct<T>, has_place_id<T>,
                                 field_name_objects<T>, pybind11::dict().release().ptr(), to_json<T>, own);
  cls.type = class_of<T> = make_bound_class(
      module, cls,
      {slot(Py_tp_getattro, guarded<get_attribute<T>>), slot(Py_tp_hash, hash<T>), slot(Py_tp_richcompare, compare<T>)},
      method<to_json_called<T>>("to_json"), method<to_dict<T>>("to_dict"));
}

pybind11::handle type_object(const BoundClass& cls) { return reinterpret_cast<PyObject*>(cls.type); }

}  // namespace

PyObject* raw_payload(PyObject* self) {
  PyObject* const payload = block_of(self).raw_of(address_in(self));
  return payload != nullptr || PyErr_Occurred() != nullptr ? payload : class_of_object(self).to_json(self);
}

void register_classes(pybind11::module_& module) {
  for_each_class([&]<class T>() { return register_class<T>(module), true; });
  module.attr("AnyEvent") =
      pybind11::module_::import("functools")
          .attr("reduce")(pybind11::module_::import("operator").attr("or_"), tuple_of(event_classes(), type_object));
  module.attr("_classes") = tuple_of(bound_classes, type_object);
}

}  // namespace bankhook::python
