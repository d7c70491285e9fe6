// SPDX-License-Identifier: MIT
// Lines and columns: counted many bytes at once as one by one.
#include <bankhook_catch.hpp>

#include <bankhook/text/utf8.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace text_line_count_test {

using bankhook::detail::text::LineAndColumn;

namespace {

/// The same, byte by byte.
LineAndColumn slowly(std::string_view text) {
  LineAndColumn place;
  for (const char c : text) {
    const bool continues = (static_cast<unsigned char>(c) & 0xC0U) == 0x80;
    if (c == '\n') ++place.line, place.column = 1;
    else if (!continues) ++place.column;
  }
  return place;
}

LineAndColumn quickly(std::string_view text, std::size_t cut) {
  LineAndColumn place;
  place.advance(text.substr(0, cut));
  place.advance(text.substr(cut));
  return place;
}

bool same(const LineAndColumn& one, const LineAndColumn& other) {
  return one.line == other.line && one.column == other.column;
}

}  // namespace

TEST_CASE("every byte counts as it does alone, at every place of a word") {
  for (int byte = 0; byte < 256; ++byte) {
    for (const std::string_view around :
         {"aaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
          "\n\n\n\n\n\n\n\n\n\n\n\n", "\xBF\x80\xC3\xA9\xE2\x82\xAC\x0B\x09\x8A\xFF"}) {
      for (std::size_t at = 0; at < around.size(); ++at) {
        std::string text(around);
        text[at] = static_cast<char>(byte);
        CAPTURE(byte, at);
        REQUIRE(same(quickly(text, text.size()), slowly(text)));
      }
    }
  }
}

TEST_CASE("a text may be walked in parts of any size") {
  const std::string text = "{\n  \"caf\xC3\xA9\": \"\xF0\x9F\x98\x80\",\r\n\n  \"x\": [1, 2, 3]\n}\n and more than a word";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    CAPTURE(cut);
    CHECK(same(quickly(text, cut), slowly(text)));
  }
}

}  // namespace text_line_count_test
