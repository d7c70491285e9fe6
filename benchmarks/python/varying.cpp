// SPDX-License-Identifier: MIT
// Prints the events whose texts vary, one a line, for benchmarks that are not in C++: `varying KIND BYTES`, of mixed ids.
#include "../varying.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

int main(int count, char** arguments) {
  using bankhook::bench::Variety, bankhook::bench::VaryingEvents;
  if (count != 3) return 2;
  const std::string_view kind = arguments[1];
  VaryingEvents events(Variety{3, Variety::Ids::mixed, 6});
  for (long long left = std::atoll(arguments[2]); left > 0;) {
    const std::string payload = kind == "transaction" ? events.transaction()
                                : kind == "everyday"  ? events.everyday()
                                                      : events.heavy();
    left -= static_cast<long long>(payload.size());
    std::puts(payload.c_str());
  }
}
