// SPDX-License-Identifier: MIT
// Findings as Python's named tuples and back, and the error that carries them.
#include "findings.hpp"

#include "to_python.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <variant>

namespace bankhook::python {
namespace {

constexpr std::size_t finding_items = 11;

pybind11::object number_or_none(const std::optional<std::size_t>& value) {
  return value ? steal(PyLong_FromSize_t(*value)) : pybind11::reinterpret_borrow<pybind11::object>(Py_None);
}

/// The item of a named tuple as text that lives as long as the tuple.
bool text_item(PyObject* tuple, Py_ssize_t index, std::string_view& out) {
  Py_ssize_t size = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(tuple, index), &size);
  if (text == nullptr) return false;
  out = {text, static_cast<std::size_t>(size)};
  return true;
}

bool number_item(PyObject* tuple, Py_ssize_t index, std::optional<std::size_t>& out) {
  PyObject* const item = PyTuple_GET_ITEM(tuple, index);
  if (item == Py_None) return true;
  if (!PyLong_Check(item)) {
    PyErr_Format(PyExc_TypeError, "Finding: expected int or None, found %s", Py_TYPE(item)->tp_name);
    return false;
  }
  out = PyLong_AsSize_t(item);
  return PyErr_Occurred() == nullptr;
}

/// Only the path explains a finding; of the steps, only the type is checked.
bool is_steps_item(PyObject* tuple, Py_ssize_t index) {
  PyObject* const item = PyTuple_GET_ITEM(tuple, index);
  if (PyTuple_Check(item)) return true;
  PyErr_Format(PyExc_TypeError, "Finding.steps: expected tuple, found %s", Py_TYPE(item)->tp_name);
  return false;
}

template <Enumeration E>
bool enum_item(PyObject* tuple, Py_ssize_t index, const char* expected, E& out) {
  const auto& members = enum_members<E>;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (PyTuple_GET_ITEM(tuple, index) != members[i]) continue;
    out = static_cast<E>(i);
    return true;
  }
  PyErr_SetString(PyExc_TypeError, expected);
  return false;
}

}  // namespace

pybind11::object to_python(const std::vector<PathStep>& steps) {
  pybind11::object tuple = steal(PyTuple_New(static_cast<Py_ssize_t>(steps.size())));
  for (std::size_t i = 0; tuple && i < steps.size(); ++i) {
    const auto* const name = std::get_if<std::string>(&steps[i]);
    PyObject* const item = name != nullptr ? text_to_python(*name) : PyLong_FromSize_t(std::get<std::size_t>(steps[i]));
    if (item == nullptr) return {};
    PyTuple_SET_ITEM(tuple.ptr(), static_cast<Py_ssize_t>(i), item);
  }
  return tuple;
}

pybind11::object to_python(const Finding& finding) {
  const std::array<pybind11::object, finding_items> parts{steal(text_to_python(finding.rule)),
                                                          member_of(finding.evidence),
                                                          steal(text_to_python(finding.section)),
                                                          member_of(finding.severity),
                                                          to_python(finding.steps),
                                                          steal(text_to_python(finding.path)),
                                                          number_or_none(finding.offset),
                                                          number_or_none(finding.line),
                                                          number_or_none(finding.column),
                                                          steal(text_to_python(finding.expected)),
                                                          steal(text_to_python(finding.found))};
  const pybind11::object items = steal(PyTuple_New(static_cast<Py_ssize_t>(parts.size())));
  if (!items) return {};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i]) return {};
    PyTuple_SET_ITEM(items.ptr(), static_cast<Py_ssize_t>(i), Py_NewRef(parts[i].ptr()));
  }
  const pybind11::object arguments = steal(PyTuple_Pack(1, items.ptr()));
  // What its `_make` does, and no Python on the way.
  return arguments ? steal(PyTuple_Type.tp_new(reinterpret_cast<PyTypeObject*>(values.finding), arguments.ptr(), nullptr))
                   : arguments;
}

pybind11::object to_python(const std::vector<Finding>& findings) {
  pybind11::object tuple = steal(PyTuple_New(static_cast<Py_ssize_t>(findings.size())));
  for (std::size_t i = 0; tuple && i < findings.size(); ++i) {
    pybind11::object finding = to_python(findings[i]);
    if (!finding) return {};
    PyTuple_SET_ITEM(tuple.ptr(), static_cast<Py_ssize_t>(i), finding.release().ptr());
  }
  return tuple;
}

pybind11::object to_python(const std::vector<Finding>& findings, PyObject* payload) {
  if (findings.empty()) return pybind11::reinterpret_borrow<pybind11::object>(values.no_findings);
  const pybind11::object tuple = to_python(findings);
  return tuple ? steal(PyObject_CallFunctionObjArgs(values.findings, tuple.ptr(), payload, nullptr)) : tuple;
}

bool from_python(PyObject* object, Finding& out) {
  if (reinterpret_cast<PyObject*>(Py_TYPE(object)) != values.finding || PyTuple_GET_SIZE(object) != finding_items) {
    PyErr_Format(PyExc_TypeError, "expected Finding, found %s", Py_TYPE(object)->tp_name);
    return false;
  }
  std::string_view path, expected, found;
  const bool fine = text_item(object, 0, out.rule) &&
                    enum_item(object, 1, "Finding.evidence: expected a member of Evidence", out.evidence) &&
                    text_item(object, 2, out.section) &&
                    enum_item(object, 3, "Finding.severity: expected a member of Severity", out.severity) &&
                    is_steps_item(object, 4) && text_item(object, 5, path) && number_item(object, 6, out.offset) &&
                    number_item(object, 7, out.line) && number_item(object, 8, out.column) &&
                    text_item(object, 9, expected) && text_item(object, 10, found);
  if (!fine) return false;
  out.path = path;
  out.expected = expected;
  out.found = found;
  return true;
}

PyObject* raise(const Finding& reason, const std::vector<Finding>& findings) {
  std::string message = describe(reason);
  if (findings.size() > 1) message += "; findings in all: " + std::to_string(findings.size());
  const pybind11::object text = steal(text_to_python(message));
  const pybind11::object first = text ? to_python(reason) : text;
  const pybind11::object head = first ? steal(PyTuple_Pack(2, text.ptr(), first.ptr())) : first;
  const pybind11::object all = head ? to_python(findings) : head;
  const pybind11::object arguments = all ? steal(PySequence_Concat(head.ptr(), all.ptr())) : all;
  if (arguments) PyErr_SetObject(values.parse_error, arguments.ptr());
  return nullptr;
}

std::optional<std::vector<Finding>> diagnosed(const pybind11::object& bytes, bool (*is_asked)(const Rule&)) {
  const std::string_view text = text_of(bytes);
  return unlocked(text.size() >= long_text,
                  [&] { return is_asked == nullptr ? diagnose(text) : diagnose(text, is_asked); });
}

bool keeps_what_is_stated(const pybind11::object& bytes) {
  const auto findings = diagnosed(bytes);
  if (!findings) return false;
  const auto first = std::ranges::find(*findings, Evidence::stated, &Finding::evidence);
  if (first != findings->end()) return raise(*first, *findings) != nullptr;
  if (findings->size() <= max_findings) return true;
  // The bound may hide it.
  const auto stated = diagnosed(bytes, [](const Rule& rule) { return rule.evidence == Evidence::stated; });
  if (!stated) return false;
  return stated->empty() || raise(stated->front(), *findings) != nullptr;
}

}  // namespace bankhook::python
