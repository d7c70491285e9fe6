// SPDX-License-Identifier: MIT
// Decimal (spec 2.4 amount): exact, as it was written, an error instead of a rounding.
#include <bankhook_catch.hpp>

#include <bankhook/text/decimal.hpp>
#include <text/support.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace text_decimal_test {

namespace {

using bankhook::Decimal;
using bankhook::Errc;
using bankhook::detail::text::Scan;
using bankhook::detail::text::scan_decimal;
using bankhook::test::Choices;
using bankhook::test::ExactText;
using bankhook::test::prints;
using bankhook::test::reads_as_written;

constexpr bool reads(std::string_view text, std::int64_t unscaled, int scale) {
  const auto value = Decimal::parse(text);
  return value && value->unscaled() == unscaled && value->scale() == scale;
}
constexpr bool rejects(std::string_view text, Errc error) {
  const auto value = Decimal::parse(text);
  return !value && value.error() == error;
}

static_assert(std::is_trivially_copyable_v<Decimal> && sizeof(Decimal) == 16);
static_assert(!std::is_constructible_v<Decimal, double> && !std::is_constructible_v<Decimal, float, int>);
static_assert(!std::is_constructible_v<Decimal, std::uint64_t> &&
              !std::is_constructible_v<Decimal, unsigned long long, int>);
static_assert(!std::is_constructible_v<Decimal, char> && !std::is_constructible_v<Decimal, bool>);
static_assert(std::is_convertible_v<long long, Decimal> && std::is_convertible_v<std::uint32_t, Decimal>);
static_assert(!std::is_convertible_v<Decimal, double> && std::is_constructible_v<double, Decimal>);

}  // namespace

TEST_CASE("2.4: an amount keeps its digits and places") {
  STATIC_REQUIRE(reads("19.90", 1990, 2));
  STATIC_REQUIRE(reads("1250", 1250, 0));
  STATIC_REQUIRE(reads("7.5", 75, 1));
  STATIC_REQUIRE(reads("0.05", 5, 2));
  STATIC_REQUIRE(reads("-19.90", -1990, 2));
  STATIC_REQUIRE(reads("123456.78", 12345678, 2));
  STATIC_REQUIRE(reads("1e2", 1, -2));
  STATIC_REQUIRE(reads("1.50E+1", 150, 1));
  STATIC_REQUIRE(reads("25e-3", 25, 3));
}

TEST_CASE("2.4: an amount prints as it was written") {
  for (const std::string_view text : {"0", "7", "19.90", "19.9", "0.05", "0.00", "-0.5", "1250", "-1234567.89", "1e2",
                                      "-5e10", "0e3", "123456789.123456789", "0.00000000000000000000000000000001"}) {
    CHECK(reads_as_written<Decimal>(text));
  }
  STATIC_REQUIRE(reads_as_written<Decimal>("19.90"));
}

TEST_CASE("2.4: every amount prints as its units, a point and its cents") {
  for (std::int64_t cents = 0; cents < 200'000; ++cents) {
    const std::string both = std::to_string(100 + cents % 100).substr(1);
    const std::string expected = std::to_string(cents / 100).append(".").append(both);
    if (!prints(Decimal(cents, 2), expected)) FAIL("differs for " << expected);
    if (!prints(Decimal(-cents - 1, 0), std::to_string(-cents - 1))) FAIL("differs for -" << cents + 1);
  }
  STATIC_REQUIRE(prints(Decimal(9'999'999, 2), "99999.99"));
  STATIC_REQUIRE(prints(Decimal(10'000'000, 2), "100000.00"));
  STATIC_REQUIRE(prints(Decimal(-9'999'999, 6), "-9.999999"));
  STATIC_REQUIRE(prints(Decimal(9'999'999, 7), "0.9999999"));
  STATIC_REQUIRE(prints(Decimal(1, 6), "0.000001"));
  STATIC_REQUIRE(prints(Decimal(9'999'999, 0), "9999999"));
}

TEST_CASE("a decimal prints in plain notation up to 32 places and with an exponent beyond") {
  STATIC_REQUIRE(prints(Decimal(-1, 32), "-0.00000000000000000000000000000001"));
  STATIC_REQUIRE(prints(Decimal(1, 33), "1e-33"));
  STATIC_REQUIRE(prints(Decimal(1, 400), "1e-400"));
  STATIC_REQUIRE(prints(Decimal(12, -1), "12e1"));
  STATIC_REQUIRE(prints(Decimal(-5, std::numeric_limits<int>::min()), "-5e2147483648"));
  STATIC_REQUIRE(prints(Decimal(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<int>::max()),
                        "-9223372036854775808e-2147483647"));
  STATIC_REQUIRE(prints(Decimal(std::numeric_limits<std::int64_t>::min(), 32), "-0.00000000000009223372036854775808"));
  STATIC_REQUIRE(prints(Decimal(std::numeric_limits<std::int64_t>::min(), 19), "-0.9223372036854775808"));
  STATIC_REQUIRE(prints(Decimal(std::numeric_limits<std::int64_t>::min(), 18), "-9.223372036854775808"));
}

TEST_CASE("negative zero has no sign: it reads as 0 and keeps its places") {
  STATIC_REQUIRE(reads("-0", 0, 0));
  STATIC_REQUIRE(prints(*Decimal::parse("-0"), "0"));
  STATIC_REQUIRE(prints(*Decimal::parse("-0.00"), "0.00"));
  STATIC_REQUIRE(prints(*Decimal::parse("-0e2"), "0e2"));
}

TEST_CASE("64 bits of digits are read to the last, one more is an error and never a rounding") {
  STATIC_REQUIRE(reads("9223372036854775807", std::numeric_limits<std::int64_t>::max(), 0));
  STATIC_REQUIRE(reads("-9223372036854775808", std::numeric_limits<std::int64_t>::min(), 0));
  STATIC_REQUIRE(reads("-92233720368547758.08", std::numeric_limits<std::int64_t>::min(), 2));
  STATIC_REQUIRE(rejects("9223372036854775808", Errc::decimal_out_of_range));
  STATIC_REQUIRE(rejects("-9223372036854775809", Errc::decimal_out_of_range));
  STATIC_REQUIRE(rejects("0.9223372036854775808", Errc::decimal_out_of_range));
  STATIC_REQUIRE(rejects("10000000000000000000", Errc::decimal_out_of_range));
  STATIC_REQUIRE(rejects("18446744073709551616", Errc::decimal_out_of_range));
  STATIC_REQUIRE(rejects("-0.018446744073709551617", Errc::decimal_out_of_range));
  STATIC_REQUIRE(rejects("1.0000000000000000000", Errc::decimal_out_of_range));
  STATIC_REQUIRE(rejects("123456789012345678901234567890", Errc::decimal_out_of_range));
}

TEST_CASE("zeros in front do not count as digits") {
  STATIC_REQUIRE(reads("0.00000000000000000000000000000000000012", 12, 38));
  STATIC_REQUIRE(reads("0.00000000000000000009223372036854775807", std::numeric_limits<std::int64_t>::max(), 38));
  STATIC_REQUIRE(reads("0.00000000000000000000000000000", 0, 29));
}

TEST_CASE("an amount that has more than 38 digits without its exponent is an error, also if it is zero") {
  STATIC_REQUIRE(reads("1e37", 1, -37));
  STATIC_REQUIRE(reads("-10.0e36", -100, -35));
  STATIC_REQUIRE(reads("9223372036854775807e19", std::numeric_limits<std::int64_t>::max(), -19));
  STATIC_REQUIRE(reads("1e-38", 1, 38));
  STATIC_REQUIRE(reads("9223372036854775807e-38", std::numeric_limits<std::int64_t>::max(), 38));
  STATIC_REQUIRE(reads("0e37", 0, -37));
  STATIC_REQUIRE(reads("0.0e-37", 0, 38));
  for (const std::string_view text :
       {"1e38", "-10.0e37", "9223372036854775807e20", "1e-39", "0.1e-38", "9223372036854775807e-39", "0e38", "-0.0e-38",
        "1e2000000", "1E-2000000", "0e50", "1e2147483649", "1e-2147483648", "0e99999999999999999999",
        "0.000000000000000000000000000000000000001", "0.000000000000000000000000000000000000000"}) {
    CAPTURE(text);
    CHECK(rejects(text, Errc::exponent_out_of_range));
  }
  CHECK(rejects(std::string("1e").append(100'000, '9'), Errc::exponent_out_of_range));
  CHECK(rejects(std::string("1e-").append(100'000, '9'), Errc::exponent_out_of_range));
  CHECK(rejects("1e38 ", Errc::invalid_number));
  CHECK(reads(std::string("1e").append(100'000, '0').append("7"), 1, -7));
  CHECK(reads(std::string("0.").append(100'000, '0').append("7e100001"), 7, 0));
}

TEST_CASE("a decimal is exactly one JSON number") {
  for (const std::string_view text :
       {"01", "19.90 ", "1.5.2", "1.", "-", ".5", "+1", " 1", "1,5", "0x10", "", "NaN", "1e", "1e+"}) {
    CHECK_FALSE(Decimal::parse(text).has_value());
  }
  STATIC_REQUIRE(rejects("a", Errc::expected_number));
  STATIC_REQUIRE(rejects("1.x", Errc::invalid_number));
  STATIC_REQUIRE(rejects("1.", Errc::truncated));
  STATIC_REQUIRE(rejects("", Errc::truncated));
  STATIC_REQUIRE(rejects("19.90 ", Errc::invalid_number));
  STATIC_REQUIRE(rejects("12479389223372036854775807 ", Errc::invalid_number));  // too large, and not a number either
}

TEST_CASE("a scan takes what skipping takes, whatever follows, and reads no byte outside") {
  Choices choices(1990);
  for (int round = 0; round < 200'000; ++round) {
    std::string text;
    for (std::int64_t size = choices.between(0, 12); size > 0; --size) text += choices.one_of("00123456789-...eE+,}");
    const ExactText exact(text);
    Decimal value(42, 7);
    const Scan scan = scan_decimal(exact.begin(), exact.end(), value);
    const Scan grammar = bankhook::detail::text::skip_number(exact.begin(), exact.end());
    if (grammar.error != Errc::none || scan.error == Errc::none) {
      if (scan.next != grammar.next || scan.error != grammar.error) FAIL("differs for " << text);
    } else if (scan.error < Errc::decimal_out_of_range || scan.error > Errc::exponent_out_of_range ||
               scan.next != exact.begin()) {
      FAIL("wrong error for " << text);
    }
    if (scan.error != Errc::none && (value.unscaled() != 42 || value.scale() != 7)) FAIL("written for " << text);
  }
  SUCCEED();
}

TEST_CASE("printing touches no byte beyond the room that it asks for") {
  Choices choices(35);
  for (int round = 0; round < 20'000; ++round) {
    const Decimal value(choices.any_length(), static_cast<int>(choices.between(-2, 34)));
    std::string room(Decimal::max_printed + 1, '#');
    const char* const after = value.print(room.data());
    if (after > room.data() + Decimal::max_printed || room.back() != '#') FAIL("too long: " << to_string(value));
  }
  SUCCEED();
}

TEST_CASE("any decimal prints a number that reads back with the same digits and places") {
  Choices choices(64);
  for (int round = 0; round < 200'000; ++round) {
    const std::int64_t unscaled = choices.any_length();
    const auto scale = static_cast<int>(choices.between(-19, 38));  // 38 digits are enough for all
    const Decimal value(unscaled, scale);
    char buffer[Decimal::max_printed];
    const ExactText text(std::string_view(buffer, value.print(buffer)));
    if (!reads(text.view(), unscaled, scale)) FAIL("differs for " << text.view());
  }
  SUCCEED();
}

TEST_CASE("digits with a point read as the standard library reads the digits") {
  Choices choices(5);
  for (int round = 0; round < 100'000; ++round) {
    std::string digits(1, choices.one_of("123456789"));
    digits += choices.digits(choices.between(0, 17));
    const std::int64_t magnitude = std::stoll(digits);
    const auto scale = choices.between(0, static_cast<std::int64_t>(digits.size()) - 1);
    if (scale > 0) digits.insert(digits.size() - static_cast<std::size_t>(scale), 1, '.');
    const bool negative = choices.coin();
    if (negative) digits.insert(digits.begin(), '-');
    const ExactText exact(digits);
    if (!reads(exact.view(), negative ? -magnitude : magnitude, static_cast<int>(scale)))
      FAIL("differs for " << exact.view());
  }
  SUCCEED();
}

TEST_CASE("the text of a decimal is what it prints") {
  CHECK(to_string(Decimal(-1990, 2)) == "-19.90");
  CHECK(to_string(Decimal()) == "0");
}

}  // namespace text_decimal_test
