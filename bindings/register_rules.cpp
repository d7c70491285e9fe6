// SPDX-License-Identifier: MIT
// check, diagnose, explain and salvage, and the catalogue of rules.
#include "classes.hpp"
#include "closest.hpp"
#include "docs_checks.hpp"
#include "findings.hpp"
#include "functions.hpp"
#include "methods.hpp"
#include "parse.hpp"
#include "records.hpp"
#include "register.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace bankhook::python {
namespace {

/// The findings of an event: with their places where it has a payload.
template <class T>
pybind11::object findings_of(PyObject* event) {
  const Findings broken = check(value_of<T>(event));
  if (broken.empty()) return to_python(std::vector<Finding>(), Py_None);
  const pybind11::object payload = steal(block_of(event).raw_of(&value_of<T>(event)));
  if (!payload && PyErr_Occurred() != nullptr) return payload;
  if (!payload) return to_python(std::vector<Finding>(broken.begin(), broken.end()), Py_None);
  const auto found = diagnosed(payload, [](const Rule& rule) { return is_checked(rule.rule); });
  return found ? to_python(*found, payload.ptr()) : pybind11::object();
}

PyObject* check_event(PyObject*, PyObject* event) {
  pybind11::object findings;
  if (visit_event(event, [&]<class T>(const T&) { findings = findings_of<T>(event); })) return findings.release().ptr();
  return PyErr_Format(PyExc_TypeError, "check() expects an event, found %s", Py_TYPE(event)->tp_name);
}

PyObject* diagnose_payload(PyObject*, PyObject* payload) {
  const pybind11::object bytes = payload_bytes(payload, "diagnose");
  const auto findings = bytes ? diagnosed(bytes) : std::nullopt;
  return findings ? to_python(*findings, bytes.ptr()).release().ptr() : nullptr;
}

RecordClass<5> salvaged_class;

PyObject* salvage_payload(PyObject*, PyObject* payload) {
  const pybind11::object bytes = payload_bytes(payload, "salvage");
  if (!bytes) return nullptr;
  const std::string_view text = text_of(bytes);
  const auto salvaged = unlocked(text.size() >= long_text, [&] { return salvage(text); });
  if (!salvaged) return nullptr;
  const auto text_or_none = [](const std::optional<std::string>& id) { return id ? steal(text_to_python(*id)) : none(); };
  return salvaged_class
      .make(text_or_none(salvaged->event), text_or_none(salvaged->member), text_or_none(salvaged->external_id),
            text_or_none(salvaged->connection), text_or_none(salvaged->transaction))
      .release()
      .ptr();
}

/// What was given as a sequence of findings: those of a ParseError, one of them, or any iterable.
pybind11::object findings_in(PyObject* what) {
  if (is_finding(what)) return steal(PyTuple_Pack(1, what));
  const int is_error = PyObject_IsInstance(what, values.parse_error);
  if (is_error < 0) return {};
  const pybind11::object all = is_error == 1 ? steal(PyObject_GetAttrString(what, "findings"))
                                             : pybind11::reinterpret_borrow<pybind11::object>(what);
  return all ? steal(PySequence_Tuple(all.ptr())) : all;
}

PyObject* explain_findings(PyObject* what, PyObject* payload, bankhook::Redaction redaction, std::size_t width) {
  const pybind11::object bytes = payload_bytes(payload, "explain");
  const pybind11::object objects = bytes ? findings_in(what) : bytes;
  if (!objects) return nullptr;
  Kept kept;
  std::vector<Finding> findings;
  for (const pybind11::handle object : pybind11::reinterpret_borrow<pybind11::tuple>(objects))
    findings.push_back(finding_argument("explain()", object.ptr(), kept));
  const std::string_view json = text_of(bytes);
  const auto text = unlocked(json.size() >= long_text, [&] { return explain(findings, json, width, redaction); });
  return text ? PyUnicode_DecodeUTF8(text->data(), static_cast<Py_ssize_t>(text->size()), "backslashreplace") : nullptr;
}

PyObject* explain_any(PyObject*, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"", "", "show_values", "width", nullptr};
  PyObject* what = nullptr;
  PyObject* payload = nullptr;
  int show_values = 0;
  Py_ssize_t width = 80;
  if (!take_arguments(arguments, keywords, "OO|$pn:explain", names, &what, &payload, &show_values, &width)) return nullptr;
  if (width < 1) return PyErr_Format(PyExc_ValueError, "explain: width: expected 1 or more, found %zd", width);
  return explain_findings(what, payload, show_values != 0 ? bankhook::Redaction::off : bankhook::Redaction::on,
                          static_cast<std::size_t>(width));
}

RecordClass<5> rule_class;
PyObject* catalogue = nullptr;  ///< bankhook.rules

pybind11::tuple make_catalogue() {
  return tuple_of(rules.size(), [](std::size_t i) {
    const Rule& rule = rule_of(rules[i].rule);
    return rule_class.make(steal(text_to_python(rule.id())), steal(text_to_python(rule.section)), member_of(rule.evidence),
                           member_of(rule.severity), steal(text_to_python(rule.sentence)));
  });
}

PyMethodDef rule_functions[] = {
    with_one<check_event>("check", "(event: AnyEvent, /) -> Findings", docs::check),
    with_one<diagnose_payload>("diagnose", "(payload: Buffer | str, /) -> Findings", docs::diagnose),
    with_one<salvage_payload>("salvage", "(payload: Buffer | str, /) -> Salvaged", docs::salvage),
    with_keywords<explain_any>(
        "explain",
        "(what: ParseError | Finding | Iterable[Finding], payload: Buffer | str, /, *, show_values: bool = False, "
        "width: int = 80) -> str",
        docs::explain),
    {},
};

}  // namespace

bool event_keeps_what_is_stated(PyObject* event) {
  bool is_kept = false;
  visit_event(event, [&]<class T>(const T& value) {
    is_kept = !detail::may_break(value, block_of(event).has_notes(&value), Evidence::stated) ||
              keeps_what_is_stated(checked(steal(raw<T>(event, nullptr))));
  });
  return is_kept;
}

void publish_rules(pybind11::handle module) {
  const pybind11::object before = steal(std::exchange(catalogue, make_catalogue().release().ptr()));
  module.attr("rules") = pybind11::handle(catalogue);
}

pybind11::object to_python(const Rule& rule) {
  return pybind11::reinterpret_borrow<pybind11::object>(PyTuple_GET_ITEM(catalogue, static_cast<Py_ssize_t>(rule.rule)));
}

void register_rules(pybind11::module_& module) {
  add_functions(module, rule_functions);
  rule_class.find("Rule");
  salvaged_class.find("Salvaged");
  publish_rules(module);
}

}  // namespace bankhook::python
