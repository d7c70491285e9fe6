// SPDX-License-Identifier: MIT
// Nesting: a struct may hold arrays of itself, and no depth of brackets exhausts the stack.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/json/parse.hpp>
#include <bankhook/reflect/owned.hpp>

#include <json/show.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace json_depth_test {

using bankhook::Errc;

namespace {

struct Tree {
  std::string_view name;
  std::span<const Tree> branches;
};

struct Leaves {
  std::span<const Tree> leaf;
  Tree tree;
};

struct Unlisted {};

std::string repeat(std::string_view text, std::size_t times) {
  std::string repeated;
  for (std::size_t i = 0; i < times; ++i) repeated += text;
  return repeated;
}

/// `levels` trees inside of each other, in the struct's order or in the other one.
std::string nested_trees(std::size_t levels, bool in_order = true) {
  const std::string_view open = in_order ? R"({"name":"a","branches":[)" : R"({"branches":[)";
  const std::string_view close = in_order ? "]}" : R"(],"name":"a"})";
  return repeat(open, levels) + repeat(close, levels);
}

std::size_t depth_of(const Tree& tree) { return tree.branches.empty() ? 1 : 1 + depth_of(tree.branches[0]); }

}  // namespace

TEST_CASE("a struct with an array of itself is read, kept and written") {
  const std::string json =
      R"({"name":"root","branches":[{"name":"a","branches":[{"name":"b","branches":[]}]},{"name":"c","branches":[]}]})";
  bankhook::Arena arena;
  const auto tree = bankhook::detail::json::parse<Tree>(json, arena);
  REQUIRE(tree.has_value());
  CHECK(tree->branches.size() == 2);
  CHECK(tree->branches[0].branches[0].name == "b");
  std::string again;
  bankhook::detail::json::write(*tree, again);
  CHECK(again == json);
  const bankhook::Owned<Tree> owned(*tree);
  arena.reset();
  CHECK(bankhook::Owned<Tree>(*owned) == owned);
}

TEST_CASE("a tree wider and deeper than the arena's first guess is read whole") {
  const std::string leaf = R"({"name":"leaf","branches":[]})";
  const auto branches = [](const std::string& branch, std::size_t count) {
    return R"({"name":"node","branches":[)" + repeat(branch + ",", count - 1) + branch + "]}";
  };
  const std::string json = branches(branches(branches(leaf, 7), 100), 5);
  bankhook::Arena arena;
  for (int round = 0; round < 3; ++round) {
    arena.reset();
    const auto tree = bankhook::detail::json::parse<Tree>(json, arena);
    REQUIRE(tree.has_value());
    std::string again;
    bankhook::detail::json::write(*tree, again);
    CHECK(again == json);
  }
}

TEST_CASE("1024 levels of objects and arrays are read, one more is rejected at its bracket") {
  bankhook::Arena arena;
  for (const bool in_order : {true, false}) {
    const auto tree = bankhook::detail::json::parse<Tree>(nested_trees(512, in_order), arena);
    REQUIRE(tree.has_value());
    CHECK(depth_of(*tree) == 512);
    const std::string deeper = nested_trees(513, in_order);
    const auto rejected = bankhook::detail::json::parse<Tree>(deeper, arena);
    REQUIRE_FALSE(rejected.has_value());
    CHECK(rejected.error().code == Errc::nested_too_deeply);
    CHECK(rejected.error().offset == 512 * (deeper.find('[') + 1));  // the brace of tree 513
  }
}

TEST_CASE("an empty array counts like any other") {
  bankhook::Arena arena;
  const auto lists = [](std::size_t levels) {  // trees whose innermost one has an array more than a tree around it
    return repeat(R"({"name":"a","branches":[)", levels) + repeat("]}", levels);
  };
  CHECK(bankhook::detail::json::parse<Tree>(lists(512), arena).has_value());
  const auto leaves = bankhook::detail::json::parse<Leaves>(R"({"leaf":[],"tree":)" + lists(511) + "}", arena);
  CHECK(leaves.has_value());
  CHECK(bankhook::detail::json::parse<Leaves>(R"({"leaf":[],"tree":)" + lists(512) + "}", arena).error().code ==
        Errc::nested_too_deeply);  // 1 + 2 * 512: the last array is empty
}

TEST_CASE("levels that are closed again do not count") {
  bankhook::Arena arena;
  const std::string json = R"({"name":"a","branches":[)" + repeat(nested_trees(3) + ",", 2000) + nested_trees(3) + "]}";
  const auto tree = bankhook::detail::json::parse<Tree>(json, arena);
  REQUIRE(tree.has_value());
  CHECK(tree->branches.size() == 2001);
}

TEST_CASE("values that are skipped count from the start of the text, too") {
  bankhook::Arena arena;
  for (const auto& [open, close] : {std::pair{"[", "]"}, {R"({"x":)", "}"}}) {
    const auto nested = [&](std::size_t levels, std::string_view core) {
      return "{\"more\":" + repeat(open, levels) + std::string(core) + repeat(close, levels) + "}";
    };
    CHECK(bankhook::detail::json::parse<Unlisted>(nested(1023, "0"), arena).has_value());  // and the object around
    CHECK(bankhook::detail::json::parse<Unlisted>(nested(1022, "[]"), arena).has_value());
    CHECK_FALSE(bankhook::detail::json::parse<Unlisted>(nested(1023, "[]"), arena).has_value());
    const auto rejected = bankhook::detail::json::parse<Unlisted>(nested(1024, "0"), arena);
    REQUIRE_FALSE(rejected.has_value());
    CHECK(rejected.error().code == Errc::nested_too_deeply);
    CHECK(rejected.error().offset == 8 + 1023 * std::string_view(open).size());
  }
}

TEST_CASE("millions of brackets are an error, not a stack overflow") {
  bankhook::Arena arena;
  for (const std::string_view brackets : {"[", "[{\"x\":", R"({"name":"a","branches":[)"}) {
    const std::string text = "{\"branches\":" + repeat(brackets, 1'000'000);
    CHECK(bankhook::detail::json::parse<Unlisted>(text, arena).error().code == Errc::nested_too_deeply);
    CHECK_FALSE(bankhook::detail::json::parse<Tree>(text, arena).has_value());
    CHECK_FALSE(bankhook::detail::json::parse<Tree>(text.substr(12), arena).has_value());
  }
}

TEST_CASE("brackets of two kinds that cross each other are rejected at any depth") {
  bankhook::Arena arena;
  for (const std::size_t level : {1U, 63U, 64U, 65U, 200U, 1000U}) {
    std::string text = "{\"more\":" + repeat("[{\"x\":", level / 2) + "0" + repeat("}]", level / 2) + "}";
    if (level > 1) CHECK(bankhook::detail::json::parse<Unlisted>(text, arena).has_value());
    const std::size_t close = text.find(level > 1 ? "}]" : "}");
    text[close] = ']';
    CHECK_FALSE(bankhook::detail::json::parse<Unlisted>(text, arena).has_value());
  }
}

}  // namespace json_depth_test
