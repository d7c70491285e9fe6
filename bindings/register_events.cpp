// SPDX-License-Identifier: MIT
// The events of spec section 6 as classes.
#include "class.hpp"
#include "register.hpp"

namespace bankhook::python {
namespace {

/// `First | Second | ...`, for annotations.
template <class First, class... Rest>
pybind11::object any_event(std::type_identity<std::variant<First, Rest...>>) {
  auto any = pybind11::reinterpret_borrow<pybind11::object>(reinterpret_cast<PyObject*>(class_of<First>));
  ((any = any | pybind11::handle(reinterpret_cast<PyObject*>(class_of<Rest>))), ...);
  return any;
}

}  // namespace

void register_events(pybind11::module_& module) {
  register_class<BankConnectionsUpdateV2>(module);
  register_class<InitialTransactionUpdate>(module);
  register_class<UnknownEvent>(module);
  module.attr("AnyEvent") = any_event(std::type_identity<AnyEvent>());
}

}  // namespace bankhook::python
