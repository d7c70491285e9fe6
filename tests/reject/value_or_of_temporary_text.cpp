// SPDX-License-Identifier: MIT
// What stands in for a missing text is viewed, too, and must not be gone before it.
// expect: keep the other value in a variable: it is gone before what views it
// lines: 20
#include <bankhook/domain/account.hpp>

#include <string>
#include <string_view>

std::string hash() { return "0f3c"; }

int main() {
  const bankhook::Account account{.id = "acc-1"};
#ifdef CONTROL
  const std::string kept = hash();
  const std::string_view shown = account.account_hash.value_or(kept);
#else
  const std::string_view shown = account.account_hash.value_or(hash());
#endif
  return static_cast<int>(shown.size()) - 4;
}
