// SPDX-License-Identifier: MIT
// Strings of every length up to 200, something special at every place, at both transitions of what may be read.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/json/parse.hpp>

#include <json/guarded.hpp>
#include <json/oracle.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace json_text_length_test {

namespace {

using bankhook::Arena;
using bankhook::test::GuardedPages;

constexpr std::size_t longest = 200;

struct Pair {
  std::string_view first;
  std::string_view second;
};

struct Unlisted {};

/// 200 different neighbours, so that a shifted copy shows.
std::string plain(std::size_t size) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i) text += static_cast<char>('a' + i % 23);
  return text;
}

std::optional<std::string> oracle(std::string_view json) {
  const auto value = bankhook::test::read_json(json);
  return value ? std::optional(value->fields.front().value.text) : std::nullopt;
}

/// Whether `json`, an object with `first` and `second`, is read as the second reader reads it, wherever it lies.
bool reads_right(GuardedPages& pages, Arena& arena, std::string_view json) {
  const auto expected = oracle(json);
  for (const std::string_view copy : {pages.before_the_guard(json), pages.after_the_guard(json)}) {
    arena.reset();
    const auto pair = bankhook::detail::json::parse<Pair>(copy, arena);
    const auto skipped = bankhook::detail::json::parse<Unlisted>(copy, arena);
    if (pair.has_value() != expected.has_value() || skipped.has_value() != expected.has_value()) return false;
    if (pair && (pair->first != *expected || pair->second != "x")) return false;
  }
  return true;
}

void check_everywhere(std::string_view special) {
  GuardedPages pages;
  Arena arena;
  for (std::size_t size = 0; size <= longest; ++size) {
    // At the places after the first 70 nothing new can come but another remainder.
    for (std::size_t at = size > 70 ? size % 7 : 0; at <= size; at += size > 70 ? 7 : 1) {
      std::string text = plain(size);
      text.insert(at, special);
      const std::string json = R"({"first":")" + text + R"(","second":"x"})";
      if (reads_right(pages, arena, json)) continue;
      CAPTURE(size, at, json);
      FAIL("read otherwise than by the second reader");
    }
  }
}

}  // namespace

TEST_CASE("plain strings of every length are read right") { check_everywhere(""); }
TEST_CASE("an escaped quote is read right at every place of every length") { check_everywhere(R"(\")"); }
TEST_CASE("an escaped backslash is read right at every place of every length") { check_everywhere(R"(\\)"); }
TEST_CASE("a surrogate pair is read right at every place of every length") { check_everywhere(R"(\ud83d\ude00)"); }
TEST_CASE("a lone surrogate is rejected at every place of every length") { check_everywhere(R"(\ud83d)"); }
TEST_CASE("two bytes of UTF-8 are read right at every place of every length") { check_everywhere("é"); }
TEST_CASE("four bytes of UTF-8 are read right at every place of every length") { check_everywhere("😀"); }
TEST_CASE("cut off UTF-8 is rejected at every place of every length") { check_everywhere("\xE2\x82"); }
TEST_CASE("a control character is rejected at every place of every length") { check_everywhere("\n"); }
TEST_CASE("a zero byte is rejected at every place of every length") { check_everywhere(std::string_view("\0", 1)); }
TEST_CASE("a quote ends the string at every place of every length") { check_everywhere("\""); }

TEST_CASE("a string is read right at every distance from the end of the text") {
  GuardedPages pages;
  Arena arena;
  for (std::size_t size = 0; size <= 70; ++size) {
    for (std::size_t after = 0; after <= longest; ++after) {
      const std::string json = R"({"first":")" + plain(size) + R"(","second":"x"})" + std::string(after, ' ');
      if (reads_right(pages, arena, json)) continue;
      CAPTURE(size, after);
      FAIL("read otherwise than by the second reader");
    }
  }
}

TEST_CASE("a string that is cut off is rejected at every length, and nothing after it is read") {
  GuardedPages pages;
  Arena arena;
  for (std::size_t size = 0; size <= longest; ++size) {
    for (const std::string_view ending : {"", "\\", "\\u", "\\ud83d\\", "\xC3"}) {
      const std::string json = R"({"first":")" + plain(size) + std::string(ending);
      arena.reset();
      REQUIRE_FALSE(bankhook::detail::json::parse<Pair>(pages.before_the_guard(json), arena));
      REQUIRE_FALSE(bankhook::detail::json::parse<Unlisted>(pages.before_the_guard(json), arena));
    }
  }
}

TEST_CASE("strings of every length are written so that they read the same, whatever they hold") {
  GuardedPages pages;
  Arena arena;
  constexpr std::array<std::string_view, 8> specials{"", "\"", "\\", "\n", "\x1F", "é", "\x7F", "/"};
  for (const std::string_view special : specials) {
    for (std::size_t size = 0; size <= longest; ++size) {
      for (std::size_t at = size > 20 ? size % 7 : 0; at <= size; at += size > 20 ? 7 : 1) {
        std::string text = plain(size);
        text.insert(at, special);
        const std::string_view source = size % 2 == 0 ? pages.before_the_guard(text) : pages.after_the_guard(text);
        std::string json;
        bankhook::detail::json::write(Pair{source, "x"}, json);
        const auto pair = bankhook::test::read_json(json);
        if (pair && pair->fields.at(0).value.text == text && pair->fields.at(1).value.text == "x") continue;
        CAPTURE(json);
        FAIL("written otherwise than the second reader reads");
      }
    }
  }
}

TEST_CASE("a text with escapes of any length stays in the memory that it was given") {
  constexpr std::size_t lines = 32;
  std::string escapes;
  for (std::size_t i = 0; i < lines; ++i) escapes += R"(\n)";
  for (std::size_t bytes = 280; bytes < 300; ++bytes) {
    for (std::size_t size = 200; size <= 320; ++size) {
      const std::string json = R"({"first":")" + escapes + plain(size) + R"(\ud83d\ude00 and more \t","second":"x"})";
      const std::string expected = std::string(lines, '\n') + plain(size) + "😀 and more \t";
      Arena arena(bytes);  // a sanitizer sees what is written after it
      for (int taught = 0; taught < 2; ++taught) {
        arena.reset();
        const auto pair = bankhook::detail::json::parse<Pair>(json, arena);
        CHECK((pair && pair->first == expected));
      }
    }
  }
}

}  // namespace json_text_length_test
