// SPDX-License-Identifier: MIT
// A program that simulates the service.
#include <bankhook/sandbox.hpp>

#include <cstddef>

int main() {
  bankhook::Sandbox sandbox(7, {.members = 2, .faults = {.duplicate = 0.1}});
  if (!sandbox.create_connection(sandbox.member(0).id)) return 1;
  std::size_t bytes = 0;
  for (const bankhook::Delivery& delivery : sandbox.deliveries(20)) bytes += delivery.payload.size();
  return bytes > 0 ? 0 : 2;
}
