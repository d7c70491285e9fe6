// SPDX-License-Identifier: MIT
// An amount is 64 bits with a sign: an integer without one may not fit, and would change its value in silence.
// expect: (write_the_digits_as_an_integer_and_the_scale_or_call|write the digits as an integer and the scale, or call)
// lines: 20
#include <bankhook/domain/initial_transaction.hpp>

#include <cstdint>

int main() {
#ifdef CONTROL
  const bankhook::Decimal amount = std::uint32_t{1990};
#else
  const bankhook::Decimal amount = std::uint64_t{1990};
#endif
  return amount == 0 ? 1 : 0;
}
