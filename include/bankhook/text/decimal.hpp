// SPDX-License-Identifier: MIT
// Decimal: an exact number with 64 bits of digits that keeps the places it was written with.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/enumerators.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/text/number.hpp>

#include <algorithm>
#include <cerrno>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <expected>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace bankhook { inline namespace BANKHOOK_STRUCTS {

/// unscaled * 10^-scale: `19.90` has unscaled 1990 and scale 2, `1e2` has unscaled 1 and scale -2.
/// Equal, ordered and hashed by value (`19.9 == 19.90`); printed with the same digits and places: in plain notation where
/// the scale is 0 to 32, with an exponent elsewhere. Zero has no sign: `-0.00` is `0.00`.
class Decimal {
 public:
  /// What `parse` takes has at most so many digits, before and after the point together, when it is written without an
  /// exponent (a zero before the point is not counted): as many as the widest columns of money hold.
  static constexpr int max_digits = 38;
  /// Plain notation up to this scale, an exponent beyond: `1e-400` shall not become 400 zeros.
  static constexpr int max_plain_scale = 32;
  /// The room that `print` needs: the sign, `0.` and `max_plain_scale` digits. With an exponent it is less.
  static constexpr std::size_t max_printed = 3 + max_plain_scale;

  BANKHOOK_OWN constexpr Decimal() = default;
  template <detail::text::IntegerOf64Bits T>
  /// Any scale: one with more than `max_digits` is compared and written as any other, but nobody reads it again.
  // NOLINTNEXTLINE(google-explicit-constructor): an integer is a decimal
  BANKHOOK_OWN constexpr Decimal(T unscaled, int scale = 0) : unscaled_(unscaled), scale_(scale) {}
  /// A binary fraction is not the decimal that it looks like, a character or a `bool` is no number, and 64 bits without a
  /// sign may not fit.
  template <class T, class Instead = detail::text::write_the_digits_as_an_integer_and_the_scale_or_call_Decimal_parse>
    requires(std::is_arithmetic_v<T> && !detail::text::IntegerOf64Bits<T>)
  Decimal(T value, int scale = 0) = BANKHOOK_DELETE("write the digits as an integer and the scale, or call Decimal::parse");

  /// Exactly one JSON number, by RFC 8259. `decimal_out_of_range` where its digits (zeros in front do not count) do not
  /// fit a signed 64-bit integer, `exponent_out_of_range` where there are more than `max_digits`; never a rounding.
  BANKHOOK_OWN [[nodiscard]] static constexpr std::expected<Decimal, Errc> parse(std::string_view text);

  BANKHOOK_OWN [[nodiscard]] constexpr std::int64_t unscaled() const { return unscaled_; }
  BANKHOOK_OWN [[nodiscard]] constexpr int scale() const { return scale_; }

  /// Writes a JSON number that reads back with the same unscaled and scale, and returns the position after. `out` has
  /// room for `max_printed` bytes; those after the number may be written, too.
  BANKHOOK_OWN BANKHOOK_INLINE constexpr char* print(char* out) const {
    *out = '-';
    out += unscaled_ < 0;
    const std::uint64_t digits = detail::text::magnitude_of(unscaled_);
    const bool is_short = digits < 10'000'000 && scale_ >= 0 && scale_ <= 6;
    return is_short ? print_short(digits, static_cast<unsigned>(scale_), out) : print_long(digits, scale_, out);
  }
  BANKHOOK_OWN [[nodiscard]] friend constexpr std::string to_string(const Decimal& value) {
    char buffer[max_printed]{};
    return {buffer, value.print(buffer)};
  }

  /// The nearest double, ties to even; infinite or zero where it is beyond the range of double. `errno` is left unchanged.
  BANKHOOK_OWN [[nodiscard]] double to_double() const {
    char buffer[max_printed]{};
    char* const exponent = detail::text::print_integer(unscaled_, buffer);
    *exponent = 'e';
    *detail::text::print_integer(-std::int64_t{scale_}, exponent + 1) = '\0';
    const int before = errno;
    // std::from_chars would do, but libc++ 19 has none for double. No decimal point: the locale does not matter.
    const double nearest = std::strtod(buffer, nullptr);
    errno = before;
    return nearest;
  }
  BANKHOOK_OWN [[nodiscard]] explicit operator double() const { return to_double(); }

  /// The same value without zeros at the end: one representation a value. Zero has scale 0.
  BANKHOOK_OWN [[nodiscard]] constexpr Decimal reduced() const {
    if (unscaled_ == 0) return {};
    Decimal shorter = *this;
    for (; shorter.unscaled_ % 10 == 0 && shorter.scale_ > (std::numeric_limits<int>::min)(); --shorter.scale_) {
      shorter.unscaled_ /= 10;
    }
    return shorter;
  }

  /// By value, as `==`.
  BANKHOOK_OWN [[nodiscard]] std::size_t hash() const noexcept {
    const Decimal value = reduced();
    const std::uint64_t scale = static_cast<std::uint32_t>(value.scale_);
    return std::hash<std::int64_t>{}(value.unscaled_) ^ std::hash<std::uint64_t>{}(scale * 0x9E3779B97F4A7C15);
  }

  BANKHOOK_OWN friend constexpr bool operator==(const Decimal& left, const Decimal& right) { return (left <=> right) == 0; }
  BANKHOOK_OWN friend constexpr std::weak_ordering operator<=>(const Decimal& left, const Decimal& right) {
    const bool is_below = left.unscaled_ < 0, is_zero = left.unscaled_ == 0;
    if (left.scale_ == right.scale_ || is_zero || right.unscaled_ == 0 || is_below != (right.unscaled_ < 0))
      return left.unscaled_ <=> right.unscaled_;
    // By the place of the first digit, then by the digits, filled up with zeros to 19.
    const auto magnitude = [](const Decimal& value) {
      const std::uint64_t digits = detail::text::magnitude_of(value.unscaled_);
      const int count = detail::text::digit_count(digits);
      return std::pair(std::int64_t{count} - value.scale_,
                       digits * detail::text::powers_of_ten[static_cast<std::size_t>(19 - count)]);
    };
    return is_below ? magnitude(right) <=> magnitude(left) : magnitude(left) <=> magnitude(right);
  }

 private:
  /// At most seven digits: with the point they fit one word, and amounts take neither loop nor branch.
  BANKHOOK_OWN BANKHOOK_INLINE static constexpr char* print_short(std::uint64_t magnitude, unsigned scale, char* out) {
    const std::uint64_t digits = detail::text::eight_digits_of(magnitude);
    const unsigned count = (std::max)(8 - detail::text::bytes_before(digits | std::uint64_t{1} << 56), scale + 1);
    const std::uint64_t word = (digits | detail::text::every_byte * '0') >> 8 * (8 - count);
    const unsigned before_point = 8 * (count - scale);
    const std::uint64_t before = (std::uint64_t{1} << before_point) - 1;
    detail::text::store8((word & before) | std::uint64_t{'.'} << before_point | (word & ~before) << 8, out);
    return out + count + (scale != 0);  // with scale 0, the point stands after the number
  }
  BANKHOOK_OWN BANKHOOK_NOINLINE static constexpr char* print_long(std::uint64_t magnitude, int scale, char* out) {
    const int count = detail::text::digit_count(magnitude);
    if (scale <= 0 || scale > max_plain_scale) {
      out = detail::text::print_digits(magnitude, count, out);
      if (scale == 0) return out;
      *out++ = 'e';
      return detail::text::print_integer(-std::int64_t{scale}, out);
    }
    // All digits one place to the right, then those before the point back to the left: no division by a power of ten.
    const int before_point = (std::max)(count - scale, 1);
    char* const after = detail::text::print_digits(magnitude, before_point + scale, out + 1);
    out = std::copy_n(out + 1, before_point, out);
    *out = '.';
    return after;
  }

  std::int64_t unscaled_ = 0;
  int scale_ = 0;
};

}}  // namespace bankhook::BANKHOOK_STRUCTS

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace text {

/// Any number, of any length.
[[nodiscard]] BANKHOOK_NOINLINE constexpr Scan scan_long_decimal(const char* p, const char* end, Decimal& out) {
  Number number;
  const Scan scan = scan_number(p, end, number);
  if (scan.error != Errc::none) return scan;
  const std::uint64_t most = static_cast<std::uint64_t>((std::numeric_limits<std::int64_t>::max)()) + number.negative;
  const std::int64_t scale = number.fraction_size - number.exponent;
  if (number.overflowed || !multiply(number.value, number.zeros) || number.value > most)
    return {p, Errc::decimal_out_of_range};
  if (scale > Decimal::max_digits || digit_count(number.value) - scale > Decimal::max_digits)
    return {p, Errc::exponent_out_of_range};
  const std::uint64_t unscaled = number.negative ? 0 - number.value : number.value;
  out = Decimal(static_cast<std::int64_t>(unscaled), static_cast<int>(scale));
  char printed[Decimal::max_printed]{};
  const bool prints_alike = std::string_view(printed, out.print(printed)) == std::string_view(p, scan.next);
  return {scan.next, scan.error, !prints_alike};
}

/// Reads the number at `p`; errors as in `Scan` and `Decimal::parse`. `out` is written on success only.
[[nodiscard]] BANKHOOK_INLINE constexpr Scan scan_decimal(const char* p, const char* end, Decimal& out) {
  std::uint64_t digits = 0;
  const char* next = scan_safe_digits(p, end, digits);
  const std::ptrdiff_t before_point = next - p;
  if (next < end && *next == '.') next = scan_safe_digits(next + 1, end, digits);
  const std::ptrdiff_t size = next - p;
  const char follows = next < end ? *next : '\0';
  const bool begins_well = before_point == 1 || (before_point > 1 && *p != '0');
  const bool ends_well = size <= safe_digits && !is_digit(follows) && (follows | 0x20) != 'e';
  if (!begins_well || !ends_well || next[-1] == '.') [[unlikely]]
    return scan_long_decimal(p, end, out);
  const auto places = static_cast<std::size_t>(before_point == size ? 0 : size - before_point - 1);
  out = Decimal(static_cast<std::int64_t>(digits), static_cast<int>(places));
  return {next, Errc::none};
}

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::text

constexpr std::expected<bankhook::Decimal, bankhook::Errc> bankhook::Decimal::parse(std::string_view text) {
  Decimal value;
  const char* const end = text.data() + text.size();
  detail::text::Scan scan = detail::text::scan_decimal(text.data(), end, value);
  if (scan.error >= Errc::decimal_out_of_range && detail::text::skip_number(text.data(), end).next != end)
    return std::unexpected(Errc::invalid_number);  // something follows it
  if (scan.error != Errc::none) return std::unexpected(scan.error);
  if (scan.next != end) return std::unexpected(Errc::invalid_number);
  return value;
}
