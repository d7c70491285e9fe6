// SPDX-License-Identifier: MIT
// Sentences are wrapped at blanks, with a hanging indent, and no line is too long.
#include <bankhook/text/characters.hpp>

#include <bankhook_catch.hpp>

#include <string>
#include <string_view>

namespace text_wrap_test {

using bankhook::detail::text::Indent;

namespace {

constexpr std::string wrapped(std::string_view words, std::size_t width, Indent indent = {}) {
  std::string out;
  bankhook::detail::text::append_wrapped(out, words, width, indent);
  return out;
}

}  // namespace

TEST_CASE("a sentence that fits is one line") {
  CHECK(wrapped("", 5).empty());
  CHECK(wrapped("a bc", 4) == "a bc");
  CHECK(wrapped("a bc", 6, {.first = 2, .rest = 4}) == "  a bc");
}

TEST_CASE("a longer one is broken at blanks, and the other lines are indented") {
  CHECK(wrapped("a bc", 3) == "a\nbc");
  CHECK(wrapped("one two three four", 10, {.first = 0, .rest = 2}) == "one two\n  three\n  four");
}

TEST_CASE("a word that is longer than a line is broken between two characters") {
  CHECK(wrapped("abcdef g", 4) == "abcd\nef g");
  CHECK(wrapped("x ééééé", 4, {.first = 0, .rest = 1}) == "x\n ééé\n éé");
}

TEST_CASE("a wide character takes two cells of a line, and a mark stays with what it marks") {
  CHECK(wrapped("日本 語", 5) == "日本\n語");
  CHECK(wrapped("日本語日", 5, {.first = 0, .rest = 1}) == "日本\n 語日");
  CHECK(wrapped("ae\u0301", 2) == "ae\u0301");
}

TEST_CASE("a width that has no room for the indent shows one character a line") {
  CHECK(wrapped("ab", 0, {.first = 1, .rest = 1}) == " a\n b");
}

}  // namespace text_wrap_test
