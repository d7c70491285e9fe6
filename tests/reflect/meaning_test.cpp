// SPDX-License-Identifier: MIT
// What structs, fields and values of enumerations mean, where they say so, and nothing where they do not.
#include <bankhook_catch.hpp>

#include <bankhook/base/optional.hpp>
#include <bankhook/json/field_table.hpp>
#include <bankhook/reflect/meaning.hpp>
#include <bankhook/reflect/value_kinds.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace reflect_meaning_test {

enum class Speed : std::uint8_t { next_day, slow };
enum class Size : std::uint8_t { small, large };

}  // namespace reflect_meaning_test

template <>
inline constexpr std::array bankhook::meanings_of<reflect_meaning_test::Speed>{
    bankhook::Meaning{"next_day", "It comes tomorrow"},
    bankhook::Meaning{"slow", "It comes"},
};

namespace reflect_meaning_test {

namespace reflect = bankhook::detail::reflect;

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

struct Order {
  static constexpr bankhook::Meaning meanings[] = {
      {"speed", "How fast"},
      {"before", "How fast it was meant to be"},
      {"size", "How large"},
  };

  bankhook::OpenEnum<Speed> speed{};
  bankhook::nullable<bankhook::OpenEnum<Speed>> before{};
  bankhook::OpenEnum<Size> size{};
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

TEST_CASE("a value of an enumeration says what it means if there is a table beside the enumeration") {
  STATIC_REQUIRE(bankhook::meaning_of(Speed::next_day) == "It comes tomorrow");
  STATIC_REQUIRE(bankhook::meaning_of(Speed::slow) == "It comes");
  STATIC_REQUIRE(bankhook::meaning_of(static_cast<Speed>(7)).empty());
  STATIC_REQUIRE(bankhook::meaning_of(Size::large).empty());
}

TEST_CASE("a field says what its values mean, by their names on the wire, after what it means itself") {
  using bankhook::detail::json::meaning_of;
  const auto& fields = bankhook::detail::json::field_table<Order>.fields;
  CHECK(meaning_of(fields[0]) == "How fast; `nextDay`: It comes tomorrow; `slow`: It comes");
  CHECK(meaning_of(fields[1]) == "How fast it was meant to be; `nextDay`: It comes tomorrow; `slow`: It comes");
  CHECK(meaning_of(fields[2]) == "How large");
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
