// SPDX-License-Identifier: MIT
// Blocks of every width, at both ends of what may be read and at every alignment: what they say, and that no more is read.
#include <bankhook_catch.hpp>

#include <bankhook/base/fixed_string.hpp>
#include <bankhook/base/simd.hpp>
#include <bankhook/text/utf8.hpp>

#include <json/guarded.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>

namespace base_simd_test {

namespace {

using namespace bankhook::detail::simd;
using bankhook::test::GuardedPages;
using namespace std::string_view_literals;

/// All places that a block of any width can have between two vectors, and some more.
constexpr std::size_t widest = 64;
constexpr std::size_t longest = 3 * widest + 8;

/// Bytes on both sides of every comparison, among letters.
std::string drawn(std::mt19937& random, std::size_t size) {
  constexpr std::string_view corners = "\0\x08\t\n\x0B\r\x1F !\"#[\\]\x7F\x80\xBF\xC0\xC1\xC2\xDF\xE0\xFF"sv;
  std::string text(size, 'a');
  const unsigned rarity = 1U << random() % 8;
  for (char& c : text) c = random() % rarity == 0 ? corners[random() % corners.size()] : 'a';
  return text;
}

/// A bit for each byte of which `is` is true.
template <class Is>
std::uint64_t bits(std::string_view text, Is is) {
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < text.size(); ++i) found |= std::uint64_t{is(text[i])} << i;
  return found;
}

bool is_high(char c) { return static_cast<unsigned char>(c) >= 0x80; }
bool is_space(char c) { return " \t\n\r"sv.contains(c); }
bool is_escaped(char c) { return c == '"' || c == '\\' || (!is_high(c) && c < ' '); }
bool is_special(char c) { return is_escaped(c) || is_high(c); }

template <std::size_t size>
void check_block(std::string_view text) {
  const auto block = Block<size>::load(text.data());
  REQUIRE(block.high() == bits(text, is_high));
  if constexpr (size <= 32)
    REQUIRE(spaces(block).high() == bits(text, is_space));  // white space is sought in no larger ones
  REQUIRE(escapes(block).high() == bits(text, is_escaped));
  REQUIRE(escapes<true>(block).high() == bits(text, is_special));
  REQUIRE(escapes(block).any() == (bits(text, is_escaped) != 0));
  REQUIRE(block.same(block).all());
}

template <std::size_t size>
void check_block_everywhere() {
  GuardedPages pages;
  std::mt19937 random(size);
  for (std::size_t place = 0; place < 2 * widest; ++place) {
    for (int round = 0; round < 20; ++round) {
      const std::string text = drawn(random, place + size);
      CAPTURE(place, text);
      check_block<size>(pages.before_the_guard(text, place).substr(place));
      check_block<size>(pages.before_the_guard(text).substr(place));
      check_block<size>(pages.after_the_guard(text).substr(0, size));
      check_block<size>(pages.after_the_guard(text).substr(place));
    }
  }
}

/// Whether `literal` is found where it is, at both ends, and not with any other byte.
template <bankhook::FixedString literal>
void check_beginning(GuardedPages& pages) {
  REQUIRE(begins_with<literal>(pages.after_the_guard(literal.view()).data()));
  for (std::size_t at = 0; at < literal.size(); ++at) {
    std::string other(literal.view());
    other[at] = 'Z';
    CAPTURE(literal.size(), at);
    REQUIRE(begins_with<literal>(pages.before_the_guard(literal.view()).data()));
    REQUIRE_FALSE(begins_with<literal>(pages.before_the_guard(other).data()));
  }
}

/// As many different characters.
template <std::size_t size>
constexpr bankhook::FixedString<size> alphabet = [] {
  bankhook::FixedString<size> text;
  for (std::size_t i = 0; i < size; ++i) text.characters[i] = static_cast<char>('0' + i % 40);
  return text;
}();

}  // namespace

TEST_CASE("a block of 16 bytes sees them alone, at every alignment") { check_block_everywhere<16>(); }
TEST_CASE("a block of 32 bytes sees them alone, at every alignment") { check_block_everywhere<32>(); }
TEST_CASE("a block of 64 bytes sees them alone, at every alignment") { check_block_everywhere<64>(); }

TEST_CASE("a text of any length is copied from and to both ends, and what must be escaped in it is noticed") {
  GuardedPages pages;
  GuardedPages copies;
  std::mt19937 random(3);
  for (std::size_t size = 0; size <= longest; ++size) {
    for (int round = 0; round < 20; ++round) {
      const std::string text = drawn(random, size);
      const std::string unset(size + 2 * widest, '#');
      CAPTURE(text);
      for (const std::string_view source : {pages.before_the_guard(text), pages.after_the_guard(text)}) {
        for (const std::size_t after : {std::size_t{0}, random() % widest, 2 * widest}) {
          const std::string_view whole = copies.before_the_guard(unset);
          const std::size_t at = unset.size() - size - after;
          const bool plain = copy_text(source, const_cast<char*>(whole.data()) + at);
          REQUIRE(plain == std::ranges::none_of(text, is_escaped));
          REQUIRE(whole == unset.substr(0, at) + text + unset.substr(at + size));
        }
        copy_text(source, const_cast<char*>(copies.after_the_guard(unset).data()));
      }
    }
  }
}

TEST_CASE("a literal of any size is compared with as many bytes and no more") {
  GuardedPages pages;
  [&]<std::size_t... size>(std::index_sequence<size...>) {
    (check_beginning<alphabet<size + 1>>(pages), ...);
  }(std::make_index_sequence<widest>());
}

TEST_CASE("characters of a text of any length are counted, at every alignment") {
  GuardedPages pages;
  std::mt19937 random(4);
  const auto starts = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  for (std::size_t size = 0; size <= longest; ++size) {
    for (int round = 0; round < 20; ++round) {
      const std::string text = drawn(random, size);
      CAPTURE(text);
      const auto expected = static_cast<std::size_t>(std::ranges::count_if(text, starts));
      REQUIRE(bankhook::detail::text::count_characters(pages.before_the_guard(text)) == expected);
      REQUIRE(bankhook::detail::text::count_characters(pages.after_the_guard(text)) == expected);
    }
  }
}

TEST_CASE("short forms are reported from other UTF-8 wherever they lie in a block") {
  std::mt19937 random(5);
  for (int round = 0; round < 20'000; ++round) {
    std::string text = drawn(random, widest);
    const std::size_t size = 1 + random() % (widest - 1);
    for (auto pairs = random() % 20; pairs > 0; --pairs) text.replace(random() % (widest - 1), 2, "\xC3\xA9");
    bool expected = true;
    for (std::size_t i = 0; i < size; ++i) {
      if (!is_high(text[i])) continue;
      const auto lead = static_cast<unsigned char>(text[i]);
      const bool continues = i + 1 < size && (static_cast<unsigned char>(text[i + 1]) & 0xC0) == 0x80;
      expected = expected && lead >= 0xC2 && lead <= 0xDF && continues;
      ++i;
    }
    CAPTURE(text, size);
    REQUIRE(has_short_forms_only(Block64::load(text.data()), ~std::uint64_t{0} >> (64 - size)) == expected);
  }
}

}  // namespace base_simd_test
