// SPDX-License-Identifier: MIT
// check, diagnose, explain and salvage, and the catalogue of rules.
#include "bind.hpp"
#include "classes.hpp"
#include "findings.hpp"
#include "records.hpp"
#include "salvage.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace bankhook::python {
namespace {

/// The findings of an event: with their places where it has a payload.
pybind11::object check_event(PyObject*, PyObject* event) {
  std::vector<Finding> broken;
  const auto look = [&](const auto& known) {
    const Findings found = check(known);
    broken.assign(found.begin(), found.end());
  };
  if (!visit_event(event, look)) fail(PyExc_TypeError, "check() expects an event, found %s", Py_TYPE(event)->tp_name);
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

/// What was given as a sequence of findings: those of a ParseError, one of them, or any iterable.
pybind11::object findings_in(PyObject* what) {
  if (is_finding(what)) return pybind11::make_tuple(pybind11::handle(what));
  const bool is_error = pybind11::isinstance(what, values.parse_error);
  const pybind11::object all = is_error ? pybind11::handle(what).attr("findings") : borrow(what);
  return checked(steal(PySequence_Tuple(all.ptr())));
}

PyObject* explain_any(PyObject*, Arguments arguments) {
  PyObject *what = nullptr, *payload = nullptr;
  int show_values = 0;
  Py_ssize_t width = 80;
  arguments.take("OO|$pn:explain", {"", "", "show_values", "width"}, &what, &payload, &show_values, &width);
  if (width < 1) fail(PyExc_ValueError, "explain: width: expected 1 or more, found %zd", width);
  const pybind11::object bytes = payload_bytes(payload, "explain");
  Kept kept;
  std::vector<Finding> findings;
  for (const pybind11::handle object : pybind11::tuple(findings_in(what)))
    findings.push_back(finding_argument("explain()", object.ptr(), kept));
  const std::string_view json = text_of(bytes);
  const auto redaction = show_values != 0 ? bankhook::Redaction::off : bankhook::Redaction::on;
  const std::string text = unlocked(json.size() >= long_text,
                                    [&] { return explain(findings, json, static_cast<std::size_t>(width), redaction); });
  return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace");
}

RecordClass rule_class("Rule", 5);
pybind11::handle catalogue;  ///< bankhook.rules

}  // namespace

bool event_keeps_what_is_stated(PyObject* event) {
  bool is_kept = false;
  visit_event(event, [&]<class T>(const T& value) {
    is_kept = !detail::may_break(value, block_of(event).has_notes(&value), Evidence::stated) ||
              keeps_what_is_stated(checked(steal(raw_payload(event))));
  });
  return is_kept;
}

pybind11::object to_python(const Rule& rule) {
  return borrow(PyTuple_GET_ITEM(catalogue.ptr(), static_cast<Py_ssize_t>(rule.rule)));
}

void register_rules(pybind11::module_& module) {
  add_functions(module, {method<check_event>("check"), method<diagnose_payload>("diagnose"),
                         method<salvage_payload>("salvage"), method<explain_any>("explain")});
  catalogue = tuple_of(rules, [](const Rule& row) {
                const Rule& rule = rule_of(row.rule);
                return rule_class.make(rule.id(), rule.section, rule.evidence, rule.severity, rule.sentence);
              }).release();
  module.attr("rules") = catalogue;
}

}  // namespace bankhook::python
