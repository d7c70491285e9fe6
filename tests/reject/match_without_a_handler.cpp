// SPDX-License-Identifier: MIT
// A match that forgets an event does not compile.
// expect: write a handler of match for this event
// lines: 20
#include <bankhook/bankhook.hpp>

int main() {
  const bankhook::AnyEvent event;
  return bankhook::match(
      event, [](const bankhook::BankConnectionsUpdateV2&) { return 0; },
#ifdef CONTROL
      [](const bankhook::UnknownEvent&) { return 1; },
#endif
      [](const bankhook::InitialTransactionUpdate&) { return 2; });
}
