// SPDX-License-Identifier: MIT
// A character is no amount, though it is an integer to the language.
// expect: (write_the_digits_as_an_integer_and_the_scale_or_call|write the digits as an integer and the scale, or call)
// lines: 20
#include <bankhook/domain/initial_transaction.hpp>

int main() {
#ifdef CONTROL
  const bankhook::Decimal amount = 7;
#else
  const bankhook::Decimal amount = '7';
#endif
  return amount == 0 ? 1 : 0;
}
