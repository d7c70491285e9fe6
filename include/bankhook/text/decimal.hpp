// SPDX-License-Identifier: MIT
// Decimal: an exact number with 64 bits of digits that keeps the places it was written with.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/text/digits.hpp>
#include <bankhook/text/nearest_double.hpp>
#include <bankhook/text/number.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <limits>
#include <string>
#include <string_view>

namespace bankhook {

/// unscaled * 10^-scale: `19.90` has unscaled 1990 and scale 2, `1e2` has unscaled 1 and scale -2.
/// Equal, ordered and hashed by value (`19.9 == 19.90`); printed as it was written. Zero has no sign: `-0.00` is `0.00`.
class Decimal {
 public:
  /// Printed in plain notation up to this scale, with an exponent beyond: `1e-400` shall not become 400 zeros.
  static constexpr int max_plain_scale = 32;
  /// What `print` writes at most: the sign, `0.`, and `max_plain_scale` digits. With an exponent it is less.
  static constexpr std::size_t max_printed = 3 + max_plain_scale;

  constexpr Decimal() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): an integer is a decimal
  constexpr Decimal(std::int64_t unscaled, int scale = 0) : unscaled_(unscaled), scale_(scale) {}
  /// A binary fraction is not the decimal that it looks like.
  Decimal(std::floating_point auto value, int scale = 0) = delete;

  /// Exactly one JSON number, by RFC 8259. `decimal_out_of_range` where its digits (zeros in front do not count) do not
  /// fit a signed 64-bit integer or its scale does not fit an int; never a rounding.
  [[nodiscard]] static constexpr std::expected<Decimal, Errc> parse(std::string_view text);

  [[nodiscard]] constexpr std::int64_t unscaled() const { return unscaled_; }
  [[nodiscard]] constexpr int scale() const { return scale_; }

  /// Writes a JSON number that reads back with the same unscaled and scale, at most `max_printed` bytes, and returns
  /// the position behind.
  BANKHOOK_INLINE constexpr char* print(char* out) const;
  [[nodiscard]] constexpr std::string to_string() const {
    char buffer[max_printed]{};
    return {buffer, print(buffer)};
  }

  /// The nearest double, ties to even; infinite where it is beyond the range of double.
  [[nodiscard]] constexpr double to_double() const {
    const double magnitude = text::nearest_double(text::magnitude_of(unscaled_), scale_);
    return unscaled_ < 0 ? -magnitude : magnitude;
  }
  [[nodiscard]] constexpr explicit operator double() const { return to_double(); }

  /// The same value without zeros at the end: one representation a value. Zero has scale 0.
  [[nodiscard]] constexpr Decimal reduced() const {
    if (unscaled_ == 0) return {};
    Decimal shorter = *this;
    for (; shorter.unscaled_ % 10 == 0 && shorter.scale_ > std::numeric_limits<int>::min(); --shorter.scale_) {
      shorter.unscaled_ /= 10;
    }
    return shorter;
  }

  friend constexpr bool operator==(const Decimal& left, const Decimal& right) { return (left <=> right) == 0; }
  friend constexpr std::weak_ordering operator<=>(const Decimal& left, const Decimal& right) {
    if (left.scale_ == right.scale_) return left.unscaled_ <=> right.unscaled_;
    const int sign = left.sign();
    if (sign != right.sign()) return sign <=> right.sign();
    return sign < 0 ? compare_magnitudes(right, left) : compare_magnitudes(left, right);
  }

 private:
  [[nodiscard]] constexpr int sign() const { return (unscaled_ > 0) - (unscaled_ < 0); }

  /// By the place of the first digit; if it is the same, by the digits, the shorter ones filled up with zeros: both
  /// have at most 19, which 64 bits without sign hold.
  static constexpr std::weak_ordering compare_magnitudes(const Decimal& left, const Decimal& right) {
    std::uint64_t left_digits = text::magnitude_of(left.unscaled_);
    std::uint64_t right_digits = text::magnitude_of(right.unscaled_);
    if (left_digits == 0) return std::weak_ordering::equivalent;  // the signs are equal: both are zero
    const int left_count = text::digit_count(left_digits);
    const int right_count = text::digit_count(right_digits);
    const std::int64_t left_place = std::int64_t{left_count} - left.scale_;
    const std::int64_t right_place = std::int64_t{right_count} - right.scale_;
    if (left_place != right_place) return left_place <=> right_place;
    if (left_count < right_count) left_digits *= text::powers_of_ten[static_cast<std::size_t>(right_count - left_count)];
    else right_digits *= text::powers_of_ten[static_cast<std::size_t>(left_count - right_count)];
    return left_digits <=> right_digits;
  }

  std::int64_t unscaled_ = 0;
  int scale_ = 0;
};

constexpr char* Decimal::print(char* out) const {
  if (unscaled_ < 0) *out++ = '-';
  const std::uint64_t magnitude = text::magnitude_of(unscaled_);
  const int count = text::digit_count(magnitude);
  if (scale_ == 0) return text::print_digits(magnitude, count, out);
  if (scale_ < 0 || scale_ > max_plain_scale) {
    out = text::print_digits(magnitude, count, out);
    *out++ = 'e';
    return text::print_integer(-std::int64_t{scale_}, out);
  }
  // All digits one place to the right, then those before the point back to the left: no division by a power of ten.
  const int before_point = count > scale_ ? count - scale_ : 1;
  char* const behind = text::print_digits(magnitude, before_point + scale_, out + 1);
  for (int i = 0; i < before_point; ++i, ++out) out[0] = out[1];
  *out = '.';
  return behind;
}

}  // namespace bankhook

namespace bankhook::text::detail {

/// Any number, of any length.
[[nodiscard]] BANKHOOK_NOINLINE constexpr Scan scan_long_decimal(const char* p, const char* end, Decimal& out) {
  const NumberParts parts = scan_parts(p, end);
  if (parts.scan.error != Errc::none) return parts.scan;
  Significand digits = significand_of(parts);
  const std::uint64_t most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) + parts.negative;
  const std::int64_t scale = parts.fraction_size() - parts.exponent;
  const bool fits = !digits.overflowed && multiply(digits.value, digits.zeros) && digits.value <= most &&
                    scale >= std::numeric_limits<int>::min() && scale <= std::numeric_limits<int>::max();
  if (!fits) return {p, Errc::decimal_out_of_range};
  const std::uint64_t unscaled = parts.negative ? 0 - digits.value : digits.value;
  out = Decimal(static_cast<std::int64_t>(unscaled), static_cast<int>(scale));
  return parts.scan;
}

}  // namespace bankhook::text::detail

namespace bankhook::text {

/// Reads the number at `p`; errors as in `Scan` and `Decimal::parse`. `out` is written on success only.
/// Amounts with their end inside eight bytes (`19.90`, `1250`, `7.5`) are read from one word, without a loop.
[[nodiscard]] BANKHOOK_INLINE constexpr Scan scan_decimal(const char* p, const char* end, Decimal& out) {
  const bool negative = p < end && *p == '-';
  const char* const first = p + (negative ? 1 : 0);
  const std::uint64_t word = load_up_to_8(first, end);
  const std::uint64_t values = digit_values(word);
  const std::uint64_t others = above_nine(values);
  const unsigned before_point = bytes_before(others);
  const std::uint64_t tail = word >> 8 * (before_point & 7);  // from the first byte that is no digit
  const bool has_point = (tail & 0xFF) == '.';
  const std::uint64_t ends = has_point ? others & (others - 1) : others;
  const unsigned size = bytes_before(ends);
  const auto follows = static_cast<char>(word >> 8 * (size & 7));
  const unsigned scale = has_point ? size - before_point - 1 : 0;
  const bool ends_here = size < 8 && (follows | 0x20) != 'e';
  const bool begins_well = before_point == 1 || (before_point > 1 && (values & 0xFF) != 0);
  if (!ends_here || !begins_well || (has_point && scale == 0)) [[unlikely]] {
    return detail::scan_long_decimal(p, end, out);
  }
  const std::uint64_t before = (std::uint64_t{1} << 8 * before_point) - 1;
  const std::uint64_t digits = has_point ? (values & before) | (values >> 8 & ~before) : values;
  const auto magnitude = static_cast<std::int64_t>(number_of(digits, size - has_point));
  out = Decimal(negative ? -magnitude : magnitude, static_cast<int>(scale));
  return {first + size, Errc::none};
}

}  // namespace bankhook::text

namespace bankhook {

constexpr std::expected<Decimal, Errc> Decimal::parse(std::string_view text) {
  Decimal value;
  const char* const end = text.data() + text.size();
  const text::Scan scan = text::scan_decimal(text.data(), end, value);
  if (scan.error != Errc::none) return std::unexpected(scan.error);
  if (scan.next != end) return std::unexpected(Errc::invalid_number);
  return value;
}

}  // namespace bankhook

/// By value, as `==`.
template <>
struct std::hash<bankhook::Decimal> {
  [[nodiscard]] std::size_t operator()(const bankhook::Decimal& value) const noexcept {
    const bankhook::Decimal reduced = value.reduced();
    const auto scale = static_cast<std::size_t>(static_cast<std::uint32_t>(reduced.scale()));
    return std::hash<std::int64_t>{}(reduced.unscaled()) ^ (scale * static_cast<std::size_t>(0x9E3779B97F4A7C15));
  }
};
