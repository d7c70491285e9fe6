// SPDX-License-Identifier: MIT
// "T or null" and "may be missing": the interface of std::optional, and never one for the other.
#include <bankhook_catch.hpp>

#include <bankhook/base/optional.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace base_optional_test {

using bankhook::maybe_absent;
using bankhook::nullable;

namespace {

using Text = std::string_view;

template <class Left, class Right>
concept Comparable = requires(const Left& left, const Right& right) { left == right; };

template <class Left, class Right>
concept Ordered = requires(const Left& left, const Right& right) { left < right; };

}  // namespace

TEST_CASE("null and absent are different types that neither convert nor compare to each other") {
  STATIC_REQUIRE(!std::is_convertible_v<nullable<Text>, maybe_absent<Text>>);
  STATIC_REQUIRE(!std::is_convertible_v<maybe_absent<Text>, nullable<Text>>);
  STATIC_REQUIRE(!std::is_constructible_v<nullable<Text>, maybe_absent<Text>>);
  STATIC_REQUIRE(!std::is_assignable_v<nullable<Text>&, maybe_absent<Text>>);
  STATIC_REQUIRE(!std::is_assignable_v<maybe_absent<Text>&, nullable<Text>>);
  STATIC_REQUIRE(!Comparable<nullable<Text>, maybe_absent<Text>>);
  STATIC_REQUIRE(!Comparable<maybe_absent<Text>, nullable<Text>>);
  STATIC_REQUIRE(!Comparable<nullable<bool>, maybe_absent<bool>>);
  STATIC_REQUIRE(!Ordered<nullable<Text>, maybe_absent<Text>>);
  STATIC_REQUIRE(!Ordered<maybe_absent<Text>, nullable<Text>>);
  STATIC_REQUIRE(Comparable<nullable<Text>, nullable<Text>>);
  STATIC_REQUIRE(Comparable<nullable<Text>, Text>);
}

TEST_CASE("an optional value is no truth value by itself") {
  STATIC_REQUIRE(!std::is_convertible_v<nullable<bool>, bool>);
  STATIC_REQUIRE(std::is_constructible_v<bool, nullable<bool>>);
}

TEMPLATE_TEST_CASE("an optional value starts empty, takes a value and loses it", "", nullable<int>, maybe_absent<int>) {
  TestType value;
  CHECK_FALSE(value.has_value());
  CHECK_FALSE(value);
  CHECK(value == std::nullopt);
  value = 7;
  CHECK(value.has_value());
  CHECK(*value == 7);
  CHECK(value.value() == 7);
  CHECK(value == 7);
  CHECK(value != 8);
  CHECK(value != std::nullopt);
  CHECK(value == TestType(7));
  CHECK(value != TestType());
  CHECK(value.emplace(9) == 9);
  value.reset();
  CHECK(value == TestType());
  value = std::nullopt;
  CHECK_FALSE(value);
}

TEMPLATE_TEST_CASE("an optional value is used like std::optional", "", nullable<Text>, maybe_absent<Text>) {
  constexpr TestType none;
  constexpr TestType some = "some";
  STATIC_REQUIRE(some->size() == 4);
  STATIC_REQUIRE(none.value_or("other") == "other");
  STATIC_REQUIRE(some.value_or("other") == "some");
  STATIC_REQUIRE(some.transform([](Text text) { return text.size(); }) == std::optional<std::size_t>(4));
  STATIC_REQUIRE(none.transform([](Text text) { return text.size(); }) == std::nullopt);
  STATIC_REQUIRE(some.and_then([](Text text) { return std::optional<char>(text[0]); }) == 's');
  STATIC_REQUIRE(none.or_else([] { return TestType("other"); }) == "other");
  STATIC_REQUIRE(some.or_else([] { return TestType("other"); }) == "some");
  CHECK_THROWS_AS(none.value(), std::bad_optional_access);
}

TEMPLATE_TEST_CASE("an optional value converts from and to std::optional", "", nullable<Text>, maybe_absent<Text>) {
  const std::optional<Text> some = "some", none;
  const TestType value = some;
  CHECK(value == "some");
  CHECK(value == some);
  CHECK(some == value);
  CHECK(TestType(none) == none);
  CHECK(none == TestType());
  CHECK(value != none);
  CHECK(none != value);
  const std::optional<Text> back = value;
  CHECK(back == "some");
  TestType assigned = "other";
  assigned = none;
  CHECK(assigned == std::nullopt);
  CHECK(std::optional<Text>(TestType()) == std::nullopt);
  CHECK(TestType(std::in_place, "some text", 4U) == "some");
}

TEST_CASE("a std::optional that may be empty does not become a field that is present and null") {
  STATIC_REQUIRE(!std::is_convertible_v<std::optional<Text>, maybe_absent<nullable<Text>>>);
  STATIC_REQUIRE(!std::is_assignable_v<maybe_absent<nullable<Text>>&, std::optional<Text>>);
  STATIC_REQUIRE(!std::is_constructible_v<maybe_absent<nullable<Text>>, std::optional<Text>>);
  STATIC_REQUIRE(std::is_convertible_v<std::optional<nullable<Text>>, maybe_absent<nullable<Text>>>);
}

TEMPLATE_TEST_CASE("an optional value has the order of its type, and an empty one comes first", "", nullable<Text>,
                   maybe_absent<Text>) {
  const TestType none, a = "a", b = "b";
  CHECK(none < a);
  CHECK(a < b);
  CHECK(a < "b");
  CHECK("a" < b);
  CHECK(none < "");
  CHECK((a <=> a) == std::strong_ordering::equal);
  CHECK(a > std::nullopt);
  CHECK((none <=> std::nullopt) == std::strong_ordering::equal);
  CHECK(a < std::optional<Text>("b"));
  CHECK(std::optional<Text>() < a);
}

TEST_CASE("optional values of a type without an order have none") {
  struct Unordered {
    int value;
    bool operator==(const Unordered&) const = default;
  };
  STATIC_REQUIRE(std::three_way_comparable<nullable<int>>);
  STATIC_REQUIRE(!std::three_way_comparable<nullable<Unordered>>);
  STATIC_REQUIRE(std::equality_comparable<nullable<Unordered>>);
}

TEST_CASE("a value is changed in its place") {
  nullable<int> value = 7;
  ++*value;
  ++value.value();
  CHECK(value == 9);
}

TEST_CASE("and_then gives the kind of optional value that its function gives") {
  constexpr nullable<int> some = 7;
  constexpr auto absent = [](int) { return maybe_absent<char>(); };
  STATIC_REQUIRE(std::is_same_v<decltype(some.and_then(absent)), maybe_absent<char>>);
  STATIC_REQUIRE(std::is_same_v<decltype(some.transform([](int) { return 'c'; })), std::optional<char>>);
}

TEST_CASE("an optional value converts from what its type converts from") {
  const std::string text = "text";
  const nullable<Text> from_string = text;
  CHECK(from_string == "text");
  CHECK(from_string == text);
  STATIC_REQUIRE(!std::is_constructible_v<nullable<int>, Text>);
}

TEST_CASE("a text or an array that would be gone before the view of it makes no optional view") {
  STATIC_REQUIRE(!std::is_convertible_v<std::string, nullable<Text>>);
  STATIC_REQUIRE(!std::is_convertible_v<const std::string, maybe_absent<nullable<Text>>>);
  STATIC_REQUIRE(!std::is_assignable_v<nullable<Text>&, std::string>);
  STATIC_REQUIRE(std::is_assignable_v<nullable<Text>&, std::string&>);
  STATIC_REQUIRE(std::is_convertible_v<Text, nullable<Text>>);
  STATIC_REQUIRE(std::is_convertible_v<std::string, nullable<std::string>>);
  STATIC_REQUIRE(!std::is_convertible_v<std::vector<int>, nullable<std::span<const int>>>);
  STATIC_REQUIRE(std::is_convertible_v<std::vector<int>&, nullable<std::span<const int>>>);
}

TEST_CASE("a field may be missing or null: three states are distinguished") {
  constexpr maybe_absent<nullable<Text>> absent;
  constexpr maybe_absent<nullable<Text>> null = nullable<Text>();
  constexpr maybe_absent<nullable<Text>> text = nullable<Text>("text");
  STATIC_REQUIRE(!absent.has_value());
  STATIC_REQUIRE((null.has_value() && !null->has_value()));
  STATIC_REQUIRE((text.has_value() && **text == "text"));
  STATIC_REQUIRE(absent != null);
  STATIC_REQUIRE(null != text);
  STATIC_REQUIRE(text == nullable<Text>("text"));
  STATIC_REQUIRE(text == "text");
}

TEST_CASE("optional values are trivially copyable where their value is") {
  STATIC_REQUIRE(std::is_trivially_copyable_v<nullable<Text>>);
  STATIC_REQUIRE(std::is_trivially_copyable_v<maybe_absent<nullable<Text>>>);
  STATIC_REQUIRE(!std::is_trivially_copyable_v<nullable<std::string>>);
}

}  // namespace base_optional_test
