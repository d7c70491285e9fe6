// SPDX-License-Identifier: MIT
// A payload that is gone before its value is no argument of parse_as, moved or made on the spot.
// expect: what_is_read_is_gone_too_early_keep_it_in_a_variable
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
