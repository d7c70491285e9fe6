// SPDX-License-Identifier: MIT
// A payload that is gone before its event is no argument of parse: the event's views would dangle.
// expect: what_is_read_is_gone_too_early_keep_it_in_a_variable
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
