// SPDX-License-Identifier: MIT
// A field's name with its punctuation and the start of its value has to be seen at once; the sentence says so.
// expect: give the field a shorter name
#include <bankhook/events/parse.hpp>

#include <string_view>

struct Order {
#ifdef CONTROL
  std::string_view a_name_of_sixty_characters_without_underscores_on_the_wire_here;
#else
  std::string_view a_name_of_more_than_sixty_characters_even_without_the_underscores_that_are_left_out_on_the_wire;
#endif
};

int main() {
  bankhook::Arena arena;
  return bankhook::parse_as<Order>(R"({})", arena).has_value() ? 1 : 0;
}
