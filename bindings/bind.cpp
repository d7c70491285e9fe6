// SPDX-License-Identifier: MIT
// Functions and classes made of rows, with the docstrings of the stub; errors for names that are not known.
#include "bind.hpp"

#include "bound.hpp"
#include "python_types.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <span>
#include <string>
#include <tuple>

namespace bankhook::python {
namespace {

struct Said {
  std::string_view name;
  int flags;  ///< METH_CLASS or METH_STATIC
  const char* text;
};
constexpr Said all_said[] = {
#include "docstrings.inc"
};

const Said& said_of(std::string_view name) {
  const auto found = std::ranges::find(all_said, name, &Said::name);
  if (found != std::end(all_said)) return *found;
  fail(PyExc_ImportError, "%s is not in the stub", std::string(name).c_str());
}

/// tp_init: an object is complete when it is made, and calling `__init__` again changes nothing.
int initialise_nothing(PyObject*, PyObject*, PyObject*) { return 0; }

/// The table of these rows, which lives on, with an empty one at its end.
template <class Row>
Row* table_of(std::vector<Row> rows) {
  rows.push_back({});
  return (new std::vector<Row>(std::move(rows)))->data();
}

}  // namespace

PyObject* raise_caught() {
  try {
    throw;
  } catch (pybind11::error_already_set& raised) {
    raised.restore();
  } catch (const std::exception&) {  // std::bad_alloc, and std::length_error for a text larger than the address space
    PyErr_NoMemory();
  }
  return nullptr;
}

const char* docstring(std::string_view name) { return said_of(name).text; }

void add_functions(pybind11::module_& module, std::vector<PyMethodDef> rows) {
  for (PyMethodDef* row = table_of(std::move(rows)); row->ml_name != nullptr; ++row) {
    row->ml_doc = docstring(row->ml_name);
    const pybind11::object home = to_object(module_of(row->ml_name));
    module.attr(row->ml_name) = checked(steal(PyCFunction_NewEx(row, module.ptr(), home.ptr())));
  }
}

std::string_view module_of(std::string_view name) {
  if (name.starts_with('_')) return "bankhook._core";
  const auto found = std::ranges::find(all_said, "module of " + std::string(name), &Said::name);
  return found == std::end(all_said) ? "bankhook.types" : found->text;
}

PyMethodDef* methods_of(const std::string& name, std::vector<PyMethodDef> rows) {
  for (auto& row : rows) {
    const Said& said = said_of(name + '.' + row.ml_name);
    row.ml_doc = said.text;
    row.ml_flags |= said.flags;
  }
  return table_of(std::move(rows));
}

PyTypeObject* make_class(pybind11::module_& module, std::string_view name, ClassParts parts) {
  const std::string said_as(parts.is_value ? "_Value" : name);
  for (auto& row : parts.properties) {
    if (row.doc == nullptr) row.doc = docstring(said_as + '.' + row.name);
  }
  parts.members.push_back({"__weaklistoffset__", T_PYSSIZET, offsetof(Head, weak_references), READONLY, nullptr});
  const auto has = [&](int id) { return std::ranges::find(parts.slots, id, &PyType_Slot::slot) != parts.slots.end(); };
  if (has(Py_tp_new)) parts.slots.push_back(slot(Py_tp_init, initialise_nothing));
  else parts.flags |= Py_TPFLAGS_DISALLOW_INSTANTIATION;
  if (!has(Py_tp_doc)) parts.slots.push_back({Py_tp_doc, const_cast<char*>(docstring(name))});
  parts.slots.push_back({Py_tp_methods, methods_of(said_as, std::move(parts.methods))});
  parts.slots.push_back({Py_tp_getset, table_of(std::move(parts.properties))});
  parts.slots.push_back({Py_tp_members, table_of(std::move(parts.members))});
  parts.slots.push_back({});
  const std::string full_name = std::string(module_of(name)) + '.' + std::string(name);
  PyType_Spec spec = {
      .name = full_name.c_str(),
      .basicsize = static_cast<int>(parts.size),
      .itemsize = 0,
      .flags = static_cast<unsigned>(Py_TPFLAGS_DEFAULT | parts.flags),
      .slots = parts.slots.data(),
  };
  const pybind11::object made = checked(steal(PyType_FromSpec(&spec)));
  for (const auto& [attribute, value] : parts.attributes) made.attr(borrow(attribute)) = value;
  auto* const type = reinterpret_cast<PyTypeObject*>(pybind11::object(made).release().ptr());
  type->tp_flags |= Py_TPFLAGS_IMMUTABLETYPE;
  PyType_Modified(type);
  module.attr(std::string(name).c_str()) = made;
  return type;
}

// Names that are not known are compared by Python's difflib, which is loaded for an error only.

void refuse_keywords(std::string_view function, PyObject* given, const pybind11::object& known) {
  pybind11::module_::import("bankhook._records.closest")
      .attr("refuse_keywords")(to_object(function), pybind11::handle(given), known);
}

/// Throws what is set, or for a keyword that is not among the names the error that says so.
void Arguments::refuse(std::string_view format, const std::vector<const char*>& names) const {
  const pybind11::error_already_set raised;
  if (keywords != nullptr && raised.matches(PyExc_TypeError))
    refuse_keywords(format.substr(format.find(':') + 1), keywords, tuple_of(names));
  throw raised;
}

Signature::Signature(std::string_view text, std::size_t count, bool has_object)
    : function_(text.substr(0, text.find('('))), objects_(has_object ? 1 : 0) {
  const std::string_view listed = text.substr(std::min(function_.size() + 1, text.size()));
  const std::size_t taken = count - objects_;
  std::size_t only_positional = 0;
  for (const auto part : std::views::split(listed.substr(0, listed.find(')')), std::string_view(", "))) {
    const std::string_view spelled(part.begin(), part.end()), name = spelled.substr(0, spelled.find('='));
    if ((name == "*" || name != spelled) && !format_.contains('|')) format_ += '|';
    if (name == "/") only_positional = names_.size();
    else if (name == "*") format_ += '$';
    else {
      format_ += 'O';
      names_.emplace_back(name);
    }
  }
  if (names_.empty()) format_.assign(taken, 'O');
  else if (names_.size() != taken)
    fail(PyExc_ImportError, "%s: %zu names of %zu parameters", function_.c_str(), names_.size(), taken);
  format_.append(":").append(function_);
  for (std::size_t i = 0; i < taken; ++i)
    keywords_.push_back(names_.empty() || i < only_positional ? "" : names_[i].c_str());
}

void Signature::take(const pybind11::tuple& given, const pybind11::dict& keywords, std::span<PyObject*> found) const {
  if (given.size() < objects_) fail(PyExc_TypeError, "%s() is called without its object", function_.c_str());
  std::array<PyObject*, most> taken;
  taken.fill(Py_None);
  const auto objects = static_cast<Py_ssize_t>(objects_);
  const pybind11::object others = checked(steal(PyTuple_GetSlice(given.ptr(), objects, PY_SSIZE_T_MAX)));
  std::apply([&](auto&... each) { Arguments{others.ptr(), keywords.ptr()}.take(format_.c_str(), keywords_, &each...); },
             taken);
  if (objects_ == 1) found.front() = PyTuple_GET_ITEM(given.ptr(), 0);
  std::ranges::copy_n(taken.begin(), std::ssize(found) - objects, found.begin() + objects);
}

void Signature::refuse(PyObject* found, const std::string& expected, std::size_t following) const {
  std::string message = function_;
  if (following < names_.size()) message.append(": ").append(names_[names_.size() - 1 - following]);
  message.append(": expected ").append(expected);
  if (PyUnicode_Check(found) && expected.starts_with("str")) fail(PyExc_ValueError, "%s", message.c_str());
  fail(PyExc_TypeError, "%s, found %s", message.c_str(), Py_TYPE(found)->tp_name);
}

}  // namespace bankhook::python
