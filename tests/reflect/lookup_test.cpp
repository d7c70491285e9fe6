// SPDX-License-Identifier: MIT
// The table that finds a field by its name: every name finds itself, nothing else finds one.
#include <bankhook_catch.hpp>

#include <bankhook/reflect/lookup.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace reflect_lookup_test {

using bankhook::reflect::Lookup;

namespace {

constexpr std::array<std::string_view, 6> names{"id", "externalId", "connectionsOn", "connectionsOff", "connections", "x"};
constexpr Lookup table(names);
// The same first eight bytes and the same size: no hash of these tells them apart.
constexpr std::array<std::string_view, 3> twins{"createdAt_z", "createdAs_z", "createdAr_z"};
constexpr Lookup twin_table(twins);
// Nothing but the end of their first eight bytes, or their sizes, tells these apart.
constexpr std::array<std::string_view, 9> alike{"id",        "line1",  "line2",      "line3",   "firstName",
                                                "firstPart", "line10", "firstNames", "lastName"};
constexpr Lookup alike_table(alike);
constexpr Lookup with_empty(std::array<std::string_view, 2>{"", "a"});
constexpr Lookup empty(std::array<std::string_view, 0>{});

}  // namespace

TEST_CASE("every name finds its own index, in constant expressions, too") {
  STATIC_REQUIRE(table.find("connectionsOff") == 3);
  for (std::size_t i = 0; i < names.size(); ++i) CHECK(table.find(std::string(names[i])) == i);
}

TEST_CASE("a name that differs in any character is not found") {
  for (const std::string_view name : names) {
    for (std::size_t at = 0; at < name.size(); ++at) {
      std::string other(name);
      other[at] = static_cast<char>(other[at] ^ 0x20);
      CHECK(table.find(other) == table.none());
      other = name;
      CHECK(table.find(other.erase(at, 1)) == table.none());
    }
    CHECK(table.find(std::string(name) + "s") == table.none());
  }
  CHECK(table.find("") == table.none());
  CHECK(table.find(std::string(300, 'x')) == table.none());
}

TEST_CASE("names are distinguished by their first eight bytes and their sizes, however short the others are") {
  STATIC_REQUIRE(alike_table.is_hashed());
  for (std::size_t i = 0; i < alike.size(); ++i) CHECK(alike_table.find(alike[i]) == i);
}

TEST_CASE("names that no hash tells apart are compared one by one") {
  STATIC_REQUIRE(table.is_hashed());
  STATIC_REQUIRE_FALSE(twin_table.is_hashed());
  for (std::size_t i = 0; i < twins.size(); ++i) CHECK(twin_table.find(twins[i]) == i);
  CHECK(twin_table.find("createdAq_z") == twin_table.none());
}

TEST_CASE("an empty name is found like any other") {
  CHECK(with_empty.find("") == 0);
  CHECK(with_empty.find("a") == 1);
  CHECK(with_empty.find("b") == with_empty.none());
}

TEST_CASE("an empty table finds nothing") {
  CHECK(empty.find("") == empty.none());
  CHECK(empty.find("id") == empty.none());
}

}  // namespace reflect_lookup_test
