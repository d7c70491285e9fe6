// SPDX-License-Identifier: MIT
// Objects from Python's values, as strictly as the reader takes JSON: by keywords, by changed fields, or from mappings.
#include "bind.hpp"
#include "classes.hpp"
#include "object.hpp"
#include "python_types.hpp"
#include "unlocked.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>

namespace bankhook::python {
namespace {

using detail::json::ValueType;

/// What is made at a place, for messages: the resource there or, where that is no field, an object.
BANKHOOK_COLD std::string target(const BoundClass& cls, const Place& place) {
  if (!place.field.empty()) return place.name();
  return cls.name() + (place.takes_mappings ? ".from_dict()" : "()");
}

/// TypeError for a name that is not known.
[[noreturn]] void refuse_field(const BoundClass& cls, PyObject* name, PyObject* dict, const Place& place) {
  if (!place.takes_mappings) refuse_keywords(cls.table.name, dict, tuple_of(cls.names, borrow));
  fail(PyExc_TypeError, "%s got an unexpected field %.80R", target(cls, place).c_str(), name);
}

/// TypeError with the names of the fields that are required and were not `seen`, a bit each.
void check_all_given(const BoundClass& cls, std::uint32_t seen, const Place& place) {
  std::string missing;
  for (const detail::json::FieldRow& field : cls.table.fields) {
    if ((seen & 1) == 0 && !field.may_be_absent() && field.type->kind != Kind::tag)
      missing.append(missing.empty() ? "" : ", ").append(field.name);
    seen >>= 1;
  }
  if (!missing.empty())
    fail(PyExc_TypeError, "%s misses required %s: %s", target(cls, place).c_str(),
         place.takes_mappings ? "fields" : "keyword arguments", missing.c_str());
}

/// Sets the fields that a dict names (null: none), which are all that are required or, for a change, any. It holds keywords
/// or, at a place that takes mappings, is one.
void set_fields(const BoundClass& cls, void* out, PyObject* dict, const Place& place, bool is_change = false) {
  PyObject *name = nullptr, *value = nullptr;
  std::uint32_t seen = 0;
  for (Py_ssize_t at = 0; dict != nullptr && PyDict_Next(dict, &at, &name, &value) != 0;) {
    PyObject* const index = PyUnicode_Check(name) ? PyDict_GetItemWithError(cls.indexes, name) : nullptr;
    if (PyErr_Occurred() != nullptr) throw pybind11::error_already_set();  // by what hashes or compares a kind of str
    if (index == nullptr) refuse_field(cls, name, dict, place);
    const detail::json::FieldRow& field = cls.table.fields[PyLong_AsSize_t(index)];
    seen |= std::uint32_t{1} << PyLong_AsSize_t(index);
    value_from_python(value, *field.type, field.of(out),
                      {cls.table.name, field.name, place.arena, place.kept, place.takes_mappings,
                       place.field.empty() ? nullptr : &place});
  }
  if (!is_change) check_all_given(cls, seen, place);
}

void array_from_python(PyObject* object, const ValueType& type, void* out, const Place& place) {
  if (!PyTuple_Check(object) && !PyList_Check(object)) refuse_type(place, "tuple or list", object);
  PyObject* const tuple = kept_tuple(object, *place.kept);
  const auto count = static_cast<std::size_t>(PyTuple_GET_SIZE(tuple));
  auto* const items = static_cast<std::byte*>(place.arena->allocate(count * type.inner->size, alignof(std::max_align_t)));
  if (items == nullptr) throw std::bad_alloc();
  for (std::size_t i = 0; i < count; ++i) {
    Place item = place;
    item.index = static_cast<std::ptrdiff_t>(i);
    check_signals(i + 1);
    type.inner->make(items + i * type.inner->size);
    value_from_python(PyTuple_GET_ITEM(tuple, static_cast<Py_ssize_t>(i)), *type.inner, items + i * type.inner->size, item);
  }
  type.view(out, items, count);
}

void resource_from_python(PyObject* object, const ValueType& type, void* out, const Place& place) {
  const BoundClass& cls = *std::ranges::find(bound_classes, type.table, [](const auto& each) { return &each.table; });
  if (Py_TYPE(object) == cls.type) std::memcpy(out, address_in(object), type.size);
  else if (place.takes_mappings && is_mapping(object)) set_fields(cls, out, kept_dict(object, *place.kept), place);
  else refuse_type(place, (cls.name() + (place.takes_mappings ? " or mapping" : "")).c_str(), object);
}

/// An object with the fields that `dict` names: a mapping's or keywords. With the value `before`, all are optional.
PyObject* made(const BoundClass& cls, PyObject* dict, bool is_mapping, const void* before = nullptr) {
  Arena arena;
  Owners kept;
  alignas(std::max_align_t) std::byte value[max_value_size];
  if (before == nullptr) cls.value.make(value);
  else std::memcpy(value, before, cls.value.size);
  set_fields(cls, value, dict, {cls.table.name, {}, &arena, &kept, is_mapping}, before != nullptr);
  return cls.own(value);
}

/// TypeError for positional arguments.
void need_keywords(const Arguments& arguments, const BoundClass& cls) {
  if (PyTuple_GET_SIZE(arguments.tuple) != 0)
    fail(PyExc_TypeError, "%s() takes keyword arguments only", cls.name().c_str());
}

}  // namespace

void value_from_python(PyObject* object, const ValueType& type, void* out, const Place& place) {
  if (type.is_optional()) {
    if (object == (type.kind == Kind::nullable ? Py_None : values.absent)) type.make(out);
    else value_from_python(object, *type.inner, type.emplace(out), place);
  } else if (type.kind == Kind::array) array_from_python(object, type, out, place);
  else if (type.kind == Kind::object) resource_from_python(object, type, out, place);
  else plain_from_python(object, type, out, place);
}

PyObject* construct(PyTypeObject* type, PyObject* tuple, PyObject* keywords) {
  const BoundClass& cls = *bound_class(type);
  const Arguments arguments{tuple, keywords};
  need_keywords(arguments, cls);
  return cls.is_unknown_event() ? make_unknown(arguments) : made(cls, keywords, false);
}

PyObject* replace(PyObject* self, Arguments arguments) {
  const BoundClass& cls = class_of_object(self);
  need_keywords(arguments, cls);
  if (!cls.is_unknown_event()) {
    PyObject* const changed = made(cls, arguments.keywords, false, address_in(self));
    if (!cls.is_event || changed == nullptr) return changed;
    block_of(changed).remember_replaced(block_of(self).to_write_over(address_in(self)));
    if (PyErr_Occurred() == nullptr) return changed;
    Py_DECREF(changed);  // without memory for the payload
    return nullptr;
  }
  const bool has_changes = arguments.keywords != nullptr && PyDict_GET_SIZE(arguments.keywords) != 0;
  return has_changes ? make_unknown(arguments) : Py_NewRef(self);
}

const BoundClass& class_for_mapping(PyObject* type, const char* method, PyObject* mapping) {
  const BoundClass& cls = *bound_class(type);
  if (is_mapping(mapping)) return cls;
  fail(PyExc_TypeError, "%s.%s() expects a mapping, found %s", cls.name().c_str(), method, Py_TYPE(mapping)->tp_name);
}

PyObject* from_dict(PyObject* type, PyObject* mapping) {
  const BoundClass& cls = class_for_mapping(type, "from_dict", mapping);
  Owners kept;
  PyObject* const dict = kept_dict(mapping, kept);
  return cls.is_unknown_event() ? make_unknown({pybind11::tuple().ptr(), dict}) : made(cls, dict, true);
}

}  // namespace bankhook::python
