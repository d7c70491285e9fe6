// SPDX-License-Identifier: MIT
// A character is no amount, though it is an integer to the language.
// expect: (use of deleted function|call to deleted constructor|conversion function from .* invokes a deleted)
#include <bankhook/domain/initial_transaction.hpp>

int main() {
#ifdef CONTROL
  const bankhook::Decimal amount = 7;
#else
  const bankhook::Decimal amount = '7';
#endif
  return amount == 0 ? 1 : 0;
}
