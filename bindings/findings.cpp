// SPDX-License-Identifier: MIT
// Findings as Python's records and back, and the error that carries them.
#include "findings.hpp"

#include "records.hpp"
#include "to_python.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace bankhook::python {
namespace {

RecordClass<11> finding_class;

pybind11::object number_or_none(const std::optional<std::size_t>& value) { return value ? number(*value) : none(); }

/// A field's text, as long-lived as the field's value.
bool text_item(PyObject* item, std::string_view& out) {
  Py_ssize_t size = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(item, &size);
  if (text == nullptr) return false;
  out = {text, static_cast<std::size_t>(size)};
  return true;
}

/// The stable id of a rule of the catalogue.
bool rule_item(PyObject* item, RuleId& out) {
  std::string_view id;
  if (!text_item(item, id)) return false;
  const Rule* const rule = find_rule(id);
  if (rule == nullptr) PyErr_SetString(PyExc_ValueError, "Finding.rule: expected the id of a rule in bankhook.rules");
  else out = rule->rule;
  return rule != nullptr;
}

bool number_item(PyObject* item, std::optional<std::size_t>& out) {
  if (item == Py_None) return true;
  if (!PyLong_Check(item)) {
    PyErr_Format(PyExc_TypeError, "Finding: expected int or None, found %s", Py_TYPE(item)->tp_name);
    return false;
  }
  out = PyLong_AsSize_t(item);
  return PyErr_Occurred() == nullptr;
}

/// Only the path explains a finding; of the steps, only the type is checked.
bool is_steps_item(PyObject* item) {
  if (PyTuple_Check(item)) return true;
  PyErr_Format(PyExc_TypeError, "Finding.steps: expected tuple, found %s", Py_TYPE(item)->tp_name);
  return false;
}

template <Enumeration E>
bool enum_item(PyObject* item, const char* expected, E& out) {
  const auto& members = enum_members<E>;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (item != members[i]) continue;
    out = static_cast<E>(i);
    return true;
  }
  PyErr_SetString(PyExc_TypeError, expected);
  return false;
}

}  // namespace

void prepare_findings() { finding_class.find("Finding"); }

bool is_finding(PyObject* object) { return finding_class.is_class_of(object); }

pybind11::object to_python(const std::vector<PathStep>& steps) {
  return tuple_of(steps.size(), [&](std::size_t i) {
    const auto* const name = std::get_if<std::string>(&steps[i]);
    return name != nullptr ? steal(text_to_python(*name)) : number(std::get<std::size_t>(steps[i]));
  });
}

pybind11::object to_python(const Finding& finding) {
  return finding_class.make(steal(text_to_python(name_of(finding.rule))), member_of(finding.evidence),
                            steal(text_to_python(finding.section)), member_of(finding.severity), to_python(finding.steps),
                            steal(text_to_python(finding.path)), number_or_none(finding.offset),
                            number_or_none(finding.line), number_or_none(finding.column),
                            steal(text_to_python(finding.expected)), steal(text_to_python(finding.found)));
}

pybind11::object to_python(const std::vector<Finding>& findings) {
  return tuple_of(findings.size(), [&](std::size_t i) { return to_python(findings[i]); });
}

pybind11::object to_python(const std::vector<Finding>& findings, PyObject* payload) {
  if (findings.empty()) return pybind11::reinterpret_borrow<pybind11::object>(values.no_findings);
  return checked(steal(PyObject_CallFunctionObjArgs(values.findings, to_python(findings).ptr(), payload, nullptr)));
}

bool from_python(PyObject* object, Finding& out, Kept& kept) {
  if (!is_finding(object)) {
    PyErr_Format(PyExc_TypeError, "expected Finding, found %s", Py_TYPE(object)->tp_name);
    return false;
  }
  const auto item = [&](std::size_t field) { return finding_class.get(object, field); };
  std::string_view path, expected, found;
  const bool fine =
      rule_item(item(0), out.rule) && enum_item(item(1), "Finding.evidence: expected a member of Evidence", out.evidence) &&
      text_item(item(2), out.section) &&
      enum_item(item(3), "Finding.severity: expected a member of Severity", out.severity) && is_steps_item(item(4)) &&
      text_item(item(5), path) && number_item(item(6), out.offset) && number_item(item(7), out.line) &&
      number_item(item(8), out.column) && text_item(item(9), expected) && text_item(item(10), found);
  if (!fine) return false;
  kept.push_back(pybind11::reinterpret_borrow<pybind11::object>(item(2)));
  out.path = path;
  out.expected = expected;
  out.found = found;
  return true;
}

void leave_out_place(Finding& finding) { finding.offset = finding.line = finding.column = std::nullopt; }

PyObject* raise(Finding reason, std::vector<Finding> findings, Places places) {
  if (places == Places::left_out) {
    leave_out_place(reason);
    std::ranges::for_each(findings, leave_out_place);
  }
  std::string message = to_string(reason);
  if (findings.size() > 1) message += "; findings in all: " + std::to_string(findings.size());
  const pybind11::tuple arguments = tuple_of(findings.size() + 2, [&](std::size_t i) {
    return i == 0 ? steal(text_to_python(message)) : to_python(i == 1 ? reason : findings[i - 2]);
  });
  PyErr_SetObject(values.parse_error, arguments.ptr());
  return nullptr;
}

PyObject* raise_refusal(RuleId rule, json::Path path, std::string_view expected, std::string_view found) {
  const Rule& broken = rule_of(rule);
  Finding finding{.rule = broken.rule,
                  .evidence = broken.evidence,
                  .section = broken.section,
                  .severity = broken.severity,
                  .steps = std::move(path.steps),
                  .path = std::move(path.text),
                  .expected = std::string(expected)};
  text::append_escaped(finding.found, found);
  return raise(finding, {finding});
}

std::optional<std::vector<Finding>> diagnosed(const pybind11::object& bytes, bool (*is_asked)(const Rule&)) {
  const std::string_view text = text_of(bytes);
  return unlocked(text.size() >= long_text,
                  [&] { return is_asked == nullptr ? diagnose(text) : diagnose(text, is_asked); });
}

bool keeps_what_is_stated(const pybind11::object& bytes, Places places) {
  const auto findings = diagnosed(bytes);
  if (!findings) return false;
  const auto first = std::ranges::find(*findings, Evidence::stated, &Finding::evidence);
  if (first != findings->end()) return raise(*first, *findings, places) != nullptr;
  if (findings->size() <= max_findings) return true;
  // The bound may hide it.
  const auto stated = diagnosed(bytes, [](const Rule& rule) { return rule.evidence == Evidence::stated; });
  if (!stated) return false;
  return stated->empty() || raise(stated->front(), *findings, places) != nullptr;
}

}  // namespace bankhook::python
