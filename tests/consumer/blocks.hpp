// SPDX-License-Identifier: MIT
// Blocks of 16, 32 and 64 bytes, by whatever instructions this build has, answer what looking at each byte answers.
#pragma once

#include <bankhook/base/simd.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>

namespace blocks {

inline bool is_escaped(unsigned char c) { return c == '"' || c == '\\' || c < 0x20; }
inline bool is_space(unsigned char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
inline bool is_high(unsigned char c) { return c >= 0x80; }
inline bool is_continuation(unsigned char c) { return c >= 0x80 && c <= 0xBF; }
inline bool is_lead_of_two(unsigned char c) { return c >= 0xC2 && c <= 0xDF; }

/// A bit for each of the bytes that `is_marked`.
template <std::size_t size, class Predicate>
std::uint64_t marks(const char* text, Predicate is_marked) {
  std::uint64_t result = 0;
  for (std::size_t i = 0; i < size; ++i) {
    result |= std::uint64_t{is_marked(static_cast<unsigned char>(text[i]))} << i;
  }
  return result;
}

template <class Block>
bool agrees(const char* text, const char* other) {
  constexpr std::size_t size = sizeof(Block);
  constexpr std::uint64_t full = size == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << size) - 1;
  const Block block = Block::load(text);
  const std::uint64_t escaped = marks<size>(text, is_escaped);
  const std::uint64_t high = marks<size>(text, is_high);
  bool good = escapes(block).high() == escaped && escapes<true>(block).high() == (escaped | high) && block.high() == high;
  if constexpr (size < 64) {
    std::uint64_t same = 0;
    for (std::size_t i = 0; i < size; ++i) same |= std::uint64_t{text[i] == other[i]} << i;
    const Block equal = block.same(Block::load(other));
    char stored[size];
    block.store(stored);
    good = good && equal.high() == same && equal.all() == (same == full) && equal.any() == (same != 0) &&
           spaces(block).high() == marks<size>(text, is_space) && escapes(block).any() == (escaped != 0) &&
           (escapes(block) | equal).any() == (escaped != 0 || same != 0) && (equal & equal).high() == same &&
           std::memcmp(stored, text, size) == 0;
  } else {
    const std::uint64_t continued = marks<size>(text, is_continuation), leads = marks<size>(text, is_lead_of_two);
    for (std::uint64_t inside : {full, full >> 1, full >> 40, full >> 60}) {
      const bool short_only = (high & inside) == ((continued | leads) & inside) && (continued & inside) == (leads & inside)
                                                                                                               << 1;
      good = good && has_short_forms_only(block, inside) == short_only;
    }
  }
  return good;
}

/// Draws bytes of every kind: plain letters, what JSON escapes, white space, UTF-8, and any at all.
inline char draw(std::mt19937& random) {
  switch (random() % 6) {
    case 0: return "\"\\\x1F\x20\x1E!#[]\x7F"[random() % 10];
    case 1: return " \t\n\r\v\f"[random() % 6];
    case 2: return static_cast<char>(0x80 + random() % 0x80);
    case 3: return static_cast<char>(random() % 256);
    default: return static_cast<char>('a' + random() % 26);
  }
}

/// Whether all blocks agree, in drawn texts and in texts of one byte; prints the first that does not.
inline bool agree() {
  std::mt19937 random(16);
  char text[64];
  char other[64];
  for (unsigned round = 0; round < 20'000; ++round) {
    for (std::size_t i = 0; i < sizeof text; ++i) {
      text[i] = round < 256 ? static_cast<char>(round) : draw(random);
      other[i] = random() % 2 == 0 || round % 16 == 0 ? text[i] : draw(random);
    }
    using namespace bankhook::detail::simd;
    if (!agrees<Block16>(text, other) || !agrees<Block32>(text, other) || !agrees<Block64>(text, other)) {
      std::printf("NO: blocks disagree in round %u\n", round);
      return false;
    }
    // JSON writes two texts of four bytes, and two of eight, in one go.
    std::uint64_t words[2];
    std::uint32_t halves[2];
    std::memcpy(words, text, sizeof words);
    std::memcpy(halves, text, sizeof halves);
    const bool long_ones = escapes(Block16::of(words[0], words[1])).any() == (marks<16>(text, is_escaped) != 0);
    const bool short_ones = escapes(Block16::of(halves[0], halves[1])).any() == (marks<8>(text, is_escaped) != 0);
    if (!long_ones || !short_ones) {
      std::printf("NO: blocks of words disagree in round %u\n", round);
      return false;
    }
  }
  return true;
}

}  // namespace blocks
