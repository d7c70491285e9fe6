// SPDX-License-Identifier: MIT
// The padded view of a payload that is gone before its event is not made: the event's views would dangle.
// expect: keep what is read in a variable: it is gone before what views it
// lines: 20
#include <bankhook/events/parse.hpp>

#include <string>

std::string payload() { return std::string(R"({"event":"x"})") + std::string(bankhook::PaddedView::padding, ' '); }

int main() {
  bankhook::Arena arena;
#ifdef CONTROL
  const std::string kept = payload();
  return bankhook::parse(bankhook::PaddedView(kept), arena).has_value() ? 0 : 1;
#else
  return bankhook::parse(bankhook::PaddedView(payload()), arena).has_value() ? 0 : 1;
#endif
}
