// SPDX-License-Identifier: MIT
// Enumerations made from the enumerators, and the objects of the package's Python side that stand for values.
#include "decimals.hpp"
#include "findings.hpp"
#include "library.hpp"
#include "register.hpp"
#include "values.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace bankhook::python {
namespace {

/// `purchase_not_found` is PURCHASE_NOT_FOUND in Python, `delete_` is DELETE.
std::string python_name(std::string_view enumerator) {
  std::string name(enumerator.substr(0, enumerator.find_last_not_of('_') + 1));
  for (char& c : name) c = reflect::detail::to_upper(c);
  return name;
}

/// An enum.StrEnum whose values are `texts`.
template <class E>
void register_enum(pybind11::module_& module, const char* doc,
                   const std::array<std::string_view, enumerator_count<E>>& texts) {
  const std::string name(reflect::type_name<E>);
  pybind11::list items;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    items.append(pybind11::make_tuple(python_name(enumerator_names<E>[i]), std::string(texts[i])));
  }
  const pybind11::object made =
      pybind11::module_::import("enum").attr("StrEnum")(name, items, pybind11::arg("module") = "bankhook");
  made.attr("__doc__") = doc;
  module.attr(name.c_str()) = made;
  for (std::size_t i = 0; i < enum_members<E>.size(); ++i) {
    pybind11::object member = made(std::string(texts[i]));
    const std::string_view meaning = meaning_of(static_cast<E>(i));
    if (!meaning.empty()) member.attr("__doc__") = std::string(meaning) + ".";
    enum_members<E>[i] = member.release().ptr();
  }
}

/// Values are the texts on the wire.
template <class E>
void register_wire_enum(pybind11::module_& module, const char* doc) {
  register_enum<E>(module, doc, reflect::enumerator_texts<E>);
}

/// Of a word of the library, which no payload holds: values are the names, `delete_` is delete.
template <class E>
void register_word_enum(pybind11::module_& module, const char* doc) {
  auto names = enumerator_names<E>;
  for (std::string_view& name : names) name = name.substr(0, name.find_last_not_of('_') + 1);
  register_enum<E>(module, doc, names);
}

PyObject* keep(const pybind11::object& object) { return pybind11::object(object).release().ptr(); }

}  // namespace

void register_values(pybind11::module_& module) {
  register_wire_enum<ConnectionEventType>(module, "Spec 6.2: what happened to a bank connection.");
  register_wire_enum<TransactionStatus>(module, "Spec 2.4 and 3.1: the states of an initial transaction.");
  register_wire_enum<RejectionReason>(module, "Spec 2.4: why an initial transaction was rejected.");
  register_word_enum<Evidence>(module, "What a rule, a transition or an answer of the library rests on.");
  register_word_enum<Severity>(module, "What breaking a rule means for a payload: `parse` rejects it for an error.");
  register_word_enum<Verdict>(module, "What the specification says about something that was observed.");
  register_word_enum<TransactionTrigger>(module, "Spec 3.1: what leads to a status; the names are ours.");
  register_word_enum<ConnectionState>(module, "What has been reported of a connection; spec 3.2 shows no states.");
  register_word_enum<ConnectionTrigger>(
      module, "What an event says of a connection: the eventTypes of its own (6.2), and whether it lists it (2.1).");
  register_word_enum<StateBefore>(module, "What it rests on that a row of a lifecycle leaves just this state.");
  register_word_enum<FaultKind>(module, "What a sandbox does to deliveries on demand.");
  register_word_enum<DetectedBy>(module, "How a consumer can detect a fault.");
  register_word_enum<ChangeKind>(module, "How something changes when a tracker takes an event.");
  register_word_enum<ChangeSubject>(module, "What it is that changes when a tracker takes an event.");
  const pybind11::module_ package = pybind11::module_::import("bankhook._records");
  values.absent = keep(package.attr("ABSENT"));
  values.parse_error = keep(package.attr("ParseError"));
  values.findings = keep(package.attr("Findings"));
  prepare_findings();
  values.no_findings = keep(package.attr("Findings")());
  prepare_decimals();
  module.attr("_decimals_are_laid_out") = are_decimals_laid_out();
  module.attr("__version__") = std::string(library_version);
}

}  // namespace bankhook::python
