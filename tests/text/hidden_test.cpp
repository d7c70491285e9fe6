// SPDX-License-Identifier: MIT
// What may not be written unchanged into a message, and how it is escaped.
#include <bankhook_catch.hpp>

#include <bankhook/text/characters.hpp>
#include <bankhook/text/utf8.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace text_hidden_test {

using namespace bankhook::detail::text;

namespace {

std::string escaped(std::string_view text) {
  std::string out;
  append_escaped(out, text);
  return out;
}

}  // namespace

TEST_CASE("the ranges of hidden characters are in order and do not touch") {
  CHECK(std::ranges::is_sorted(hidden_characters, {}, &CharacterRange::first));
  for (std::size_t i = 0; i < hidden_characters.size(); ++i) {
    CHECK(hidden_characters[i].first <= hidden_characters[i].last);
    if (i > 0) CHECK(hidden_characters[i - 1].last + 1 < hidden_characters[i].first);
  }
}

TEST_CASE("controls, ends of lines, marks of direction and invisible characters are hidden") {
  for (const char32_t hidden : {U'\0',     U'\n',     U'\x1B',   U'\x7F',   U'\x85',       U'\x9B',      U'\u00AD',
                                U'\u061C', U'\u200B', U'\u200D', U'\u200E', U'\u2028',     U'\u2029',    U'\u202E',
                                U'\u2066', U'\u3164', U'\uFE0F', U'\uFEFF', U'\U000E0001', U'\U0010FFFF'})
    CHECK(is_hidden(hidden));
  for (const char32_t shown : {U' ', U'~', U'\u00A0', U'\u00E9', U'\u0627', U'\u4E2D', U'\uE000', U'\U0001F6D2'})
    CHECK_FALSE(is_hidden(shown));
}

TEST_CASE("a hidden character is escaped as in a string of RFC 9535") {
  CHECK(escaped("\b\t\n\f\r") == R"(\b\t\n\f\r)");
  CHECK(escaped({"\0\x0B\x1B[31m\x7F", 8}) == R"(\u0000\u000b\u001b[31m\u007f)");
  CHECK(escaped("\u0085\u200B\u2028\u202E") == R"(\u0085\u200b\u2028\u202e)");
  CHECK(escaped("\U000E0041") == R"(\udb40\udc41)");
  CHECK(escaped(R"(it's a \ and a ")") == R"(it\'s a \\ and a ")");
  CHECK(escaped("é 🛒") == "é 🛒");
}

TEST_CASE("a byte that is not UTF-8 becomes the replacement character") {
  CHECK(escaped("a\xFF\xC3") == "a\xEF\xBF\xBD\xEF\xBF\xBD");
  CHECK(escaped("\xEF\xBF\xBD") == "\xEF\xBF\xBD");
}

TEST_CASE("every code point is read as it was encoded") {
  for (char32_t code_point = 0; code_point <= 0x10FFFF; ++code_point) {
    if (code_point >= 0xD800 && code_point <= 0xDFFF) continue;
    char bytes[4];
    const std::string_view text(bytes, static_cast<std::size_t>(encode_utf8(code_point, bytes) - bytes));
    const Character character = first_character(text);
    if (character.code_point != code_point || character.size != text.size()) FAIL(static_cast<unsigned>(code_point));
  }
}

TEST_CASE("a text is cut between characters") {
  CHECK(first_characters("aé🛒b", 3) == "aé🛒");
  CHECK(first_characters("aé", 2) == "aé");
  CHECK(first_characters("", 0).empty());
}

}  // namespace text_hidden_test
