// SPDX-License-Identifier: MIT
// Findings as Python's records and back, and the error that carries them; the rules, check, diagnose, explain, salvage.
#include "bound.hpp"
#include "classes.hpp"
#include "findings.hpp"
#include "object.hpp"
#include "records.hpp"
#include "salvage.hpp"
#include "unlocked.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

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

/// A bankhook.types.Finding, whose section `kept` keeps. Throws what Python raises: TypeError for anything else.
Finding finding_argument(const char* function, PyObject* object, Owners& kept) {
  if (!finding_class.is_class_of(object)) refuse_argument(function, "Finding", object);
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

/// The findings of an event: with their places where it has a payload.
pybind11::object check_event(PyObject*, PyObject* event) {
  Findings found;
  if (!visit_value(event, [&](const EventStruct auto& known) { found = check(known); }))
    fail(PyExc_TypeError, "check() expects an event, found %s", Py_TYPE(event)->tp_name);
  const std::vector<Finding> broken(found.begin(), found.end());
  if (broken.empty()) return to_python(broken, Py_None);
  const pybind11::object payload = steal(block_of(event).raw_of(address_in(event)));
  if (!payload) return PyErr_Occurred() == nullptr ? to_python(broken, Py_None) : payload;
  return to_python(diagnosed(payload, [](const Rule& rule) { return is_checked(rule.rule); }), payload.ptr());
}

pybind11::object diagnose_payload(PyObject*, PyObject* payload) {
  const pybind11::object bytes = payload_bytes(payload, "diagnose");
  return to_python(diagnosed(bytes), bytes.ptr());
}

RecordClass salvaged_class("Salvaged", 5);

pybind11::object salvage_payload(PyObject*, PyObject* payload) {
  const pybind11::object bytes = payload_bytes(payload, "salvage");
  const std::string_view text = text_of(bytes);
  const Salvaged salvaged = unlocked(text.size() >= long_text, [&] { return salvage(text); });
  return salvaged_class.make(salvaged.event, salvaged.member, salvaged.external_id, salvaged.connection,
                             salvaged.transaction);
}

/// Of a finding, those of a ParseError, or any iterable of them.
PyObject* explain_any(PyObject*, Arguments arguments) {
  PyObject *what = nullptr, *payload = nullptr;
  int show_values = 0;
  Py_ssize_t width = 80;
  arguments.take("OO|$pn:explain", {"", "", "show_values", "width"}, &what, &payload, &show_values, &width);
  if (width < 1) fail(PyExc_ValueError, "explain: width: expected 1 or more, found %zd", width);
  const pybind11::object bytes = payload_bytes(payload, "explain");
  pybind11::object all = borrow(what);
  if (finding_class.is_class_of(what)) all = pybind11::make_tuple(all);
  else if (pybind11::isinstance(what, values.parse_error)) all = all.attr("findings");
  Owners kept;
  std::vector<Finding> findings;
  for (const pybind11::handle object : all) findings.push_back(finding_argument("explain()", object.ptr(), kept));
  const std::string_view json = text_of(bytes);
  const auto redaction = show_values != 0 ? bankhook::Redaction::off : bankhook::Redaction::on;
  const std::string text = unlocked(json.size() >= long_text,
                                    [&] { return explain(findings, json, static_cast<std::size_t>(width), redaction); });
  return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace");
}

// What the package's Python code needs to show findings and texts: excerpts and paths as data, and hidden characters.

/// `(line, text, start, end)`, counted in characters; None if there is no excerpt.
pybind11::object excerpt_to_python(const std::optional<Excerpt>& excerpt) {
  if (!excerpt) return none();
  const std::string_view text = excerpt->text;
  const std::size_t start = detail::text::count_characters(text.substr(0, excerpt->start));
  const std::size_t size = detail::text::count_characters(text.substr(excerpt->start, excerpt->end - excerpt->start));
  return pybind11::make_tuple(excerpt->line, to_object(text), start, start + size);
}

/// For each finding the line that `explain` shows: its number, its text, and the start and end of the marked characters;
/// None for a finding without a line. A text has at most `width` characters.
pybind11::tuple excerpts_of(pybind11::handle given, pybind11::handle payload, bool show_values,
                            std::optional<std::size_t> width) {
  const pybind11::object bytes = payload_bytes(payload.ptr(), "_excerpts");
  Excerpts excerpts(text_of(bytes), show_values ? bankhook::Redaction::off : bankhook::Redaction::on);
  return tuple_of(pybind11::tuple(borrow(given)), [&](pybind11::handle object) {
    Owners kept;
    return excerpt_to_python(excerpts.of(finding_argument("_excerpts()", object.ptr(), kept), width.value_or(102)));
  });
}

/// A text as it stands between the quotes of a path.
pybind11::object escaped(Text text) {
  std::string out;
  detail::text::append_escaped(out, text);
  return to_object(out);
}

/// How many cells of a terminal a text takes that has no hidden characters.
std::size_t cells(Text text) { return detail::text::count_cells(text); }

/// All hidden characters as the inside of a character class of a regular expression: `\x00-\x1f...`.
pybind11::object hidden_characters() {
  std::u32string ranges;
  for (const detail::text::CharacterRange& range : detail::text::hidden_characters)
    ranges += {range.first, U'-', range.last};
  const auto size = static_cast<Py_ssize_t>(ranges.size());
  return checked(steal(PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, ranges.data(), size)));
}

RecordClass rule_class("Rule", 5);
pybind11::handle catalogue;  ///< bankhook.rules

}  // namespace

pybind11::object finding_to_python(const Finding& finding) {
  const auto steps = tuple_of(finding.steps, [](const PathStep& step) { return std::visit(to_object, step); });
  return finding_class.make(name_of(finding.rule), finding.evidence, finding.section, finding.severity, steps, finding.path,
                            finding.offset, finding.line, finding.column, finding.expected, finding.found);
}

pybind11::object to_python(const std::vector<Finding>& findings, PyObject* payload) {
  if (findings.empty()) return borrow(values.no_findings);
  return pybind11::handle(values.findings)(tuple_of(findings, finding_to_python), pybind11::handle(payload));
}

PyObject* raise(Finding reason, std::vector<Finding> findings, Places places) {
  if (places == Places::left_out) {
    leave_out_place(reason);
    std::ranges::for_each(findings, leave_out_place);
  }
  std::string message = to_string(reason);
  if (findings.size() > 1) message += "; findings in all: " + std::to_string(findings.size());
  const pybind11::object first = pybind11::make_tuple(to_object(message), finding_to_python(reason));
  const pybind11::object all = tuple_of(findings, finding_to_python);
  PyErr_SetObject(values.parse_error, checked(steal(PySequence_Concat(first.ptr(), all.ptr()))).ptr());
  return nullptr;
}

PyObject* raise_refusal(RuleId rule, detail::json::Path path, std::string_view expected, std::string_view found) {
  const Rule& broken = rule_of(rule);
  Finding finding{.rule = broken.rule,
                  .evidence = broken.evidence,
                  .section = broken.section,
                  .severity = broken.severity,
                  .steps = std::move(path.steps),
                  .path = std::move(path.text),
                  .expected = std::string(expected)};
  detail::text::append_escaped(finding.found, found);
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

pybind11::object to_python(const Rule& rule) {
  return borrow(PyTuple_GET_ITEM(catalogue.ptr(), static_cast<Py_ssize_t>(rule.rule)));
}

void register_rules(pybind11::module_& module) {
  add_functions(module, {method<check_event>("check"), method<diagnose_payload>("diagnose"),
                         method<salvage_payload>("salvage"), method<explain_any>("explain")});
  module.def("_excerpts", checking("_excerpts(findings, payload, show_values, width=None)", excerpts_of));
  module.def("_cells", checking("_cells", cells));
  module.def("_escaped", checking("_escaped", escaped));
  module.attr("_hidden_characters") = hidden_characters();
  catalogue = tuple_of(rules, [](const Rule& row) {
                const Rule& rule = rule_of(row.rule);
                return rule_class.make(rule.id(), rule.section, rule.evidence, rule.severity, rule.sentence);
              }).release();
  module.attr("rules") = catalogue;
}

}  // namespace bankhook::python
