// SPDX-License-Identifier: MIT
// Decimal: an exact number with 64 bits of digits that keeps the places it was written with.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/format.hpp>
#include <bankhook/text/digits.hpp>
#include <bankhook/text/number.hpp>
#include <bankhook/text/print_scaled.hpp>

#include <cerrno>
#include <cfloat>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <expected>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace bankhook::inline BANKHOOK_ABI {

/// unscaled * 10^-scale: `19.90` has unscaled 1990 and scale 2, `1e2` has unscaled 1 and scale -2.
/// Equal, ordered and hashed by value (`19.9 == 19.90`); printed with the same digits and places: in plain notation where
/// the scale is 0 to 32, with an exponent elsewhere. Zero has no sign: `-0.00` is `0.00`.
class Decimal {
 public:
  /// The room that `print` needs: the sign and what follows it.
  static constexpr std::size_t max_printed = 1 + text::max_printed_scaled;

  constexpr Decimal() = default;
  template <text::IntegerOf64Bits T>
  // NOLINTNEXTLINE(google-explicit-constructor): an integer is a decimal
  constexpr Decimal(T unscaled, int scale = 0) : unscaled_(unscaled), scale_(scale) {}
  /// A binary fraction is not the decimal that it looks like, a character or a `bool` is no number, and 64 bits without a
  /// sign may not fit.
  template <class T>
    requires(std::is_arithmetic_v<T> && !text::IntegerOf64Bits<T>)
  Decimal(T value, int scale = 0) = delete;

  /// Exactly one JSON number, by RFC 8259. `decimal_out_of_range` where its digits (zeros in front do not count) do not
  /// fit a signed 64-bit integer or its scale does not fit an int; never a rounding.
  [[nodiscard]] static constexpr std::expected<Decimal, Errc> parse(std::string_view text);

  [[nodiscard]] constexpr std::int64_t unscaled() const { return unscaled_; }
  [[nodiscard]] constexpr int scale() const { return scale_; }

  /// Writes a JSON number that reads back with the same unscaled and scale, and returns the position after. `out` has
  /// room for `max_printed` bytes; those after the number may be written, too.
  BANKHOOK_INLINE constexpr char* print(char* out) const;
  [[nodiscard]] friend constexpr std::string to_string(const Decimal& value) {
    char buffer[max_printed]{};
    return {buffer, value.print(buffer)};
  }

  /// The nearest double, ties to even; infinite or zero where it is beyond the range of double.
  [[nodiscard]] double to_double() const {
    constexpr std::uint64_t exact = std::uint64_t{1} << std::numeric_limits<double>::digits;
    const auto places = static_cast<std::uint64_t>(scale_);  // a negative scale is beyond the end of any table
    // Both numbers are exact doubles, and dividing rounds once, unless the processor computes in wider registers.
    if (FLT_EVAL_METHOD == 0 && text::magnitude_of(unscaled_) <= exact && places < text::powers_of_ten.size()) {
      return static_cast<double>(unscaled_) / static_cast<double>(text::powers_of_ten[places]);
    }
    return nearest_double();
  }
  [[nodiscard]] explicit operator double() const { return to_double(); }

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

  /// std::from_chars would do, but libc++ 19 has none for double. The text has no decimal point, so the locale does not
  /// matter, and `errno` is left unchanged.
  [[nodiscard]] BANKHOOK_COLD double nearest_double() const {
    char buffer[max_printed]{};
    char* const exponent = text::print_integer(unscaled_, buffer);
    *exponent = 'e';
    *text::print_integer(-std::int64_t{scale_}, exponent + 1) = '\0';
    const int before = errno;
    const double nearest = std::strtod(buffer, nullptr);
    errno = before;
    return nearest;
  }

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
  *out = '-';
  out += unscaled_ < 0;
  return text::print_scaled(text::magnitude_of(unscaled_), scale_, out);
}

}  // namespace bankhook::inline BANKHOOK_ABI

namespace bankhook::inline BANKHOOK_ABI::text::detail {

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

}  // namespace bankhook::inline BANKHOOK_ABI::text::detail

namespace bankhook::inline BANKHOOK_ABI::text {

/// Reads the number at `p`; errors as in `Scan` and `Decimal::parse`. `out` is written on success only.
/// Amounts with their end inside eight bytes (`19.90`, `1250`, `7.5`) are read from one word, without a loop; negative ones
/// are not.
[[nodiscard]] BANKHOOK_INLINE constexpr Scan scan_decimal(const char* p, const char* end, Decimal& out) {
  const std::uint64_t word = load_up_to_8(p, end);
  const std::uint64_t values = digit_values(word);
  const std::uint64_t others = above_nine(values);
  const unsigned before_point = bytes_before(others);
  const std::uint64_t tail = word >> (8 * before_point & 63);  // from the first byte that is no digit
  const unsigned has_point = (tail & 0xFF) == '.';
  const std::uint64_t ends = others & (others - has_point);
  const unsigned size = bytes_before(ends);
  const auto follows = static_cast<char>(word >> (8 * size & 63));
  const unsigned scale = size - before_point - has_point;
  // All at once: how many digits there are is not for a branch to guess.
  const bool ends_well = (size < 8) & ((follows | 0x20) != 'e') & (scale >= has_point);
  const bool begins_well = before_point - 1 <= (values & 0xFF) * 8;  // a single digit, or no zero in front
  if (!(ends_well & begins_well)) [[unlikely]]
    return detail::scan_long_decimal(p, end, out);
  const std::uint64_t before = (std::uint64_t{1} << 8 * before_point) - 1;
  const std::uint64_t digits = (values & before) | (values >> 8 * has_point & ~before);
  out = Decimal(static_cast<std::int64_t>(number_of(digits, size - has_point)), static_cast<int>(scale));
  return {p + size, Errc::none};
}

}  // namespace bankhook::inline BANKHOOK_ABI::text

namespace bankhook::inline BANKHOOK_ABI {

constexpr std::expected<Decimal, Errc> Decimal::parse(std::string_view text) {
  Decimal value;
  const char* const end = text.data() + text.size();
  const text::Scan scan = text::scan_decimal(text.data(), end, value);
  if (scan.error != Errc::none) return std::unexpected(scan.error);
  if (scan.next != end) return std::unexpected(Errc::invalid_number);
  return value;
}

}  // namespace bankhook::inline BANKHOOK_ABI

/// By value, as `==`.
template <>
struct std::hash<bankhook::Decimal> {
  [[nodiscard]] std::size_t operator()(const bankhook::Decimal& value) const noexcept {
    const bankhook::Decimal reduced = value.reduced();
    const auto scale = static_cast<std::size_t>(static_cast<std::uint32_t>(reduced.scale()));
    return std::hash<std::int64_t>{}(reduced.unscaled()) ^ (scale * static_cast<std::size_t>(0x9E3779B97F4A7C15));
  }
};
