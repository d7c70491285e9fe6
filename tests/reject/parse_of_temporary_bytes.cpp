// SPDX-License-Identifier: MIT
// Bytes that are gone before the event are refused as a text is, whatever they are called.
// expect: keep what is read in a variable: it is gone before what views it
// lines: 20
#include <bankhook/events/parse.hpp>

#include <vector>

std::vector<unsigned char> body() { return {'{', '}'}; }

int main() {
  bankhook::Arena arena;
#ifdef CONTROL
  const auto kept = body();
  return bankhook::parse(kept, arena).has_value() ? 1 : 0;
#else
  return bankhook::parse(body(), arena).has_value() ? 1 : 0;
#endif
}
