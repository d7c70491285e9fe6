// SPDX-License-Identifier: MIT
// A program that writes a value, into a new text and at the end of another.
#include <bankhook/serialize.hpp>

#include <string>

int main() {
  const bankhook::Account account{.id = "a"};
  std::string appended = "[";
  bankhook::serialize_to(account, appended);
  return appended == "[" + bankhook::serialize(account) ? 0 : 1;
}
