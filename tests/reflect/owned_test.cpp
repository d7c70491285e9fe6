// SPDX-License-Identifier: MIT
// Owned: a deep copy that needs nothing of what it was copied from.
#include <bankhook_catch.hpp>

#include <bankhook/base/optional.hpp>
#include <bankhook/reflect/owned.hpp>
#include <bankhook/reflect/value_kinds.hpp>

#include <json/guarded.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace reflect_owned_test {

using bankhook::maybe_absent;
using bankhook::nullable;
using bankhook::Owned;

namespace {

enum class Kind : std::uint8_t { plain };

struct Node {
  std::string_view name;
  nullable<std::string_view> note{};
  maybe_absent<nullable<std::string_view>> remark{};
  bankhook::OpenEnum<Kind> kind{};
  std::span<const std::string_view> words{};
  std::span<const Node> children{};
};

/// A value whose every view points into memory that is gone once the result has been made.
Owned<Node> owned_from_memory_that_is_gone() {
  const auto text = std::make_unique<std::string>("some text that is too long to be stored in a string itself");
  const auto words = std::make_unique<std::vector<std::string_view>>(3, *text);
  const auto leaf = std::make_unique<std::array<Node, 2>>();
  (*leaf)[1].name = *text;
  (*leaf)[1].kind = bankhook::OpenEnum<Kind>::of(*text);
  const auto child = std::make_unique<std::array<Node, 1>>();
  (*child)[0] = {.name = *text, .note = *text, .words = *words, .children = *leaf};
  const Owned<Node> owned(Node{*text, *text, nullable<std::string_view>(*text), {}, *words, *child});
  text->assign(text->size(), '#');
  return owned;
}

}  // namespace

TEST_CASE("an owned value keeps all text and arrays when their source is gone") {
  constexpr std::string_view text = "some text that is too long to be stored in a string itself";
  const Owned<Node> owned = owned_from_memory_that_is_gone();
  CHECK(owned->name == text);
  CHECK(owned->note == text);
  CHECK(**owned->remark == text);
  REQUIRE(owned->words.size() == 3);
  CHECK(owned->words[2] == text);
  REQUIRE(owned->children.size() == 1);
  const Node& child = owned->children[0];
  CHECK(child.words[0] == text);
  REQUIRE(child.children.size() == 2);
  CHECK(child.children[0].name.empty());
  CHECK(child.children[1].kind.text() == text);
  CHECK_FALSE(child.children[1].kind.is_known());
}

TEST_CASE("the views of an owned value stay valid when it moves") {
  Owned<Node> owned = owned_from_memory_that_is_gone();
  const std::string_view name = owned->name;
  const Owned<Node> moved = std::move(owned);
  CHECK(moved->name.data() == name.data());
  CHECK(moved->name == name);
}

TEST_CASE("a copy of an owned value shares nothing with it") {
  std::vector<Owned<Node>> values{owned_from_memory_that_is_gone()};
  const Owned<Node> copy = values[0];
  CHECK(copy == values[0]);
  CHECK(copy->name.data() != values[0]->name.data());
  values.clear();
  CHECK(copy->children[0].words[1].size() == 58);
}

TEST_CASE("a text of any length is copied whole, and no byte beside it is touched") {
  std::string text;
  for (; text.size() < 200; text += static_cast<char>('a' + text.size() % 26)) {
    const bankhook::test::ExactCopy exact(text);
    const Owned<std::string_view> owned(exact.view());
    CHECK(*owned == text);
  }
}

TEST_CASE("an owned value can be replaced, by itself, too") {
  Owned<Node> value = owned_from_memory_that_is_gone();
  const Owned<Node> other(Node{.name = "other"});
  const Owned<Node>& itself = value;
  value = itself;
  CHECK(value == owned_from_memory_that_is_gone());
  value = other;
  CHECK(value == other);
  CHECK(other->name == "other");
  Owned<Node> emptied = std::move(value);
  value = Owned<Node>(Node{.name = "new"});
  CHECK(value->name == "new");
  CHECK(emptied == other);
}

TEST_CASE("owned values are equal by what they hold") {
  CHECK(Owned<Node>(Node{.name = "a"}) == Owned<Node>(Node{.name = "a"}));
  CHECK(Owned<Node>(Node{.name = "a"}) != Owned<Node>(Node{.name = "b"}));
}

TEST_CASE("a value in a variant is owned with all that it views") {
  auto text = std::make_unique<std::string>("some text that is too long to be stored in a string itself");
  using Either = std::variant<std::int64_t, Node>;
  const Owned<Either> owned(Either(Node{.name = *text}));
  text->assign(text->size(), '#');
  CHECK(std::get<Node>(*owned).name.starts_with("some text"));
}

TEST_CASE("values of every alignment stand where they may, whatever stands before them") {
  struct Mixed {
    std::string_view text;
    std::span<const std::uint8_t> bytes{};
    std::span<const long double> wide{};
    std::span<const std::uint16_t> small{};
    std::span<const std::uint64_t> large{};
    std::span<const std::string_view> texts{};
  };
  const std::array<std::uint8_t, 3> bytes{1, 2, 3};
  const std::array<long double, 1> wide{0.5L};
  const std::array<std::uint16_t, 3> small{7, 8, 9};
  const std::array<std::uint64_t, 2> large{10, 11};
  const std::array<std::string_view, 2> texts{"a", ""};
  const Owned<Mixed> owned(Mixed{"odd", bytes, wide, small, large, texts});
  const auto is_aligned = []<class T>(std::span<const T> array) {
    return reinterpret_cast<std::uintptr_t>(array.data()) % alignof(T) == 0;
  };
  CHECK((is_aligned(owned->wide) && is_aligned(owned->small) && is_aligned(owned->large) && is_aligned(owned->texts)));
  CHECK((owned->text == "odd" && owned->bytes[2] == 3 && owned->wide[0] == 0.5L && owned->small[2] == 9));
  CHECK((owned->large[1] == 11 && owned->texts[0] == "a" && owned->texts[1].empty()));
}

TEST_CASE("an empty value is owned as well") {
  const Owned<Node> owned(Node{});
  CHECK(owned->name.empty());
  CHECK(owned->children.empty());
  CHECK_FALSE(owned->note.has_value());
}

TEST_CASE("an owned value has as many bytes as the value and all that it views") {
  const std::array<std::string_view, 2> words{"one", "three"};
  const Node node{.name = "name", .words = words};
  CHECK(Owned<Node>(Node{}).size() == sizeof(Node));
  CHECK(Owned<Node>(node).size() == sizeof(Node) + sizeof words + 4 + 3 + 5);
}

}  // namespace reflect_owned_test
