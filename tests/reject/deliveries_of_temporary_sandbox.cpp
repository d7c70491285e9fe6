// SPDX-License-Identifier: MIT
// A sandbox that is gone before its deliveries are walked gives none.
// expect: keep_it_in_a_variable_because_it_is_gone_before_what_views_it
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
