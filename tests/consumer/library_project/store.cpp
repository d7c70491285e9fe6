// SPDX-License-Identifier: MIT
// A user's library of one function.
#include <bankhook/parse.hpp>

bool is_event(std::string_view payload) {
  bankhook::Arena arena;
  return bankhook::parse(payload, arena).has_value();
}
