// SPDX-License-Identifier: MIT
// Strings by RFC 8259: escapes, surrogates, control characters and UTF-8, exhaustively against a second reader.
#include <bankhook_catch.hpp>

#include <json/oracle.hpp>
#include <json/read_text.hpp>

#include <array>
#include <cstdio>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace json_text_test {

namespace {

using bankhook::test::TextReader;

/// What the second reader says of the same text.
std::optional<std::string> oracle(std::string_view json) {
  const auto value = bankhook::test::read_json(json);
  return value && value->kind == bankhook::test::Json::Kind::string ? std::optional(value->text) : std::nullopt;
}

/// Whether the library reads a string with these characters between its quotes as the second reader does.
bool agrees(TextReader& read, std::string_view characters) {
  const std::string json = "\"" + std::string(characters) + "\"";
  return read(json) == oracle(json);
}

std::string escape(unsigned unit, const char* format = "\\u%04x") {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), format, unit);
  return text.data();
}

std::string bytes(std::initializer_list<int> values) {
  std::string text;
  for (const int value : values) text += static_cast<char>(value);
  return text;
}

}  // namespace

TEST_CASE("the escapes of RFC 8259 are decoded") {
  TextReader read;
  CHECK(read(R"("\"\\\/\b\f\n\r\t")") == "\"\\/\b\f\n\r\t");
  CHECK(read(R"("\u0041\u00e9\u20AC\uD834\uDD1E")") == "Aé€𝄞");
  CHECK(read(R"("\u0000")") == std::string(1, '\0'));
  CHECK(read(R"("plain")") == "plain");
  CHECK(read(R"("")") == "");
}

TEST_CASE("no other escape is accepted") {
  TextReader read;
  for (int letter = 0; letter < 256; ++letter) {
    CAPTURE(letter);
    CHECK(agrees(read, "a\\" + bytes({letter}) + "0000"));
  }
  for (const std::string_view json :
       {R"("\x41")", R"("\u004")", R"("\u004g")", R"("\u 041")", R"("\U0041")", R"("\u+041")", R"("\")"}) {
    CAPTURE(json);
    CHECK_FALSE(read(json).has_value());
  }
}

TEST_CASE("every code unit is decoded, in small and capital hexadecimal digits") {
  TextReader read;
  for (unsigned unit = 0; unit < 0x10000; ++unit) {
    const std::string text = escape(unit, unit % 3 == 0 ? "\\u%04X" : "\\u%04x");
    if (!agrees(read, text)) {
      CAPTURE(text);
      FAIL("read otherwise than by the second reader");
    }
  }
}

TEST_CASE("surrogates come in pairs or are rejected") {
  TextReader read;
  constexpr std::array<unsigned, 9> units{0x0041, 0xD7FF, 0xD800, 0xD9AB, 0xDBFF, 0xDC00, 0xDDEF, 0xDFFF, 0xE000};
  for (const unsigned first : units) {
    for (const unsigned second : units) {
      for (const std::string_view between : {"", " ", "a", "\\n"}) {
        const std::string text = escape(first) + std::string(between) + escape(second);
        CAPTURE(text);
        CHECK(agrees(read, text));
        CHECK(agrees(read, text + escape(0xDE00)));
      }
    }
    CHECK(agrees(read, escape(first) + "\\u"));
    CHECK(agrees(read, escape(first) + "\\u12"));
    CHECK(agrees(read, escape(first) + "\\x"));
  }
}

TEST_CASE("control characters in strings are rejected, all others are not") {
  TextReader read;
  for (int character = 0; character < 0x80; ++character) {
    CAPTURE(character);
    const bool control = character < 0x20;
    const bool special = character == '"' || character == '\\';
    if (!special) CHECK(read("\"a" + bytes({character}) + "b\"").has_value() == !control);
    CHECK(agrees(read, "a" + bytes({character}) + "b"));
  }
}

TEST_CASE("every one and two bytes are read as UTF-8 defines them") {
  TextReader read;
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      if (!agrees(read, (second % 2 == 0 ? "" : "0123456") + bytes({first, second}) + (first % 2 == 0 ? "" : "x"))) {
        CAPTURE(first, second);
        FAIL("read otherwise than by the second reader");
      }
    }
    CHECK(agrees(read, bytes({first})));
  }
}

TEST_CASE("three and four bytes are read as UTF-8 defines them: overlong, surrogates, above U+10FFFF, cut off") {
  TextReader read;
  constexpr std::array<int, 26> corner{0x22, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF,
                                       0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF8, 0xFF};
  const auto compare = [&](const std::string& text) {
    if (agrees(read, text)) return;
    CAPTURE(text);
    FAIL("read otherwise than by the second reader");
  };
  for (const int first : corner) {
    for (const int second : corner) {
      for (const int third : corner) {
        compare(bytes({first, second, third}));
        if (first < 0xF0) continue;
        for (const int fourth : corner) compare(bytes({first, second, third, fourth}));
      }
    }
  }
}

TEST_CASE("the first and last code point of each length of UTF-8 are read as they are") {
  TextReader read;
  const std::vector<std::string> texts{"\x7F",   "\u0080", "\u07FF",     "\u0800",     "\uD7FF",
                                       "\uE000", "\uFFFF", "\U00010000", "\U0010FFFF", "\u00e9\u20ac\U0001d11e"};
  for (const std::string& text : texts) {
    CHECK(read("\"" + text + "\"") == text);
    CHECK(read("\"\\n" + text + "\\n\"") == "\n" + text + "\n");
  }
}

TEST_CASE("a string that does not end is rejected") {
  TextReader read;
  for (const std::string_view json :
       {R"(")", R"("a)", R"("a\)", R"("a\")", R"("a\u)", R"("a\u004)", R"("a\ud800)", R"("a\ud800\)"}) {
    CAPTURE(json);
    CHECK_FALSE(read(json).has_value());
  }
}

}  // namespace json_text_test
