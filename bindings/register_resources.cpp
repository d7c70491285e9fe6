// SPDX-License-Identifier: MIT
// The resources of spec section 2 as classes.
#include "class.hpp"
#include "register.hpp"

namespace bankhook::python {

void register_resources(pybind11::module_& module) {
  register_class<Account>(module, "Spec 2.3: an entry of a connection's accounts.");
  register_class<Connection>(module, "Spec 2.2: one bank connection of a member and the accounts linked to it.");
  register_class<Customer>(module, "Spec 2.1 as 6.3 restricts it: the member concerned, only id and external_id.");
  register_class<ConnectedCustomer>(module, "Spec 2.1: the member concerned, with counts and all connections.");
  register_class<InitialTransaction>(module, "Spec 2.4: a purchase that the consumer submitted.");
}

}  // namespace bankhook::python
