// SPDX-License-Identifier: MIT
// The grammar of numbers: RFC 8259, section 6, with the place of what breaks it.
#include <bankhook_catch.hpp>

#include <bankhook/text/number.hpp>
#include <text/support.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace text_number_test {

namespace {

using bankhook::Errc;
using bankhook::detail::text::Scan;
using bankhook::detail::text::skip_number;
using bankhook::test::Choices;
using bankhook::test::ExactText;

/// The grammar holds for the first `size` bytes of `text`, and the scan ends there.
constexpr bool takes(std::string_view text, std::size_t size) {
  const Scan scan = skip_number(text.data(), text.data() + text.size());
  return scan.error == Errc::none && scan.next == text.data() + size;
}
constexpr bool takes_all(std::string_view text) { return takes(text, text.size()); }

constexpr bool stops(std::string_view text, Errc error, std::size_t at) {
  const Scan scan = skip_number(text.data(), text.data() + text.size());
  return scan.error == error && scan.next == text.data() + at;
}

/// The grammar as a table of states, one character a step: 0 start, 1 minus, 2 zero, 3 integer, 4 point, 5 fraction, 6 e,
/// 7 sign, 8 exponent.
Scan skip_by_table(const char* p, const char* end) {
  int state = 0;
  const auto after = [](int from, char c) {
    const bool e = c == 'e' || c == 'E';
    const bool is_digit = c >= '0' && c <= '9';
    switch (from) {
      case 0: return c == '-' ? 1 : c == '0' ? 2 : is_digit ? 3 : -1;
      case 1: return c == '0' ? 2 : is_digit ? 3 : -1;
      case 2: return c == '.' ? 4 : e ? 6 : -1;
      case 3: return is_digit ? 3 : c == '.' ? 4 : e ? 6 : -1;
      case 4: return is_digit ? 5 : -1;
      case 5: return is_digit ? 5 : e ? 6 : -1;
      case 6: return c == '+' || c == '-' ? 7 : is_digit ? 8 : -1;
      default: return is_digit ? 8 : -1;
    }
  };
  for (; p < end && after(state, *p) >= 0; ++p) state = after(state, *p);
  if (state == 2 || state == 3 || state == 5 || state == 8) return {p, Errc::none};
  if (p == end) return {p, Errc::truncated};
  return {p, state == 0 ? Errc::expected_number : Errc::invalid_number};
}

}  // namespace

TEST_CASE("RFC 8259: numbers have an integer, maybe a fraction, maybe an exponent") {
  STATIC_REQUIRE(takes_all("0"));
  STATIC_REQUIRE(takes_all("-0"));
  STATIC_REQUIRE(takes_all("1250"));
  STATIC_REQUIRE(takes_all("19.90"));
  STATIC_REQUIRE(takes_all("-0.0e-0"));
  STATIC_REQUIRE(takes_all("1E+20"));
  STATIC_REQUIRE(takes_all("0e1"));
  STATIC_REQUIRE(takes_all("123456789012345678901234567890.123456789012345678901234567890e123456789012345678901234567890"));
}

TEST_CASE("RFC 8259: a number ends at the first byte that cannot continue it") {
  STATIC_REQUIRE(takes("19.90,", 5));
  STATIC_REQUIRE(takes("7}", 1));
  STATIC_REQUIRE(takes("1.5.2", 3));
  STATIC_REQUIRE(takes("1e5e5", 3));
  STATIC_REQUIRE(takes("1-2", 1));
}

TEST_CASE("RFC 8259: zeros in front are no part of a number") {
  STATIC_REQUIRE(takes("01", 1));
  STATIC_REQUIRE(takes("-012", 2));
  STATIC_REQUIRE(takes("00.5", 1));
}

TEST_CASE("RFC 8259: what is not a number is rejected at its first byte") {
  for (const std::string_view text : {"a", "+1", ".5", "\"1\"", "NaN", "Infinity", " 1", "e5", "\xEF\xBC\x91"}) {
    CHECK(stops(text, Errc::expected_number, 0));
  }
}

TEST_CASE("RFC 8259: a broken number is rejected at the offending byte") {
  STATIC_REQUIRE(stops("-a", Errc::invalid_number, 1));
  STATIC_REQUIRE(stops("--1", Errc::invalid_number, 1));
  STATIC_REQUIRE(stops("-.5", Errc::invalid_number, 1));
  STATIC_REQUIRE(stops("1.,", Errc::invalid_number, 2));
  STATIC_REQUIRE(stops("1.e5", Errc::invalid_number, 2));
  STATIC_REQUIRE(stops("1e,", Errc::invalid_number, 2));
  STATIC_REQUIRE(stops("1.5e+}", Errc::invalid_number, 5));
  STATIC_REQUIRE(stops({"1.\0", 3}, Errc::invalid_number, 2));
}

TEST_CASE("a number that the end of the text cuts off is truncated there") {
  STATIC_REQUIRE(stops("", Errc::truncated, 0));
  STATIC_REQUIRE(stops("-", Errc::truncated, 1));
  STATIC_REQUIRE(stops("1.", Errc::truncated, 2));
  STATIC_REQUIRE(stops("1e", Errc::truncated, 2));
  STATIC_REQUIRE(stops("1.5E-", Errc::truncated, 5));
}

TEST_CASE("a position after the end is truncated at the end") {
  constexpr std::array<char, 3> text{'1', '2', '3'};
  const Scan scan = skip_number(text.data() + 2, text.data() + 1);
  CHECK(scan.error == Errc::truncated);
  CHECK(scan.next == text.data() + 1);
}

TEST_CASE("any text is scanned as the grammar has it, and not a byte outside is read") {
  Choices choices(8259);
  for (int round = 0; round < 200'000; ++round) {
    std::string text;
    for (std::int64_t size = choices.between(0, 14); size > 0; --size) text += choices.one_of("00123456789--+..eE,}a");
    const ExactText exact(text);
    const Scan scan = skip_number(exact.begin(), exact.end());
    const Scan expected = skip_by_table(exact.begin(), exact.end());
    if (scan.next != expected.next || scan.error != expected.error) FAIL("differs for " << text);
  }
  SUCCEED();
}

}  // namespace text_number_test
