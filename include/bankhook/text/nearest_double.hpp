// SPDX-License-Identifier: MIT
// The double nearest to an exact decimal, also in constant expressions (where std::from_chars is not allowed yet).
#pragma once

#include <bankhook/text/digits.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace bankhook::text::detail {

/// A natural number of up to 1280 bits, and whether divisions left a remainder behind.
class WideNumber {
 public:
  static constexpr int bits = 1280;

  /// `value` times two to the power of `shift`, a multiple of 32.
  constexpr WideNumber(std::uint64_t value, int shift) {
    limbs_[static_cast<std::size_t>(shift / 32)] = static_cast<std::uint32_t>(value);
    limbs_[static_cast<std::size_t>(shift / 32 + 1)] = static_cast<std::uint32_t>(value >> 32);
  }

  constexpr void multiply(std::uint32_t factor) {
    std::uint64_t carry = 0;
    for (std::uint32_t& limb : limbs_) {
      carry += std::uint64_t{limb} * factor;
      limb = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  constexpr void divide(std::uint32_t divisor) {
    std::uint64_t rest = 0;
    for (std::size_t i = limbs_.size(); i-- > 0;) {
      rest = rest << 32 | limbs_[i];
      limbs_[i] = static_cast<std::uint32_t>(rest / divisor);
      rest %= divisor;
    }
    has_remainder_ = has_remainder_ || rest != 0;
  }

  /// The place of the highest bit that is set.
  [[nodiscard]] constexpr int highest_bit() const {
    std::size_t i = limbs_.size() - 1;
    while (i > 0 && limbs_[i] == 0) --i;
    return static_cast<int>(32 * i) + static_cast<int>(std::bit_width(limbs_[i])) - 1;
  }
  /// The 64 bits from `place` on.
  [[nodiscard]] constexpr std::uint64_t bits_from(int place) const {
    const auto i = static_cast<std::size_t>(place / 32);
    const int inside = place % 32;
    const std::uint64_t low = limbs_[i] | std::uint64_t{limbs_[i + 1]} << 32;
    return inside == 0 ? low : low >> inside | std::uint64_t{limbs_[i + 2]} << (64 - inside);
  }
  /// Whether anything lies below `place`: bits, or a remainder.
  [[nodiscard]] constexpr bool has_rest_below(int place) const {
    const auto whole = limbs_.begin() + place / 32;
    const std::uint32_t inside = *whole & ((std::uint32_t{1} << place % 32) - 1);
    return has_remainder_ || inside != 0 ||
           std::any_of(limbs_.begin(), whole, [](std::uint32_t limb) { return limb != 0; });
  }

 private:
  std::array<std::uint32_t, bits / 32 + 2> limbs_{};  // two more than are used, so that bits_from needs no bounds
  bool has_remainder_ = false;
};

/// `wide` times two to the power of -`shift`, rounded half to even.
[[nodiscard]] constexpr double rounded(const WideNumber& wide, int shift) {
  // IEEE 754: the lowest bit of the 53 that are kept has the place 2^-1074 at least.
  const int lowest_exponent = std::max(wide.highest_bit() - shift - 52, -1074);
  const int lowest = lowest_exponent + shift;
  std::uint64_t mantissa = wide.bits_from(lowest);
  const bool half = (wide.bits_from(lowest - 1) & 1) != 0;
  if (half && (wide.has_rest_below(lowest - 1) || (mantissa & 1) != 0)) ++mantissa;
  // The mantissa's own highest bit, or its carry, counts the exponent one up.
  const std::uint64_t encoded = (static_cast<std::uint64_t>(lowest_exponent + 1074) << 52) + mantissa;
  return std::bit_cast<double>(std::min(encoded, std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity())));
}

}  // namespace bankhook::text::detail

namespace bankhook::text {

/// The double nearest to magnitude * 10^-scale, ties to even: one operation for amounts, some microseconds for what is
/// very long, large or small. Infinity where it is beyond the range of double.
[[nodiscard]] constexpr double nearest_double(std::uint64_t magnitude, int scale) {
  static_assert(std::numeric_limits<double>::is_iec559);
  constexpr int shift = 1088;           // a multiple of 32, beyond the 1074 places of a double
  constexpr int most_exact_power = 22;  // 10^22 and each power below are exact as double
  constexpr std::uint32_t nine_digits = 1'000'000'000;
  if (magnitude == 0) return 0.0;
  if (magnitude <= std::uint64_t{1} << 53 && scale >= -most_exact_power && scale <= most_exact_power) {
    double power = 1.0;
    for (int i = 0; i < (scale < 0 ? -scale : scale); ++i) power *= 10.0;
    return scale < 0 ? static_cast<double>(magnitude) * power : static_cast<double>(magnitude) / power;
  }
  const std::int64_t digits_before_point = std::int64_t{digit_count(magnitude)} - scale;
  if (digits_before_point > 309) return std::numeric_limits<double>::infinity();
  if (digits_before_point < -323) return 0.0;

  if (scale <= 0) {
    detail::WideNumber wide(magnitude, 64);
    int power = -scale;
    for (; power >= 9; power -= 9) wide.multiply(nine_digits);
    wide.multiply(static_cast<std::uint32_t>(powers_of_ten[static_cast<std::size_t>(power)]));
    return detail::rounded(wide, 64);
  }
  detail::WideNumber wide(magnitude, shift);
  int power = scale;
  for (; power >= 9; power -= 9) wide.divide(nine_digits);
  wide.divide(static_cast<std::uint32_t>(powers_of_ten[static_cast<std::size_t>(power)]));
  return detail::rounded(wide, shift);
}

}  // namespace bankhook::text
