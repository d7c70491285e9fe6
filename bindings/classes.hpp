// SPDX-License-Identifier: MIT
// The structs that are bound as classes, in the order in which one holds the other.
#pragma once

#include "bind.hpp"
#include "library.hpp"
#include "object.hpp"
#include "values.hpp"

#include <pybind11/pybind11.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

namespace bankhook::python {

/// Spec section 2, and what a tracker's queries give back.
using Resources = std::tuple<Account, Connection, Customer, ConnectedCustomer, InitialTransaction, Membership,
                             TrackedMember, TrackedConnection, TrackedTransaction>;

/// An event has its payload as `raw` beside its fields.
template <class T>
concept EventStruct = detail::is_one_of<AnyEvent, T>;

/// Calls `f.template operator()<T>()` for each class, resources first, events last; stops where it returns false.
bool for_each_class(auto&& f) {
  return [&]<class... Parts, class... Events>(std::type_identity<std::tuple<Parts...>>,
                                              std::type_identity<std::variant<Events...>>) {
    return (f.template operator()<Parts>() && ...) && (f.template operator()<Events>() && ...);
  }(std::type_identity<Resources>(), std::type_identity<AnyEvent>());
}

/// `f.template operator()<T>()` for the struct that `cls` is bound to, and true; false for a class that is not ours.
bool with_struct(const void* cls, auto&& f) {
  return !for_each_class([&]<class T>() {
    if (cls != class_of<T>) return true;
    f.template operator()<T>();
    return false;
  });
}

/// More than any of them has bytes.
inline constexpr std::size_t max_value_size = 1024;

/// A class that stands for a struct. What need not be quick works on this, and is the same for all of them.
struct BoundClass {
  const detail::json::FieldTable& table;
  const detail::json::ValueType& value;
  bool is_event;
  bool has_place_id;
  std::span<PyObject*> names;  ///< of the fields, interned
  PyObject* indexes;           ///< of the fields, by their names: a dict
  PyObject* (*to_json)(PyObject* self);
  PyObject* (*own)(const void* value);  ///< makes an object with a copy of a value and of all that it views
  PyTypeObject* type = nullptr;

  [[nodiscard]] bool is_unknown_event() const { return &table == &detail::json::field_table<UnknownEvent>; }
  [[nodiscard]] std::string name() const { return std::string(table.name); }
};
/// In the order of `for_each_class`.
inline std::vector<BoundClass> bound_classes;

/// The last ones, those of events, in the order of AnyEvent: all but the last are listed.
inline std::span<const BoundClass> event_classes() {
  return std::span<const BoundClass>(bound_classes).last(std::variant_size_v<AnyEvent>);
}

/// The class at this address, if it is one of ours, else null.
inline const BoundClass* bound_class(const void* type) {
  const auto found = std::ranges::find(bound_classes, type, &BoundClass::type);
  return found == bound_classes.end() ? nullptr : &*found;
}
/// That of an object which is one of ours.
inline const BoundClass& class_of_object(PyObject* self) { return *bound_class(Py_TYPE(self)); }

/// What the class and its fields are, for their docstrings.
std::string class_doc(const BoundClass& cls);
std::string field_doc(const BoundClass& cls, const detail::json::FieldRow& field);
/// The class's `__signature__`, its fields as keywords, which is made when it is asked for: a docstring can state literals
/// only.
pybind11::object signature_of(const BoundClass& cls);

/// tp_new: every object is made here; `object.__new__` cannot make one.
PyObject* construct(PyTypeObject* type, PyObject* tuple, PyObject* keywords);
PyObject* replace(PyObject* self, Arguments arguments);
/// The class whose method is called with a mapping. Throws TypeError for anything else.
const BoundClass& class_for_mapping(PyObject* type, const char* method, PyObject* mapping);
/// What `to_dict` gave, as an object again.
PyObject* from_dict(PyObject* type, PyObject* mapping);
/// An unknown event is its payload: made from `raw` alone.
PyObject* make_unknown(const Arguments& arguments);

/// The payload of an event as it was received; for another object, or one that was made in Python, what `to_json` gives.
PyObject* raw_payload(PyObject* self);

// What JSON says, as json.loads gives it. For amounts, and for other numbers with a fraction or an exponent, stands what
// `number`, a function of their digits, returns; a Decimal if it is None. These throw what Python raises.

/// A resource or an event in its wire form.
pybind11::object wire_form(PyObject* object, PyObject* number);
/// Of JSON that was read, or made, by the library: nothing of it is checked.
pybind11::object json_to_python(std::string_view json, PyObject* number = reinterpret_cast<PyObject*>(&PyFloat_Type));
/// What `to_wire` gave, as an object again.
PyObject* from_wire(PyObject* type, PyObject* mapping);
/// An object of this class from its JSON: bytes, str or another buffer.
PyObject* from_json(PyObject* type, PyObject* payload);

/// `f(value)` for an object of a class whose struct `f` takes, and true; false for anything else.
template <class F>
bool visit_value(PyObject* object, F f) {
  return !for_each_class([&]<class T>() {
    if constexpr (std::is_invocable_v<F&, const T&>) {
      if (Py_TYPE(object) == class_of<T>) return f(value_of<T>(object)), false;
    }
    return true;
  });
}

}  // namespace bankhook::python
