// SPDX-License-Identifier: MIT
// Text as a template argument: the same characters are the same type.
#include <bankhook_catch.hpp>

#include <bankhook/base/fixed_string.hpp>

#include <string_view>
#include <type_traits>

namespace base_fixed_string_test {

using bankhook::FixedString;
using bankhook::join_literals;

namespace {

template <FixedString text>
struct Named {};

}  // namespace

TEST_CASE("a fixed string holds the characters of its literal and no terminating zero more") {
  STATIC_REQUIRE(FixedString("event").size() == 5);
  STATIC_REQUIRE(FixedString("event").view() == "event");
  STATIC_REQUIRE(FixedString("").view().empty());
  STATIC_REQUIRE(FixedString("a\0b").view() == std::string_view("a\0b", 3));
  STATIC_REQUIRE(FixedString("event").characters[5] == '\0');
}

TEST_CASE("equal texts make the same type, different texts different ones") {
  STATIC_REQUIRE(std::is_same_v<Named<"id">, Named<FixedString<2>(std::string_view("id"))>>);
  STATIC_REQUIRE(!std::is_same_v<Named<"id">, Named<"ID">>);
}

TEST_CASE("joined texts stand one after the other") {
  STATIC_REQUIRE(join_literals(FixedString("\""), FixedString("id"), FixedString("\":")).view() == "\"id\":");
  STATIC_REQUIRE(join_literals(FixedString(""), FixedString("a")).size() == 1);
  STATIC_REQUIRE(join_literals(FixedString("")).view().empty());
}

}  // namespace base_fixed_string_test
