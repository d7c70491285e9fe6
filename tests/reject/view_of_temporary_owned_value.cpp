// SPDX-License-Identifier: MIT
// What an owned value views is gone with it, so it cannot be looked into while it is a temporary.
// expect: keep_it_in_a_variable_because_it_is_gone_before_what_views_it
// lines: 20
#include <bankhook/domain/account.hpp>
#include <bankhook/reflect/owned.hpp>

#include <string_view>

int main() {
  const bankhook::Account account{.id = "acc-1", .account_hash = {}};
#ifdef CONTROL
  const bankhook::Owned<bankhook::Account> kept(account);
  const std::string_view id = kept->id;
#else
  const std::string_view id = bankhook::Owned<bankhook::Account>(account)->id;
#endif
  return static_cast<int>(id.size());
}
