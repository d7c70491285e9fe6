// SPDX-License-Identifier: MIT
// Any event is a std::variant, and has no `<<`: what serialize gives is printed.
// expect: to_print_an_event_include_bankhook_serialize_hpp_and_write_serialize_of_it
// lines: 20
#include <bankhook/bankhook.hpp>

#include <iostream>

int main() {
  const bankhook::AnyEvent event = bankhook::UnknownEvent();
#ifdef CONTROL
  std::cout << bankhook::serialize(event);
#else
  std::cout << event;
#endif
}
