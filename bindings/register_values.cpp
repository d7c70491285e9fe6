// SPDX-License-Identifier: MIT
// Enumerations made from the enumerators, and the objects of the package's Python side that stand for values.
#include "bind.hpp"
#include "library.hpp"
#include "python_types.hpp"
#include "records.hpp"
#include "values.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace bankhook::python {
namespace {

/// An enum.StrEnum whose values are the texts on the wire or, of words of the library, which no payload holds, the names:
/// `purchase_not_found` is PURCHASE_NOT_FOUND in Python, and the value of `delete_` is delete.
template <class E, bool is_on_wire>
void register_enum(pybind11::module_& module) {
  const std::string name(detail::reflect::type_name<E>);
  pybind11::list items;
  for (std::size_t i = 0; i < enumerator_count<E>; ++i) {
    const pybind11::object word = to_object(detail::plain_name(static_cast<E>(i)));
    const pybind11::object text = is_on_wire ? to_object(detail::reflect::enumerator_texts<E>[i]) : word;
    items.append(pybind11::make_tuple(word.attr("upper")(), text));
  }
  const pybind11::object made = pybind11::module_::import("enum").attr("StrEnum")(
      name, items, pybind11::arg("module") = std::string(module_of(name)));
  made.attr("__doc__") = docstring(name);
  module.attr(name.c_str()) = made;
  std::size_t i = 0;
  for (const pybind11::handle member : made) {
    const std::string_view meaning = meaning_of(static_cast<E>(i));
    if (!meaning.empty()) member.attr("__doc__") = std::string(meaning) + ".";
    enum_members<E>[i++] = member.inc_ref().ptr();
  }
}

template <bool is_on_wire, class... E>
void register_enums(pybind11::module_& module) {
  (register_enum<E, is_on_wire>(module), ...);
}

PyObject* keep(const pybind11::object& object) { return pybind11::object(object).release().ptr(); }

}  // namespace

void register_values(pybind11::module_& module) {
  register_enums<true, ConnectionEventType, TransactionStatus, RejectionReason>(module);
  register_enums<false, Evidence, Severity, Verdict, TransactionTrigger, ConnectionState, ConnectionTrigger, StateBefore,
                 FaultKind, DetectedBy, ChangeKind, ChangeSubject>(module);

  const pybind11::module_ package = pybind11::module_::import("bankhook._records");
  values.absent = keep(package.attr("ABSENT"));
  values.parse_error = keep(package.attr("ParseError"));
  values.findings = keep(package.attr("Findings"));
  values.represent = keep(package.attr("represent"));
  RecordClass::find_all();
  values.no_findings = keep(package.attr("Findings")());
  prepare_dates();
  prepare_decimals();
  module.attr("__version__") = std::string(library_version);
}

}  // namespace bankhook::python
