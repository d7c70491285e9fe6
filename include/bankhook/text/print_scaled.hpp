// SPDX-License-Identifier: MIT
// Printing digits with a scale as a JSON number that keeps both.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/text/digits.hpp>
#include <bankhook/text/eight_bytes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace bankhook::inline BANKHOOK_ABI::text {

/// Plain notation up to this scale, an exponent beyond: `1e-400` shall not become 400 zeros.
inline constexpr int max_plain_scale = 32;
/// The room that `print_scaled` needs: `0.` and `max_plain_scale` digits. With an exponent it is less.
inline constexpr std::size_t max_printed_scaled = 2 + max_plain_scale;

}  // namespace bankhook::inline BANKHOOK_ABI::text

namespace bankhook::inline BANKHOOK_ABI::text::detail {

/// At most seven digits: with the point they fit one word, and amounts take neither loop nor branch.
BANKHOOK_INLINE constexpr char* print_scaled_short(std::uint64_t magnitude, unsigned scale, char* out) {
  const std::uint64_t digits = eight_digits_of(magnitude);
  const unsigned count = std::max(8 - bytes_before(digits | std::uint64_t{1} << 56), scale + 1);
  const std::uint64_t word = (digits | every_byte * '0') >> 8 * (8 - count);
  const unsigned before_point = 8 * (count - scale);
  const std::uint64_t before = (std::uint64_t{1} << before_point) - 1;
  store8((word & before) | std::uint64_t{'.'} << before_point | (word & ~before) << 8, out);
  return out + count + (scale != 0);  // with scale 0, the point stands after the number
}

BANKHOOK_NOINLINE constexpr char* print_scaled_long(std::uint64_t magnitude, int scale, char* out) {
  const int count = digit_count(magnitude);
  if (scale == 0) return print_digits(magnitude, count, out);
  if (scale < 0 || scale > max_plain_scale) {
    out = print_digits(magnitude, count, out);
    *out++ = 'e';
    return print_integer(-std::int64_t{scale}, out);
  }
  // All digits one place to the right, then those before the point back to the left: no division by a power of ten.
  const int before_point = count > scale ? count - scale : 1;
  char* const after = print_digits(magnitude, before_point + scale, out + 1);
  for (int i = 0; i < before_point; ++i, ++out) out[0] = out[1];
  *out = '.';
  return after;
}

}  // namespace bankhook::inline BANKHOOK_ABI::text::detail

namespace bankhook::inline BANKHOOK_ABI::text {

/// Prints magnitude * 10^-scale and returns the position after: a JSON number that reads back as the same digits and
/// scale. `out` has room for `max_printed_scaled` bytes; those after the number may be written, too.
BANKHOOK_INLINE constexpr char* print_scaled(std::uint64_t magnitude, int scale, char* out) {
  const bool is_short = magnitude < 10'000'000 && scale >= 0 && scale <= 6;
  return is_short ? detail::print_scaled_short(magnitude, static_cast<unsigned>(scale), out)
                  : detail::print_scaled_long(magnitude, scale, out);
}

}  // namespace bankhook::inline BANKHOOK_ABI::text
