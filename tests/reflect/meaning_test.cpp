// SPDX-License-Identifier: MIT
// What a struct and its fields mean, where the struct says so, and nothing where it does not.
#include <bankhook_catch.hpp>

#include <bankhook/reflect/meaning.hpp>

#include <string_view>

namespace reflect_meaning_test {

namespace reflect = bankhook::reflect;

namespace {

struct Parcel {
  static constexpr std::string_view meaning = "What is on its way";
  static constexpr bankhook::Meaning meanings[] = {
      {"weight", "In grams, 0 or more"},
      {"label", "As printed"},
  };

  int weight{};
  std::string_view label{};
};

struct Silent {
  int weight{};
};

}  // namespace

TEST_CASE("a struct says what it means, and what each field means") {
  STATIC_REQUIRE(reflect::meaning<Parcel> == "What is on its way");
  STATIC_REQUIRE(reflect::field_meaning<Parcel, 0> == "In grams, 0 or more");
  STATIC_REQUIRE(reflect::field_meaning<Parcel, 1> == "As printed");
}

TEST_CASE("a struct need not say what it means") {
  STATIC_REQUIRE(reflect::meaning<Silent>.empty());
  STATIC_REQUIRE(reflect::field_meaning<Silent, 0>.empty());
}

TEST_CASE("the meanings of a struct are not counted as fields") {
  STATIC_REQUIRE(reflect::field_count<Parcel> == 2);
  STATIC_REQUIRE(sizeof(Silent) == sizeof(int));
  STATIC_REQUIRE(sizeof(Parcel) == sizeof(void*) + sizeof(std::string_view));
}

}  // namespace reflect_meaning_test
