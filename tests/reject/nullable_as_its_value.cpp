// SPDX-License-Identifier: MIT
// 2.3: an account's hash may be null, so it is no text before somebody looked.
// expect: (cannot convert|no viable conversion|could not convert|conversion from)
// lines: 20
#include <bankhook/domain/account.hpp>

#include <string_view>

int main() {
  const bankhook::Account account{"acc-1", "hash-1"};
#ifdef CONTROL
  const std::string_view hash = *account.account_hash;
#else
  const std::string_view hash = account.account_hash;
#endif
  return hash.empty() ? 1 : 0;
}
