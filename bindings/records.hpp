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

inline pybind11::object number(std::size_t value) { return checked(steal(PyLong_FromSize_t(value))); }
inline pybind11::object none() { return borrow(Py_None); }
inline pybind11::object bytes_of(std::string_view text) {
  return checked(steal(PyBytes_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()))));
}

/// An object for a text, a truth, a count, an enumerator, or one of these that may be missing: then None. Throws what
/// Python raises, as all of these do.
struct ToObject {
  template <class T>
  pybind11::object operator()(const T& value) const {
    if constexpr (std::derived_from<T, pybind11::handle>) return checked(borrow(value));
    else if constexpr (std::same_as<T, bool>) return borrow(value ? Py_True : Py_False);
    else if constexpr (Enumeration<T>) return member_of(value);
    else if constexpr (std::integral<T>) return number(static_cast<std::size_t>(value));
    else if constexpr (std::convertible_to<const T&, std::string_view>) return checked(steal(text_to_python(value)));
    else return value ? ToObject()(*value) : none();
  }
};
inline constexpr ToObject to_object;

/// A tuple of what `make` gives for each item.
template <class Items, class Make = ToObject>
pybind11::tuple tuple_of(const Items& items, Make make = {}) {
  pybind11::tuple all(std::size(items));
  Py_ssize_t i = 0;
  for (const auto& item : items) {
    if (!check_signals(static_cast<std::size_t>(i) + 1)) throw pybind11::error_already_set();
    PyTuple_SET_ITEM(all.ptr(), i++, to_object(make(item)).release().ptr());
  }
  return all;
}

/// A class of the package's plain records: its objects have their fields in slots, which are written and read here without
/// any Python on the way. Looked up once and held for good: the module is never unloaded.
class RecordClass {
 public:
  RecordClass(const char* name, std::size_t fields) : name_(name), offsets_(fields) { all().push_back(this); }

  /// Takes the classes of these names in bankhook._records, which must have as many fields; to be called before all else.
  static void find_all() {
    for (RecordClass* const record : all()) record->find();
  }

  [[nodiscard]] bool is_class_of(PyObject* object) const { return Py_TYPE(object) == type_; }

  /// A record of objects for these items, in the order of the fields.
  template <class... Items>
  [[nodiscard]] pybind11::object make(const Items&... items) const {
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
  static std::vector<RecordClass*>& all() {
    static std::vector<RecordClass*> classes;
    return classes;
  }
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

  const char* name_;
  PyTypeObject* type_ = nullptr;
  std::vector<Py_ssize_t> offsets_;
};

}  // namespace bankhook::python
