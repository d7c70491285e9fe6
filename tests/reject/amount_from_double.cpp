// SPDX-License-Identifier: MIT
// 2.4: an amount is a decimal; a binary fraction, which is never 19.90, is no value for it.
// expect: (write_the_digits_as_an_integer_and_the_scale_or_call|write the digits as an integer and the scale, or call)
// lines: 20
#include <bankhook/domain/initial_transaction.hpp>

int main() {
#ifdef CONTROL
  const bankhook::Decimal amount(1990, 2);
#else
  const bankhook::Decimal amount(19.90);
#endif
  return amount == 0 ? 1 : 0;
}
