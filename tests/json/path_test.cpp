// SPDX-License-Identifier: MIT
// Paths as data and as text: RFC 9535, cut by characters, and nothing in them that a terminal or a log would obey.
#include <bankhook_catch.hpp>

#include <bankhook/json/recover/path.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace json_path_test {

using bankhook::PathStep;
using namespace bankhook::detail::json;

namespace {

Step name(std::string_view text) { return {.kind = Step::Kind::name, .name = text}; }
Step index(std::size_t number) { return {.kind = Step::Kind::index, .index = number}; }

std::string text_of(const std::vector<Step>& steps) {
  const Path path = path_of(steps);
  return path.text;
}

}  // namespace

TEST_CASE("a plain name follows a dot, an index stands in brackets") {
  CHECK(text_of({}) == "$");
  CHECK(text_of({name("connection"), name("accounts"), index(2), name("_id9")}) == "$.connection.accounts[2]._id9");
}

TEST_CASE("a plain name is made of letters, digits and underscores, the first and the last of each included") {
  CHECK(text_of({name("a0"), name("z9"), name("A"), name("Z"), name("_")}) == "$.a0.z9.A.Z._");
  for (const char* const beside : {"`", "{", "@", "[", "a/", "a:"}) {
    CHECK(text_of({name(beside)}) == std::string("$['") + beside + "']");
  }
}

TEST_CASE("any other name stands in quotes and is escaped") {
  CHECK(text_of({name("a b")}) == "$['a b']");
  CHECK(text_of({name("")}) == "$['']");
  CHECK(text_of({name("1a")}) == "$['1a']");
  CHECK(text_of({name("é")}) == "$['é']");
  CHECK(text_of({name("a\n")}) == R"($['a\n'])");
  CHECK(text_of({name("it's \\"), name("\x1B[31m")}) == R"($['it\'s \\']['\u001b[31m'])");
  CHECK(text_of({name("a']['b")}) == R"($['a\'][\'b'])");
}

TEST_CASE("the steps of a path are names as they were decoded, and indices") {
  const Path path = path_of(std::vector{name("a\n"), index(7), name("b")}, {{"c"}});
  CHECK(path.steps == std::vector<PathStep>{"a\n", std::size_t{7}, "b", "c"});
  CHECK(path.text == R"($['a\n'][7].b.c)");
}

TEST_CASE("a path ends where the position is between two fields") {
  CHECK(text_of({name("a"), Step{}, name("b")}) == "$.a");
  CHECK(path_of(std::vector{name("a"), Step{}}, {{"b"}}).text == "$.a.b");
}

TEST_CASE("a long name is cut after 64 characters, whatever bytes they have") {
  const std::string ascii(64, 'x');
  CHECK(text_of({name(ascii)}) == "$." + ascii);
  CHECK(text_of({name(ascii + "y")}) == "$['" + ascii + "…']");
  std::string carts;
  for (int i = 0; i < 64; ++i) carts += "🛒";
  CHECK(text_of({name(carts)}) == "$['" + carts + "']");
  CHECK(text_of({name(carts + "é")}) == "$['" + carts + "…']");
  CHECK(path_of(std::vector{name(carts + "é")}).steps == std::vector<PathStep>{carts + "…"});
}

TEST_CASE("a cut name is cut again to the same") {
  const Path once = path_of(std::vector{name(std::string(100, 'x'))});
  CHECK(path_of(std::vector{name(std::get<std::string>(once.steps[0]))}).text == once.text);
}

TEST_CASE("a deep path is cut after 32 steps") {
  const std::vector<Step> deep(33, name("a"));
  CHECK(text_of(deep).ends_with(".a…"));
  CHECK(path_of(deep).steps.size() == 32);
  const std::vector<Step> full(32, name("a"));
  CHECK(text_of(full).ends_with(".a"));
  CHECK(path_of(full, {{"b"}}).text.ends_with(".a…"));
}

TEST_CASE("a path is made of names alone, too") {
  constexpr std::string_view names[] = {"initialTransaction", "status"};
  const Path path = path_of({}, names);
  CHECK(path.text == "$.initialTransaction.status");
  CHECK(path.steps == std::vector<PathStep>{"initialTransaction", "status"});
}

}  // namespace json_path_test
