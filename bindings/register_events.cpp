// SPDX-License-Identifier: MIT
// The events of spec section 6 as classes.
#include "class.hpp"
#include "register.hpp"

namespace bankhook::python {

void register_events(pybind11::module_& module) {
  register_class<BankConnectionsUpdateV2>(module, "Spec 6.2: a bank connection changed.");
  register_class<InitialTransactionUpdate>(module, "Spec 6.3: the status of an initial transaction changed.");
  register_class<UnknownEvent>(module, "An event whose name the specification does not list, kept as it came.");
}

}  // namespace bankhook::python
