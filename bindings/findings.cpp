// SPDX-License-Identifier: MIT
// Findings as Python's records and back, and the error that carries them.
#include "findings.hpp"

#include "bind.hpp"
#include "records.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace bankhook::python {
namespace {

RecordClass finding_class("Finding", 11);

/// The stable id of a rule of the catalogue.
RuleId rule_item(PyObject* item) {
  if (const Rule* const rule = find_rule(text_argument("Finding.rule", item))) return rule->rule;
  fail(PyExc_ValueError, "Finding.rule: expected the id of a rule in bankhook.rules");
}

std::optional<std::size_t> number_item(const char* field, PyObject* item) {
  if (item == Py_None) return std::nullopt;
  if (!PyLong_Check(item)) refuse_argument(field, "int or None", item);
  const std::size_t value = PyLong_AsSize_t(item);
  if (PyErr_Occurred() != nullptr) throw pybind11::error_already_set();
  return value;
}

template <Enumeration E>
E enum_item(const char* field, const char* expected, PyObject* item) {
  const auto found = std::ranges::find(enum_members<E>, item);
  if (found != enum_members<E>.end()) return static_cast<E>(found - enum_members<E>.begin());
  refuse_argument(field, expected, item);
}

/// None for a missing offset, line and column. The steps are str and int.
pybind11::object finding_to_python(const Finding& finding) {
  const auto steps = tuple_of(finding.steps, [](const PathStep& step) { return std::visit(to_object, step); });
  return finding_class.make(name_of(finding.rule), finding.evidence, finding.section, finding.severity, steps, finding.path,
                            finding.offset, finding.line, finding.column, finding.expected, finding.found);
}

}  // namespace

bool is_finding(PyObject* object) { return finding_class.is_class_of(object); }

pybind11::tuple to_python(const std::vector<Finding>& findings) { return tuple_of(findings, finding_to_python); }

pybind11::object to_python(const std::vector<Finding>& findings, PyObject* payload) {
  if (findings.empty()) return borrow(values.no_findings);
  return pybind11::handle(values.findings)(to_python(findings), pybind11::handle(payload));
}

Finding finding_argument(const char* function, PyObject* object, Owners& kept) {
  if (!is_finding(object)) refuse_argument(function, "Finding", object);
  const auto item = [&](std::size_t field) { return finding_class.get(object, field); };
  kept.push_back(borrow(item(2)));
  // Only the path explains a finding; of the steps, only the type is checked.
  if (!PyTuple_Check(item(4))) refuse_argument("Finding.steps", "tuple", item(4));
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
  const pybind11::object first = pybind11::make_tuple(to_object(message), finding_to_python(reason));
  PyErr_SetObject(values.parse_error, checked(steal(PySequence_Concat(first.ptr(), to_python(findings).ptr()))).ptr());
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

std::vector<Finding> diagnosed(const pybind11::object& bytes, RuleFilter wanted) {
  const std::string_view text = text_of(bytes);
  return unlocked(text.size() >= long_text, [&] { return diagnose(text, wanted); });
}

bool keeps_what_is_stated(const pybind11::object& bytes, Places places) {
  const auto stated = diagnosed(bytes, [](const Rule& rule) { return rule.evidence == Evidence::stated; });
  return stated.empty() || raise(stated.front(), diagnosed(bytes), places) != nullptr;
}

}  // namespace bankhook::python
