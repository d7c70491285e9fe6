// SPDX-License-Identifier: MIT
// Eight characters of a known form, such as `HH:MM:SS`: checked and read at once.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/text/digits.hpp>
#include <bankhook/text/eight_bytes.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace bankhook::inline BANKHOOK_ABI::text {

/// Digits by their pairs: byte i is the number that the digits at i and i+1 spell; a byte that is not a digit counts as 0.
using DigitPairs = std::uint64_t;

/// The number of the two digits at the place `index` of the form.
[[nodiscard]] BANKHOOK_INLINE constexpr unsigned pair_at(DigitPairs pairs, unsigned index) {
  return static_cast<unsigned>(pairs >> 8 * index & 0xFF);
}

/// Reads the eight characters at `p`; false if they have another form. In `form` a digit stands for itself and all below
/// it, anything else for itself: `29:59:59`.
template <FixedString form>
  requires(form.size() == 8)
[[nodiscard]] BANKHOOK_INLINE constexpr bool scan_form(const char* p, DigitPairs& pairs) {
  constexpr auto parts = [] {
    std::array<char, 8> blank{};
    std::array<char, 8> room{};  // how far each byte is from the highest bit where it has its largest value
    for (std::size_t i = 0; i < 8; ++i) {
      const char c = form.characters[i];
      blank[i] = is_digit(c) ? '0' : c;
      room[i] = static_cast<char>(0x7F - (is_digit(c) ? c - '0' : 0));
    }
    return std::array{load8(blank.data()), load8(room.data())};
  }();
  const std::uint64_t values = load8(p) ^ parts[0];
  pairs = values * 10 + (values >> 8);
  return (((values + parts[1]) | values) & high_bits) ==
         0;  // a sum carries only from a byte above 0x7F, which counts itself
}

}  // namespace bankhook::inline BANKHOOK_ABI::text
