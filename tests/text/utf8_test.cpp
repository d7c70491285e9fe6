// SPDX-License-Identifier: MIT
// UTF-8: what is well-formed by RFC 3629, where the first fault lies, and encoding of every code point.
#include <bankhook_catch.hpp>

#include <bankhook/text/utf8.hpp>
#include <text/support.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace text_utf8_test {

namespace {

using bankhook::detail::text::encode_utf8;
using bankhook::detail::text::find_invalid_utf8;
using bankhook::test::Choices;
using bankhook::test::ExactText;

constexpr std::ptrdiff_t none = -1;

/// Where the first ill-formed sequence lies, or `none`.
constexpr std::ptrdiff_t fault_at(std::string_view text) {
  const char* const end = text.data() + text.size();
  const char* const found = find_invalid_utf8(text.data(), end);
  return found == end ? none : found - text.data();
}

/// The definition, taken literally: decode, and ask whether the shortest form of a scalar value was used.
std::ptrdiff_t fault_by_definition(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t size = lead < 0x80             ? 1
                             : (lead & 0xE0) == 0xC0 ? 2
                             : (lead & 0xF0) == 0xE0 ? 3
                             : (lead & 0xF8) == 0xF0 ? 4
                                                     : 0;
    if (size == 0 || at + size > text.size()) return static_cast<std::ptrdiff_t>(at);
    char32_t code_point = size == 1 ? lead : lead & (0xFFu >> (size + 1));
    for (std::size_t i = 1; i < size; ++i) {
      const auto byte = static_cast<unsigned char>(text[at + i]);
      if ((byte & 0xC0) != 0x80) return static_cast<std::ptrdiff_t>(at);
      code_point = code_point << 6 | (byte & 0x3F);
    }
    constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
    if (code_point < least[size] || surrogate || code_point > 0x10FFFF) return static_cast<std::ptrdiff_t>(at);
    at += size;
  }
  return none;
}

static_assert(fault_at("") == none);
static_assert(fault_at("Banque Exemple") == none);
static_assert(fault_at("Soci\xC3\xA9t\xC3\xA9 Exemple") == none);
static_assert(fault_at("\xE2\x82\xAC \xF0\x9F\x92\xB6") == none);
static_assert(fault_at({"\0\x7F", 2}) == none);

}  // namespace

TEST_CASE("RFC 3629: the first and the last of each length are well-formed") {
  STATIC_REQUIRE(fault_at("\xC2\x80\xDF\xBF") == none);
  STATIC_REQUIRE(fault_at("\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF") == none);
  STATIC_REQUIRE(fault_at("\xF0\x90\x80\x80\xF4\x8F\xBF\xBF") == none);
}

TEST_CASE("RFC 3629: overlong forms are rejected") {
  STATIC_REQUIRE(fault_at("\xC0\x80") == 0);
  STATIC_REQUIRE(fault_at("a\xC1\xBF") == 1);
  STATIC_REQUIRE(fault_at("\xE0\x9F\xBF") == 0);
  STATIC_REQUIRE(fault_at("\xF0\x8F\xBF\xBF") == 0);
}

TEST_CASE("RFC 3629: surrogates are rejected") {
  STATIC_REQUIRE(fault_at("\xED\xA0\x80") == 0);
  STATIC_REQUIRE(fault_at("\xED\xBF\xBF") == 0);
  STATIC_REQUIRE(fault_at("ab\xED\xA0\xBD\xED\xB2\xB6") == 2);
}

TEST_CASE("RFC 3629: what lies above U+10FFFF is rejected") {
  STATIC_REQUIRE(fault_at("\xF4\x90\x80\x80") == 0);
  STATIC_REQUIRE(fault_at("\xF5\x80\x80\x80") == 0);
  STATIC_REQUIRE(fault_at("\xFF") == 0);
}

TEST_CASE("RFC 3629: continuation bytes do not stand alone, and sequences are not cut off") {
  STATIC_REQUIRE(fault_at("\x80") == 0);
  STATIC_REQUIRE(fault_at("abcdefgh\xBFxyzxyzx") == 8);
  STATIC_REQUIRE(fault_at("\xC3") == 0);
  STATIC_REQUIRE(fault_at("abcdefg\xC3") == 7);
  STATIC_REQUIRE(fault_at("abcdefg\xC3\xA9") == none);
  STATIC_REQUIRE(fault_at("\xE2\x82") == 0);
  STATIC_REQUIRE(fault_at("\xF0\x9F\x92") == 0);
  STATIC_REQUIRE(fault_at("\xC3\xA9\xA9") == 2);
}

TEST_CASE("every scalar value is encoded in its shortest form, at any place in a word") {
  std::string text;
  std::size_t wrong = 0;
  for (char32_t code_point = 0; code_point <= 0x10FFFF; ++code_point) {
    if (code_point == 0xD800) code_point = 0xE000;
    char encoded[4];
    const std::string_view bytes(encoded, encode_utf8(code_point, encoded));
    const std::size_t size = code_point < 0x80 ? 1 : code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
    text.assign(code_point % 8, 'x').append(bytes).append(code_point % 3, 'y');
    if (bytes.size() != size || fault_by_definition(bytes) != none || fault_at(text) != none) ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("the first fault of mixed bytes is where the definition has it") {
  Choices choices(3629);
  // Beginnings, ends and neighbours of every range, so that near misses are common.
  constexpr std::string_view bytes =
      "aZ \x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC1\xC2\xC3\xDF\xE0\xE1\xED\xEE\xEF\xF0\xF1\xF4\xF5\xFF";
  constexpr std::string_view whole[] = {"\xC3\xA9", "\xC3\xA8", "\xE2\x82\xAC", "\xF0\x9F\x92\xB6", "abc", "abcdefgh"};
  for (int round = 0; round < 200'000; ++round) {
    std::string text;
    for (std::int64_t parts = choices.between(0, 9); parts > 0; --parts) {
      if (choices.between(0, 9) == 0) text += choices.one_of(bytes);
      else text += whole[choices.between(0, 5)];
    }
    if (choices.coin()) text.resize(static_cast<std::size_t>(choices.between(0, static_cast<std::int64_t>(text.size()))));
    const ExactText exact(text);
    if (fault_at(exact.view()) != fault_by_definition(text)) FAIL("differs in round " << round);
  }
  SUCCEED();
}

TEST_CASE("each pair of bytes is accepted or rejected as the definition says, at each offset in a word") {
  std::size_t wrong = 0;
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      std::string text = "xxxxxxxxxxxxxxxx";
      const auto at = static_cast<std::size_t>((first + second) % 15);
      text[at] = static_cast<char>(first);
      text[at + 1] = static_cast<char>(second);
      if (fault_at(text) != fault_by_definition(text)) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

}  // namespace text_utf8_test
