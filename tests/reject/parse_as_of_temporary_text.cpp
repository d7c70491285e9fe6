// SPDX-License-Identifier: MIT
// A payload that is gone before its value is no argument of parse_as, moved or made on the spot.
// expect: keep what is read in a variable: it is gone before what views it
// lines: 20
#include <bankhook/events/parse.hpp>

#include <string>
#include <utility>

int main() {
  bankhook::Arena arena;
  std::string payload = R"({"id":"acc-1","accountHash":null})";
#ifdef CONTROL
  return bankhook::parse_as<bankhook::Account>(payload, arena).has_value() ? 0 : 1;
#else
  return bankhook::parse_as<bankhook::Account>(std::move(payload), arena).has_value() ? 0 : 1;
#endif
}
