// SPDX-License-Identifier: MIT
// A payload that is gone before its event is no argument of parse: the event's views would dangle.
// expect: keep what is read in a variable: it is gone before what views it
// lines: 20
#include <bankhook/events/parse.hpp>

#include <string>

std::string payload() { return R"({"event":"x"})"; }

int main() {
  bankhook::Arena arena;
#ifdef CONTROL
  const std::string kept = payload();
  return bankhook::parse(kept, arena).has_value() ? 0 : 1;
#else
  return bankhook::parse(payload(), arena).has_value() ? 0 : 1;
#endif
}
