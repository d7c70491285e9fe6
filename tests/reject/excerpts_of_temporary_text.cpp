// SPDX-License-Identifier: MIT
// Excerpts are made from the payload while they are asked for, so it has to outlive them.
// expect: keep what is read in a variable: it is gone before what views it
// lines: 20
#include <bankhook/events/rules/excerpt.hpp>

#include <string>

std::string payload() { return R"({"event":"x"})"; }

int main() {
#ifdef CONTROL
  const std::string kept = payload();
  bankhook::Excerpts excerpts(kept);
#else
  bankhook::Excerpts excerpts(payload());
#endif
  return excerpts.of(bankhook::Finding{}).has_value() ? 1 : 0;
}
