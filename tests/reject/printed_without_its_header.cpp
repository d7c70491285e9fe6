// SPDX-License-Identifier: MIT
// An event contains personal data: it is printed only where serialize.hpp is included, which the sentence names.
// expect: to_print_an_event_include_bankhook_serialize_hpp_and_write_serialize_of_it
// lines: 20
#include <bankhook/parse.hpp>

#include <iostream>
#ifdef CONTROL
#include <bankhook/serialize.hpp>
#endif

int main() { std::cout << bankhook::Account(); }
