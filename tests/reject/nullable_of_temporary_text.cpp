// SPDX-License-Identifier: MIT
// A nullable text is a view, and what it views must not be gone before it.
// expect: (keep_it_in_a_variable_because_it_is_gone_before_what|: keep it in a variable: it is gone before what views it)
// lines: 20
#include <bankhook/domain/account.hpp>

#include <string>

std::string hash() { return "0f3c"; }

int main() {
#ifdef CONTROL
  const std::string kept = hash();
  const bankhook::Account account{.id = "acc-1", .account_hash = kept};
#else
  const bankhook::Account account{.id = "acc-1", .account_hash = hash()};
#endif
  return account.account_hash ? 0 : 1;
}
