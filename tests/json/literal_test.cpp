// SPDX-License-Identifier: MIT
// Literals: a payload in the source is a constant with static storage; compiling these tests is passing most of them.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/json/literal.hpp>
#include <bankhook/json/read/read.hpp>
#include <bankhook/reflect/equality.hpp>
#include <bankhook/text/decimal.hpp>
#include <bankhook/text/timestamp.hpp>

#include <chrono>
#include <cstdint>
#include <span>
#include <string_view>

namespace json_literal_test {

namespace json = bankhook::json;
using bankhook::maybe_absent;
using bankhook::nullable;

namespace {

struct Leaf {
  std::string_view id;
  nullable<std::string_view> note;
};

struct Branch {
  std::string_view id;
  std::span<const Leaf> leaves;
  std::span<const std::string_view> words;
};

struct Tree {
  std::string_view id;
  std::span<const Branch> branches;
  maybe_absent<bankhook::Decimal> amount;
  maybe_absent<std::chrono::year_month_day> day;
};

struct Recursive {
  std::string_view id;
  std::span<const Recursive> children;
};

struct Values {
  bool flag;
  std::int64_t number;
  bankhook::Decimal amount;
  bankhook::LocalTimestamp local;
  bankhook::Timestamp date;
};

constexpr const Tree& tree = json::literal<Tree, R"( {
  "branches": [
    {"id": "b1", "leaves": [{"id": "l1", "note": null}, {"note": "n\"2\"", "id": "l2"}], "words": ["w1", "\u00e9"]},
    {"id": "b2", "words": [], "leaves": [], "more": [1, {"x": "y"}]},
    {"id": "b3", "words": ["\ud83d\ude00", "w3"], "leaves": [{"id": "l3", "note": "n3"}]}
  ],
  "id": "a\tb",
  "amount": 19.90
} )">;

}  // namespace

TEST_CASE("a literal is read by the compiler, arrays and all") {
  STATIC_REQUIRE(tree.branches.size() == 3);
  STATIC_REQUIRE(tree.branches[0].leaves.size() == 2);
  STATIC_REQUIRE(tree.branches[0].leaves[0].id == "l1");
  STATIC_REQUIRE(!tree.branches[0].leaves[0].note.has_value());
  STATIC_REQUIRE(tree.branches[1].leaves.empty());
  STATIC_REQUIRE(tree.branches[2].leaves[0].note == "n3");
  STATIC_REQUIRE(tree.branches[2].words[1] == "w3");
  STATIC_REQUIRE(*tree.amount == bankhook::Decimal(1990, 2));
  STATIC_REQUIRE(!tree.day.has_value());
}

TEST_CASE("escapes in a literal are decoded by the compiler") {
  STATIC_REQUIRE(tree.id == "a\tb");
  STATIC_REQUIRE(tree.branches[0].leaves[1].note == "n\"2\"");
  STATIC_REQUIRE(tree.branches[0].words[1] == "é");
  STATIC_REQUIRE(tree.branches[2].words[0] == "😀");
}

TEST_CASE("a literal of a struct that holds itself is read") {
  constexpr const Recursive& root =
      json::literal<Recursive,
                    R"({"id":"a","children":[{"id":"b","children":[{"id":"c","children":[]}]},{"id":"d","children":[]}]})">;
  STATIC_REQUIRE(root.children.size() == 2);
  STATIC_REQUIRE(root.children[0].children[0].id == "c");
  STATIC_REQUIRE(root.children[1].id == "d");
}

TEST_CASE("values of every kind are read by the compiler") {
  using namespace std::chrono;
  constexpr const Values& values = json::literal<
      Values,
      R"({"flag":true,"number":-7,"amount":1e2,"local":"2026-02-28 23:59:59.5","date":"2026-02-28T23:59:59+01:00"})">;
  STATIC_REQUIRE(values.flag);
  STATIC_REQUIRE(values.number == -7);
  STATIC_REQUIRE(values.amount == 100);
  STATIC_REQUIRE(values.local.date() == 2026y / February / 28);
  STATIC_REQUIRE(values.date.offset() == 1h);
  STATIC_REQUIRE(json::literal<std::string_view, "\"a\""> == "a");
  STATIC_REQUIRE(json::literal<std::span<const int>, "[1,2,3]">.size() == 3);
}

TEST_CASE("a literal is what the same text is when the program runs") {
  constexpr bankhook::FixedString text(
      R"({"id":"\u00e9","branches":[{"id":"b","leaves":[],"words":["x","y"]}],"day":null})");
  bankhook::Arena arena;
  const auto read = json::read<Tree>(text.view(), arena);
  REQUIRE(read.has_value());
  CHECK(bankhook::reflect::equal(*read, json::literal<Tree, text>));
}

}  // namespace json_literal_test
