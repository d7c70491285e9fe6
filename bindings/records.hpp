// SPDX-License-Identifier: MIT
// The package's plain records made from here: findings, outcomes, deliveries and the like.
#pragma once

#include "values.hpp"

#include <pybind11/pybind11.h>
#include <structmember.h>

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace bankhook::python {

/// Throws the Python error that is set.
inline pybind11::object checked(pybind11::object object) {
  if (!object) throw pybind11::error_already_set();
  return object;
}

/// A class of the package's Python side, looked up once and held for good: the module is never unloaded.
inline PyTypeObject* record_class(const char* module, const char* name) {
  return reinterpret_cast<PyTypeObject*>(
      pybind11::module_::import(module).attr(name).cast<pybind11::object>().release().ptr());
}

/// A class of the package's plain records: its objects have their fields in slots, which are written and read here without
/// any Python on the way. Looked up once and held for good. What fails throws what Python raises.
template <std::size_t fields>
class RecordClass {
 public:
  /// Takes the class of this name in bankhook._records, which must have as many fields; to be called before all else.
  void find(const char* name) {
    type_ = record_class("bankhook._records", name);
    const pybind11::handle type(reinterpret_cast<PyObject*>(type_));
    const pybind11::tuple names(type.attr("__match_args__"));
    for (std::size_t i = 0; i < fields && names.size() == fields; ++i) {
      const pybind11::object field = type.attr(pybind11::object(names[i]));
      if (PyObject_TypeCheck(field.ptr(), &PyMemberDescr_Type) == 0) break;
      offsets_[i] = reinterpret_cast<PyMemberDescrObject*>(field.ptr())->d_member->offset;
    }
    if (offsets_.back() != 0) return;
    PyErr_Format(PyExc_ImportError, "bankhook was installed over another version: %s", name);
    throw pybind11::error_already_set();
  }

  [[nodiscard]] bool is_class_of(PyObject* object) const { return Py_TYPE(object) == type_; }

  /// A record of these items, which it takes over, in the order of the fields.
  template <class... Items>
  [[nodiscard]] pybind11::object make(Items... items) const {
    static_assert(sizeof...(Items) == fields, "a_record_is_made_of_all_its_fields");
    const pybind11::object record = checked(steal(type_->tp_alloc(type_, 0)));
    std::size_t field = 0;
    ((slot(record.ptr(), field++) = checked(std::move(items)).release().ptr()), ...);
    return record;
  }

  /// A field of a record, borrowed. AttributeError for one that was made without its fields.
  [[nodiscard]] PyObject* get(PyObject* record, std::size_t field) const {
    if (PyObject* const value = slot(record, field); value != nullptr) return value;
    PyErr_Format(PyExc_AttributeError, "%s: a field is missing", type_->tp_name);
    throw pybind11::error_already_set();
  }

 private:
  [[nodiscard]] PyObject*& slot(PyObject* record, std::size_t field) const {
    return *reinterpret_cast<PyObject**>(reinterpret_cast<char*>(record) + offsets_[field]);
  }

  PyTypeObject* type_ = nullptr;
  std::array<Py_ssize_t, fields> offsets_{};
};

/// A tuple of `size` objects; `make(i)` gives each of them, or throws.
template <class Make>
pybind11::tuple tuple_of(std::size_t size, Make make) {
  pybind11::tuple all(size);
  for (std::size_t i = 0; i < size; ++i) {
    pybind11::object item = checked(make(i));
    PyTuple_SET_ITEM(all.ptr(), static_cast<Py_ssize_t>(i), item.release().ptr());
  }
  return all;
}

inline pybind11::object number(std::size_t value) { return checked(steal(PyLong_FromSize_t(value))); }
inline pybind11::object truth(bool value) {
  return pybind11::reinterpret_borrow<pybind11::object>(value ? Py_True : Py_False);
}
inline pybind11::object none() { return pybind11::reinterpret_borrow<pybind11::object>(Py_None); }
inline pybind11::object bytes_of(std::string_view text) {
  return checked(steal(PyBytes_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()))));
}

}  // namespace bankhook::python
