// SPDX-License-Identifier: MIT
// Decimals and date-times read character by character, without a line of the library: what it is compared with.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>

namespace bankhook::test::by_hand {

[[nodiscard]] inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Takes the digits that `text` begins with.
inline std::string take_digits(std::string_view& text) {
  std::string digits;
  for (; !text.empty() && is_digit(text[0]); text.remove_prefix(1)) digits += text[0];
  return digits;
}
inline bool take(std::string_view& text, std::string_view what) {
  if (!text.starts_with(what)) return false;
  text.remove_prefix(what.size());
  return true;
}

/// A JSON number: its digits without zeros in front, and how many of them follow the point.
struct Number {
  bool is_negative = false;
  std::string digits{};
  long long scale = 0;

  /// Whether 64 bits hold the digits.
  [[nodiscard]] bool has_few_digits() const {
    const std::string_view largest = is_negative ? "9223372036854775808" : "9223372036854775807";
    return digits.size() < largest.size() || (digits.size() == largest.size() && digits <= largest);
  }
  /// Whether it is an amount: 38 digits are enough without an exponent, too.
  [[nodiscard]] bool fits() const {
    const long long before_point = std::max(static_cast<long long>(digits.size()), 1LL) - scale;
    return has_few_digits() && std::max(before_point, scale) <= 38;
  }
  /// Whether it is a whole number that 64 bits without a sign hold, after the zeros that its exponent adds.
  [[nodiscard]] bool is_count() const {
    if (digits.empty()) return true;
    const std::size_t size = digits.find_last_not_of('0') + 1;
    const long long zeros = static_cast<long long>(digits.size() - size) - scale;
    if (is_negative || zeros < 0 || static_cast<long long>(size) + zeros > 20) return false;
    const std::string all = digits.substr(0, size) + std::string(static_cast<std::size_t>(zeros), '0');
    return all.size() < 20 || all <= "18446744073709551615";
  }
  /// Less than zero, zero or more than zero, as this value is less than, equal to or more than another one.
  [[nodiscard]] int compared(const Number& other) const {
    if (digits.empty() || other.digits.empty()) return sign() - other.sign();
    if (sign() != other.sign()) return sign();
    const long long places = static_cast<long long>(digits.size()) - scale;
    const long long others = static_cast<long long>(other.digits.size()) - other.scale;
    if (places != others) return places < others ? -sign() : sign();
    std::string left = digits, right = other.digits;
    left.resize(std::max(left.size(), right.size()), '0');
    right.resize(left.size(), '0');
    return left == right ? 0 : left < right ? -sign() : sign();
  }

 private:
  [[nodiscard]] int sign() const { return digits.empty() ? 0 : is_negative ? -1 : 1; }
};

/// RFC 8259, section 6; nothing if `text` is not exactly one number.
[[nodiscard]] inline std::optional<Number> number(std::string_view text) {
  Number read{.is_negative = take(text, "-")};
  const std::string whole = take_digits(text);
  if (whole.empty() || (whole.size() > 1 && whole[0] == '0')) return std::nullopt;
  std::string fraction;
  if (take(text, ".") && (fraction = take_digits(text)).empty()) return std::nullopt;
  long long exponent = 0;
  if (take(text, "e") || take(text, "E")) {
    const bool is_negative = take(text, "-");
    if (!is_negative) take(text, "+");
    const std::string digits = take_digits(text);
    if (digits.empty()) return std::nullopt;
    for (const char c : digits) exponent = std::min(exponent * 10 + (c - '0'), 1'000'000'000'000LL);
    if (is_negative) exponent = -exponent;
  }
  if (!text.empty()) return std::nullopt;
  const std::string all = whole + fraction;
  read.digits = all.substr(std::min(all.find_first_not_of('0'), all.size()));
  read.scale = static_cast<long long>(fraction.size()) - exponent;
  return read;
}

/// A moment: seconds since 1970 at UTC, or on a clock that names no zone.
struct Moment {
  std::int64_t seconds = 0;
  std::int64_t nanoseconds = 0;
  bool has_offset = false;
};

/// A number of exactly so many digits, which are taken; -1 without them.
inline int take_number(std::string_view& text, std::size_t size) {
  if (text.size() < size || !std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size), is_digit))
    return -1;
  const int value = std::atoi(std::string(text.substr(0, size)).c_str());
  text.remove_prefix(size);
  return value;
}

/// `YYYY-MM-DD`, which is taken, as seconds since 1970; the C library says which days there are.
inline std::optional<std::int64_t> take_date(std::string_view& text) {
  std::tm given{};
  const int year = take_number(text, 4);
  if (year < 1 || !take(text, "-")) return std::nullopt;
  const int month = take_number(text, 2);
  if (month < 1 || !take(text, "-")) return std::nullopt;
  given.tm_year = year - 1900, given.tm_mon = month - 1, given.tm_mday = take_number(text, 2);
  std::tm normal = given;
  const std::time_t seconds = timegm(&normal);
  const bool exists = normal.tm_mon == given.tm_mon && normal.tm_mday == given.tm_mday && normal.tm_year == given.tm_year;
  return exists ? std::optional<std::int64_t>(seconds) : std::nullopt;
}

/// The offset from UTC that the whole `text` spells, in seconds.
inline std::optional<int> offset(std::string_view text) {
  if (text == "Z") return 0;
  const bool is_negative = take(text, "-");
  if (!is_negative && !take(text, "+")) return std::nullopt;
  const int hours = take_number(text, 2);
  const bool has_minutes = !text.empty();
  if (has_minutes) take(text, ":");
  const int minutes = has_minutes ? take_number(text, 2) : 0;
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59 || !text.empty()) return std::nullopt;
  return (is_negative ? -60 : 60) * (hours * 60 + minutes);
}

/// 2.4 with the separator `T`: the fraction and the offset may be missing. 2.2 with a blank: a fraction and no offset.
[[nodiscard]] inline std::optional<Moment> date_time(std::string_view text, char separator) {
  const auto date = take_date(text);
  if (!date || !take(text, std::string_view(&separator, 1))) return std::nullopt;
  const int hours = take_number(text, 2);
  if (!take(text, ":")) return std::nullopt;
  const int minutes = take_number(text, 2);
  if (!take(text, ":")) return std::nullopt;
  const int seconds = take_number(text, 2);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59 || seconds < 0 || seconds > 59) return std::nullopt;
  Moment moment{.seconds = *date + (hours * 60 + minutes) * 60 + seconds};
  const bool has_fraction = take(text, ".");
  if (has_fraction) {
    std::string digits = take_digits(text);
    if (digits.empty() || digits.size() > 9) return std::nullopt;
    digits.resize(9, '0');
    moment.nanoseconds = std::atoll(digits.c_str());
  }
  if (separator == ' ') return has_fraction && text.empty() ? std::optional(moment) : std::nullopt;
  if (text.empty()) return moment;
  const auto ahead = offset(text);
  if (!ahead) return std::nullopt;
  moment.seconds -= *ahead;
  moment.has_offset = true;
  return moment;
}

}  // namespace bankhook::test::by_hand
