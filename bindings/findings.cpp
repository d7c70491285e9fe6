// SPDX-License-Identifier: MIT
// Findings as Python's records and back, and the error that carries them.
#include "findings.hpp"

#include "functions.hpp"
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

/// The stable id of a rule of the catalogue.
RuleId rule_item(PyObject* item) {
  if (const Rule* const rule = find_rule(text_argument("Finding.rule", item))) return rule->rule;
  PyErr_SetString(PyExc_ValueError, "Finding.rule: expected the id of a rule in bankhook.rules");
  throw pybind11::error_already_set();
}

std::optional<std::size_t> number_item(const char* field, PyObject* item) {
  if (item == Py_None) return std::nullopt;
  const std::size_t value = PyLong_Check(item) ? PyLong_AsSize_t(item) : 0;
  if (!PyLong_Check(item)) refuse_argument(field, "int or None", item);
  if (PyErr_Occurred() != nullptr) throw pybind11::error_already_set();
  return value;
}

/// Only the path explains a finding; of the steps, only the type is checked.
void check_steps(PyObject* item) {
  if (PyTuple_Check(item)) return;
  refuse_argument("Finding.steps", "tuple", item);
  throw pybind11::error_already_set();
}

template <Enumeration E>
E enum_item(const char* field, const char* expected, PyObject* item) {
  const auto found = std::ranges::find(enum_members<E>, item);
  if (found != enum_members<E>.end()) return static_cast<E>(found - enum_members<E>.begin());
  refuse_argument(field, expected, item);
  throw pybind11::error_already_set();
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

Finding finding_argument(const char* function, PyObject* object, Kept& kept) {
  if (!is_finding(object)) {
    refuse_argument(function, "Finding", object);
    throw pybind11::error_already_set();
  }
  const auto item = [&](std::size_t field) { return finding_class.get(object, field); };
  kept.push_back(pybind11::reinterpret_borrow<pybind11::object>(item(2)));
  check_steps(item(4));
  return {.rule = rule_item(item(0)),
          .evidence = enum_item<Evidence>("Finding.evidence", "a member of Evidence", item(1)),
          .section = text_argument("Finding.section", item(2)),
          .severity = enum_item<Severity>("Finding.severity", "a member of Severity", item(3)),
          .path = std::string(text_argument("Finding.path", item(5))),
          .offset = number_item("Finding.offset", item(6)),
          .line = number_item("Finding.line", item(7)),
          .column = number_item("Finding.column", item(8)),
          .expected = std::string(text_argument("Finding.expected", item(9))),
          .found = std::string(text_argument("Finding.found", item(10)))};
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
