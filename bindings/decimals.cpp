// SPDX-License-Identifier: MIT
// Decimals as Python's: made by a context so precise that nothing is rounded.
#include "python_types.hpp"

namespace bankhook::python {
namespace {

PyObject* decimal_type = nullptr;
PyObject* create = nullptr;  ///< create_decimal of the context

}  // namespace

BANKHOOK_COLD void prepare_decimals() {
  const pybind11::module_ decimal = pybind11::module_::import("decimal");
  const pybind11::object context = decimal.attr("Context")(pybind11::arg("prec") = decimal.attr("MAX_PREC"),
                                                           pybind11::arg("Emin") = decimal.attr("MIN_EMIN"),
                                                           pybind11::arg("Emax") = decimal.attr("MAX_EMAX"));
  decimal_type = pybind11::object(decimal.attr("Decimal")).release().ptr();
  create = pybind11::object(context.attr("create_decimal")).release().ptr();
}

PyObject* decimal_class() { return decimal_type; }

PyObject* value_to_python(const Decimal& value) {
  char digits[Decimal::max_printed];
  const char* const end = value.print(digits);
  const pybind11::object text = steal(text_to_python({digits, end}));
  return text ? PyObject_CallOneArg(create, text.ptr()) : nullptr;
}

}  // namespace bankhook::python
