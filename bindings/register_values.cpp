// SPDX-License-Identifier: MIT
// Enumerations made from the enumerators, and the objects of the package's Python side that stand for values.
#include "bind.hpp"
#include "library.hpp"
#include "python_types.hpp"
#include "records.hpp"
#include "values.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace bankhook::python {
namespace {

/// Without the underscore that keeps `delete_` from being a word of C++.
std::string_view word_of(std::string_view enumerator) { return enumerator.substr(0, enumerator.find_last_not_of('_') + 1); }

/// An enum.StrEnum whose values are `texts`; `purchase_not_found` is PURCHASE_NOT_FOUND in Python.
template <class E>
void register_enum(pybind11::module_& module, std::array<std::string_view, enumerator_count<E>> texts) {
  const std::string name(reflect::type_name<E>);
  pybind11::list items;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::string member(word_of(enumerator_names<E>[i]));
    for (char& c : member) c = reflect::detail::to_upper(c);
    items.append(pybind11::make_tuple(member, std::string(texts[i])));
  }
  const pybind11::object made = pybind11::module_::import("enum").attr("StrEnum")(
      name, items, pybind11::arg("module") = std::string(module_of(name)));
  made.attr("__doc__") = docstring(name);
  module.attr(name.c_str()) = made;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    pybind11::object member = made(std::string(texts[i]));
    const std::string_view meaning = meaning_of(static_cast<E>(i));
    if (!meaning.empty()) member.attr("__doc__") = std::string(meaning) + ".";
    enum_members<E>[i] = member.release().ptr();
  }
}

/// Values are the texts on the wire.
template <class... E>
void register_wire_enums(pybind11::module_& module) {
  (register_enum<E>(module, reflect::enumerator_texts<E>), ...);
}

/// Of words of the library, which no payload holds: values are the names, `delete_` is delete.
template <class... E>
void register_word_enums(pybind11::module_& module) {
  const auto words = [](auto names) {
    for (std::string_view& name : names) name = word_of(name);
    return names;
  };
  (register_enum<E>(module, words(enumerator_names<E>)), ...);
}

PyObject* keep(const pybind11::object& object) { return pybind11::object(object).release().ptr(); }

}  // namespace

void register_values(pybind11::module_& module) {
  register_wire_enums<ConnectionEventType, TransactionStatus, RejectionReason>(module);
  register_word_enums<Evidence, Severity, Verdict, TransactionTrigger, ConnectionState, ConnectionTrigger, StateBefore,
                      FaultKind, DetectedBy, ChangeKind, ChangeSubject>(module);

  const pybind11::module_ package = pybind11::module_::import("bankhook._records");
  values.absent = keep(package.attr("ABSENT"));
  values.parse_error = keep(package.attr("ParseError"));
  values.findings = keep(package.attr("Findings"));
  RecordClass::find_all();
  values.no_findings = keep(package.attr("Findings")());
  prepare_dates();
  prepare_decimals();
  module.attr("_decimals_are_laid_out") = are_decimals_laid_out();
  module.attr("__version__") = std::string(library_version);
}

}  // namespace bankhook::python
