// SPDX-License-Identifier: MIT
// The resources of spec section 2 as classes.
#include "class.hpp"
#include "register.hpp"

namespace bankhook::python {

void register_resources(pybind11::module_& module) {
  register_class<Account>(module);
  register_class<Connection>(module);
  register_class<Customer>(module);
  register_class<ConnectedCustomer>(module);
  register_class<InitialTransaction>(module);
}

}  // namespace bankhook::python
