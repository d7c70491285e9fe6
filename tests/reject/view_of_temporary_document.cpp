// SPDX-License-Identifier: MIT
// What a document owns is gone with it: neither its event nor its payload can be had from a temporary one.
// expect: keep_it_in_a_variable_because_it_is_gone_before_what_views_it
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
