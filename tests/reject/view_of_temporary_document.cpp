// SPDX-License-Identifier: MIT
// What a document owns is gone with it: neither its event nor its payload can be had from a temporary one.
// expect: (use of deleted function|call to deleted member function 'event')
#include <bankhook/events/parse.hpp>

int main() {
#ifdef CONTROL
  const auto document = bankhook::Document::parse(R"({"event":"x"})").value();
  const bankhook::AnyEvent& event = document.event();
#else
  const bankhook::AnyEvent& event = bankhook::Document::parse(R"({"event":"x"})").value().event();
#endif
  return static_cast<int>(event.index()) - 2;
}
