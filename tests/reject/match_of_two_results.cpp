// SPDX-License-Identifier: MIT
// What match gives has one type, whatever the event is.
// expect: return the same type from all handlers of match
// lines: 20
#include <bankhook/parse.hpp>

#ifdef CONTROL
using Other = int;
#else
using Other = long;
#endif

int size(const bankhook::AnyEvent& event) {
  return bankhook::match(event, [](const bankhook::UnknownEvent&) { return 1; }, [](const auto&) { return Other(2); });
}

int main() { return size(bankhook::UnknownEvent()) - 1; }
