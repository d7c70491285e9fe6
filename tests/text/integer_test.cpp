// SPDX-License-Identifier: MIT
// Integers: read by their value, whatever their spelling; spec 2.1: counts are numbers that count.
#include <bankhook_catch.hpp>

#include <bankhook/text/number.hpp>
#include <text/support.hpp>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace text_integer_test {

namespace {

using bankhook::Errc;
using bankhook::detail::text::print_integer;
using bankhook::detail::text::Scan;
using bankhook::detail::text::scan_integer;
using bankhook::test::Choices;
using bankhook::test::ExactText;

/// `text` followed by `after` reads as `value`, and the scan ends where `text` does.
template <class T>
constexpr bool reads(std::string_view text, T value, std::string_view after = "") {
  T out{};
  const Scan scan = scan_integer(text.data(), text.data() + text.size(), out);
  return scan.error == Errc::none && scan.next == text.data() + text.size() - after.size() && out == value;
}

/// `text` is rejected with `error` at `at`, and the value that was there stays.
template <class T>
constexpr bool rejects(std::string_view text, Errc error, std::size_t at = 0) {
  T out = 77;
  const Scan scan = scan_integer(text.data(), text.data() + text.size(), out);
  return scan.error == error && scan.next == text.data() + at && out == T{77};
}

template <class T>
constexpr bool prints(T value, std::string_view expected) {
  char buffer[std::numeric_limits<T>::digits10 + 2]{};
  return std::string_view(buffer, print_integer(value, buffer)) == expected;
}

/// Through to_chars, from_chars and back, for values of every length.
template <class T>
void round_trips(std::uint64_t seed) {
  Choices choices(seed);
  for (int round = 0; round < 20'000; ++round) {
    const T value = static_cast<T>(choices.any_length());
    char expected[32];
    const std::string_view text(expected, std::to_chars(expected, expected + sizeof expected, value).ptr);
    const ExactText exact(text);
    if (!prints(value, text) || !reads(exact.view(), value)) FAIL("differs for " << text);
  }
  SUCCEED();
}

}  // namespace

TEST_CASE("2.1: a count is an integer from 0") {
  STATIC_REQUIRE(reads<std::uint32_t>("0", 0));
  STATIC_REQUIRE(reads<std::uint32_t>("3", 3));
  STATIC_REQUIRE(reads<std::uint32_t>("12,", 12, ","));
  STATIC_REQUIRE(reads<std::uint32_t>("4294967295", 4'294'967'295));
  STATIC_REQUIRE(rejects<std::uint32_t>("-1", Errc::expected_count));
  STATIC_REQUIRE(rejects<std::uint32_t>("2.5", Errc::expected_count));
  STATIC_REQUIRE(rejects<std::uint32_t>("-2.5", Errc::expected_count));
  STATIC_REQUIRE(rejects<std::uint32_t>("-1e400", Errc::expected_count));
}

TEST_CASE("an integer may be spelled with a fraction or an exponent") {
  STATIC_REQUIRE(reads<std::uint32_t>("2.0", 2));
  STATIC_REQUIRE(reads<std::uint32_t>("20e-1", 2));
  STATIC_REQUIRE(reads<std::uint32_t>("0.2e1", 2));
  STATIC_REQUIRE(reads<int>("-1.50E2}", -150, "}"));
  STATIC_REQUIRE(reads<int>("1e0", 1));
  STATIC_REQUIRE(reads<std::int64_t>("9.223372036854775807e18", std::numeric_limits<std::int64_t>::max()));
  STATIC_REQUIRE(reads<int>("100000000000000000000000000000e-28", 10));
  STATIC_REQUIRE(reads<int>("0.00000000000000000000000000005e29", 5));
}

TEST_CASE("negative zero is 0, as a count, too") {
  STATIC_REQUIRE(reads<std::uint32_t>("-0", 0));
  STATIC_REQUIRE(reads<std::uint32_t>("-0.00e5", 0));
  STATIC_REQUIRE(reads<int>("-0", 0));
}

TEST_CASE("a number that is no integer is rejected") {
  STATIC_REQUIRE(rejects<int>("2.5", Errc::expected_integer));
  STATIC_REQUIRE(rejects<int>("1e-1", Errc::expected_integer));
  STATIC_REQUIRE(rejects<int>("25e-1", Errc::expected_integer));
  STATIC_REQUIRE(rejects<int>("12345678901234567890123456789.5", Errc::expected_integer));
}

TEST_CASE("an integer that its type cannot hold is rejected") {
  STATIC_REQUIRE(rejects<std::uint32_t>("4294967296", Errc::integer_out_of_range));
  STATIC_REQUIRE(rejects<std::uint64_t>("18446744073709551616", Errc::integer_out_of_range));
  STATIC_REQUIRE(rejects<std::uint64_t>("1e20", Errc::integer_out_of_range));
  STATIC_REQUIRE(rejects<std::int8_t>("128", Errc::integer_out_of_range));
  STATIC_REQUIRE(rejects<std::int8_t>("-129", Errc::integer_out_of_range));
  STATIC_REQUIRE(rejects<std::int64_t>("9223372036854775808", Errc::integer_out_of_range));
  STATIC_REQUIRE(rejects<std::int64_t>("-9223372036854775809", Errc::integer_out_of_range));
  STATIC_REQUIRE(reads<std::int8_t>("-128", -128));
  STATIC_REQUIRE(reads<std::uint64_t>("18446744073709551615", 18'446'744'073'709'551'615u));
  STATIC_REQUIRE(reads<std::int64_t>("-9223372036854775808", std::numeric_limits<std::int64_t>::min()));
}

TEST_CASE("a broken integer is rejected at the offending byte") {
  STATIC_REQUIRE(rejects<int>("x", Errc::expected_number));
  STATIC_REQUIRE(rejects<int>("", Errc::truncated));
  STATIC_REQUIRE(rejects<int>("-", Errc::truncated, 1));
  STATIC_REQUIRE(rejects<int>("12.", Errc::truncated, 3));
  STATIC_REQUIRE(rejects<int>("12.x", Errc::invalid_number, 3));
  STATIC_REQUIRE(reads<int>("012", 0, "12"));
}

TEST_CASE("exponents of thousands of digits neither overflow nor take long") {
  const std::string nines(100'000, '9');
  CHECK(rejects<int>("1e" + nines, Errc::integer_out_of_range));
  CHECK(rejects<int>("1e-" + nines, Errc::expected_integer));
  CHECK(rejects<std::uint32_t>("-1e" + nines, Errc::expected_count));
  CHECK(reads<int>("0e" + nines, 0));
  CHECK(reads<int>("0e-" + nines, 0));
  CHECK(reads<int>(std::string("7e").append(100'000, '0').append("2"), 700));
  CHECK(reads<int>(std::string("7").append(100'000, '0').append("e-100000"), 7));
  CHECK(reads<int>(std::string("0.").append(100'000, '0').append("7e100001"), 7));
}

TEST_CASE("integers of any length read and print as the standard library has them") {
  round_trips<std::int8_t>(1);
  round_trips<std::uint16_t>(2);
  round_trips<std::uint32_t>(3);
  round_trips<std::int64_t>(4);
  round_trips<std::uint64_t>(5);
}

TEST_CASE("the greatest and the least integers print") {
  STATIC_REQUIRE(prints<int>(0, "0"));
  STATIC_REQUIRE(prints<std::int8_t>(-128, "-128"));
  STATIC_REQUIRE(prints<std::int64_t>(std::numeric_limits<std::int64_t>::min(), "-9223372036854775808"));
  STATIC_REQUIRE(prints<std::uint64_t>(std::numeric_limits<std::uint64_t>::max(), "18446744073709551615"));
}

TEST_CASE("every power of ten and its neighbours print with their own number of digits") {
  std::uint64_t power = 1;
  for (std::size_t zeros = 0; zeros < 20; ++zeros, power *= 10) {
    CHECK(prints(power, std::string("1").append(zeros, '0')));
    CHECK(prints(power - 1, zeros == 0 ? "0" : std::string(zeros, '9')));
  }
}

TEST_CASE("moving the point and correcting the exponent keeps an integer what it is") {
  Choices choices(20);
  for (int round = 0; round < 50'000; ++round) {
    const auto value = static_cast<std::int32_t>(choices.any_length());
    std::string digits = std::to_string(value);
    const std::string sign = digits[0] == '-' ? "-" : "";
    digits.erase(0, sign.size());
    const auto places = static_cast<std::size_t>(choices.between(0, 40));
    if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
    std::string text = sign + digits;
    if (places > 0) text.insert(text.size() - places, 1, '.');
    text.append("e").append(std::to_string(places));
    const ExactText exact(text);
    if (!reads(exact.view(), value)) FAIL("differs for " << text);
  }
  SUCCEED();
}

}  // namespace text_integer_test
