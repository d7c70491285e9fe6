// SPDX-License-Identifier: MIT
// An account that is not known stands for itself, by a view of the argument: a temporary text would be gone.
// expect: keep_it_in_a_variable_because_it_is_gone_before_what_views_it
// lines: 20
#include <bankhook/tracking/joint_accounts.hpp>

#include <string>

std::string id() { return "acc-1"; }

int main() {
  const bankhook::JointAccounts joint;
#ifdef CONTROL
  const std::string kept = id();
  return joint.canonical(kept) == kept ? 0 : 1;
#else
  return joint.canonical(id()).empty() ? 1 : 0;
#endif
}
