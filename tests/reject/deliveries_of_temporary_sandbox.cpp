// SPDX-License-Identifier: MIT
// A sandbox that is gone before its deliveries are walked gives none.
// expect: (use of deleted function|call to deleted member function|invokes a deleted function)
#include <bankhook/sandbox/sandbox.hpp>

int main() {
  std::size_t bytes = 0;
#ifdef CONTROL
  bankhook::Sandbox sandbox(1);
  for (const bankhook::Delivery& delivery : sandbox.deliveries(3)) bytes += delivery.payload.size();
#else
  for (const bankhook::Delivery& delivery : bankhook::Sandbox(1).deliveries(3)) bytes += delivery.payload.size();
#endif
  return bytes == 0 ? 1 : 0;
}
