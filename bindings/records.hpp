// SPDX-License-Identifier: MIT
// The package's plain records made from here: findings, outcomes, deliveries and the like.
#pragma once

#include "python_types.hpp"
#include "unlocked.hpp"
#include "values.hpp"

#include <pybind11/pybind11.h>
#include <structmember.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

namespace bankhook::python {

/// A class of the package's plain records: its objects have their fields in slots, which are written and read here without
/// any Python on the way. Looked up once and held for good: the module is never unloaded.
class RecordClass {
 public:
  RecordClass(const char* name, std::size_t fields) : name_(name), offsets_(fields) { all_.push_back(this); }

  /// Takes the classes of these names in bankhook._records, which must have as many fields; to be called before all else.
  static void find_all() {
    for (RecordClass* const record : all_) record->find();
  }

  [[nodiscard]] bool is_class_of(PyObject* object) const { return Py_TYPE(object) == type_; }

  /// A record of objects for these items, in the order of the fields.
  [[nodiscard]] pybind11::object make(const auto&... items) const {
    pybind11::object record = checked(steal(type_->tp_alloc(type_, 0)));
    std::size_t field = 0;
    ((slot(record.ptr(), field++) = to_object(items).release().ptr()), ...);
    return record;
  }

  /// A field of a record, borrowed. AttributeError for one that was made without its fields.
  [[nodiscard]] PyObject* get(PyObject* record, std::size_t field) const {
    if (PyObject* const value = slot(record, field); value != nullptr) return value;
    fail(PyExc_AttributeError, "%s: a field is missing", type_->tp_name);
  }

 private:
  void find() {
    const pybind11::object type = pybind11::module_::import("bankhook._records").attr(name_);
    type_ = reinterpret_cast<PyTypeObject*>(pybind11::object(type).release().ptr());
    const pybind11::tuple names(type.attr("__match_args__"));
    for (std::size_t i = 0; i < offsets_.size() && names.size() == offsets_.size(); ++i) {
      const pybind11::object field = type.attr(pybind11::object(names[i]));
      if (PyObject_TypeCheck(field.ptr(), &PyMemberDescr_Type) == 0) break;
      offsets_[i] = reinterpret_cast<PyMemberDescrObject*>(field.ptr())->d_member->offset;
    }
    if (offsets_.back() != 0) return;
    fail(PyExc_ImportError, "bankhook was installed over another version: %s", name_);
  }
  [[nodiscard]] PyObject*& slot(PyObject* record, std::size_t field) const {
    return *reinterpret_cast<PyObject**>(reinterpret_cast<char*>(record) + offsets_[field]);
  }

  static inline constinit std::vector<RecordClass*> all_;
  const char* name_;
  PyTypeObject* type_ = nullptr;
  std::vector<Py_ssize_t> offsets_;
};

/// Throws the error of this name among the package's records, with these arguments.
[[noreturn]] void throw_as_python(const char* name, const auto&... parts) {
  const pybind11::object error = pybind11::module_::import("bankhook._records").attr(name)(to_object(parts)...);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
  throw pybind11::error_already_set();
}

}  // namespace bankhook::python
