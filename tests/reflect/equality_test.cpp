// SPDX-License-Identifier: MIT
// Equality and hashing by value: what a view points to counts, not where it points.
#include <bankhook_catch.hpp>

#include <bankhook/base/error.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/domain/account.hpp>
#include <bankhook/domain/connection.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/reflect/equality.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/text/decimal.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_set>
#include <vector>

namespace reflect_equality_test {

namespace reflect = bankhook::detail::reflect;
using bankhook::maybe_absent;
using bankhook::nullable;

namespace {

enum class Kind : std::uint8_t { plain, other };

struct Node {
  std::string_view name;
  nullable<std::string_view> note{};
  maybe_absent<std::uint64_t> weight{};
  bankhook::OpenEnum<Kind> kind{};
  std::chrono::year_month_day day{};
  std::span<const Node> children{};
};

struct Optional {
  nullable<Node> node;
  maybe_absent<std::span<const std::string_view>> texts;
};

template <class T>
std::size_t hash_of(const T& value) {
  return std::hash<T>()(value);
}

constexpr std::chrono::year_month_day new_year{std::chrono::year(2026), std::chrono::January, std::chrono::day(1)};

/// Every one differs from every other one in a single field.
std::vector<Node> different_nodes() {
  static const std::array<Node, 2> children{Node{"child"}, Node{"child"}};
  const Node node{"node", "note", 1, Kind::plain, new_year, {}};
  std::vector<Node> nodes(10, node);
  nodes[1].name = "nod";
  nodes[2].note = {};
  nodes[3].note = "";
  nodes[4].weight = {};
  nodes[5].weight = 0;
  nodes[6].kind = bankhook::OpenEnum<Kind>::of("new");
  nodes[7].day += std::chrono::months(1);
  nodes[8].children = children;
  nodes[9].children = std::span(children).first(1);
  return nodes;
}

}  // namespace

TEST_CASE("values are equal if all their fields are") {
  const std::vector<Node> nodes = different_nodes();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (std::size_t j = 0; j < nodes.size(); ++j) {
      CAPTURE(i, j);
      CHECK(reflect::equal(nodes[i], nodes[j]) == (i == j));
    }
  }
}

TEST_CASE("values that differ in one field have different hashes here") {
  const std::vector<Node> nodes = different_nodes();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) CHECK(reflect::hash(nodes[i]) != reflect::hash(nodes[j]));
  }
}

TEST_CASE("equal values have equal hashes, wherever their text lies") {
  const std::string name = "node with a long name", same_name = name;
  const std::vector<Node> children{Node{name}}, same_children{Node{same_name}};
  const Node node{.name = name, .note = name, .kind = bankhook::OpenEnum<Kind>::of(name), .children = children};
  const Node same{
      .name = same_name, .note = same_name, .kind = bankhook::OpenEnum<Kind>::of(same_name), .children = same_children};
  CHECK(reflect::equal(node, same));
  CHECK(reflect::hash(node) == reflect::hash(same));
}

TEST_CASE("equality looks into optional structs and optional arrays, too") {
  const std::string text = "text", same = "text";
  const std::array<std::string_view, 1> texts{text}, same_texts{same};
  CHECK(reflect::equal(Optional{Node{text}, texts}, Optional{Node{same}, same_texts}));
  CHECK_FALSE(reflect::equal(Optional{Node{text}, {}}, Optional{Node{"other"}, {}}));
  CHECK_FALSE(reflect::equal(Optional{Node{text}, texts}, Optional{Node{text}, {}}));
  CHECK_FALSE(reflect::equal(Optional{{}, texts}, Optional{Node{text}, texts}));
}

TEST_CASE("equality can be asked for in a constant expression") {
  STATIC_REQUIRE(reflect::equal(Node{.name = "a"}, Node{.name = "a"}));
  STATIC_REQUIRE(!reflect::equal(Node{.name = "a"}, Node{.name = "b"}));
}

namespace shop {

struct Item {
  std::string_view name;
  nullable<std::uint32_t> pieces{};
};
using bankhook::operator==;

}  // namespace shop

}  // namespace reflect_equality_test

template <>
struct std::hash<reflect_equality_test::shop::Item> : bankhook::Hash<reflect_equality_test::shop::Item> {};

namespace reflect_equality_test {

TEST_CASE("a struct of another namespace is compared and hashed once it asks for it") {
  const std::array<shop::Item, 2> items{shop::Item{"pen", 2U}, shop::Item{"pad"}};
  const std::string name = "pad";
  CHECK(std::ranges::find(items, shop::Item{name}) == items.begin() + 1);
  CHECK(items[0] != items[1]);
  std::unordered_set<shop::Item> set(items.begin(), items.end());
  CHECK_FALSE(set.insert(shop::Item{name}).second);
  CHECK(set.insert(shop::Item{name, 0U}).second);
}

TEST_CASE("what the specification lists is hashed by value, and so is any event") {
  const std::string id = "acc-1";
  CHECK(std::hash<bankhook::Account>()({.id = id}) == std::hash<bankhook::Account>()({.id = "acc-1"}));
  CHECK(std::hash<bankhook::Account>()({.id = id}) != std::hash<bankhook::Account>()({.id = id, .account_hash = "a"}));
  const bankhook::AnyEvent unknown = bankhook::UnknownEvent{.event = "other", .raw = "{}"};
  CHECK(std::unordered_set<bankhook::AnyEvent>{unknown, unknown, bankhook::InitialTransactionUpdate{}}.size() == 2);
}

TEST_CASE("every value type has a hash, and equal values have equal ones") {
  using bankhook::ConnectionEventType;
  using Open = bankhook::OpenEnum<ConnectionEventType>;
  CHECK(hash_of(Open::of("create")) == hash_of(Open(ConnectionEventType::create)));
  CHECK(hash_of(Open::of("create")) != hash_of(Open::of("update")));
  CHECK(hash_of(nullable<std::string_view>()) != hash_of(nullable<std::string_view>("")));
  CHECK(hash_of(maybe_absent<std::chrono::year_month_day>(new_year)) ==
        hash_of(maybe_absent<std::chrono::year_month_day>(new_year)));
  CHECK(hash_of(bankhook::Error{.offset = 1}) != hash_of(bankhook::Error{.offset = 2}));
  CHECK(hash_of(bankhook::Decimal(199, 1)) == hash_of(bankhook::Decimal(1990, 2)));
}

namespace other {

/// Looks like a table of the specification, and has a hash of its own elsewhere.
struct Table {
  static constexpr std::string_view section = "1";
  std::string_view id;
};

}  // namespace other

TEST_CASE("a struct of another namespace has no std::hash unless somebody gives it one") {
  STATIC_REQUIRE(!std::is_default_constructible_v<std::hash<other::Table>>);
  STATIC_REQUIRE(!std::is_default_constructible_v<std::hash<Node>>);
  STATIC_REQUIRE(std::is_default_constructible_v<std::hash<shop::Item>>);
  STATIC_REQUIRE(std::is_default_constructible_v<std::hash<bankhook::Connection>>);
}

TEST_CASE("a value with a part that has no hash has none") {
  STATIC_REQUIRE(!reflect::Hashable<std::vector<int>>);
  STATIC_REQUIRE(!reflect::Hashable<nullable<std::vector<int>>>);
  STATIC_REQUIRE(!std::is_default_constructible_v<std::hash<nullable<std::vector<int>>>>);
}

}  // namespace reflect_equality_test
