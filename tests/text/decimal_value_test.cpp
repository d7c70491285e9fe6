// SPDX-License-Identifier: MIT
// Decimal by value: equality, order, hash and the nearest double, against strtod and a comparison of digits as text.
#include <bankhook_catch.hpp>

#include <bankhook/text/decimal.hpp>
#include <text/support.hpp>

#include <bit>
#include <cerrno>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <string>
#include <string_view>

namespace text_decimal_value_test {

namespace {

using bankhook::Decimal;
using bankhook::test::Choices;

constexpr int least_scale = std::numeric_limits<int>::min();
constexpr int greatest_scale = std::numeric_limits<int>::max();

constexpr Decimal decimal(std::string_view text) { return Decimal::parse(text).value(); }

std::size_t hash(const Decimal& value) { return std::hash<Decimal>{}(value); }

/// The sign of left - right, by comparing texts: both as digits with 80 places before and after the point.
int compared_as_text(const Decimal& left, const Decimal& right) {
  const auto padded = [](const Decimal& value) {
    const std::string text = std::to_string(value.unscaled());
    const std::string digits = text.substr(text[0] == '-' ? 1 : 0);
    const auto zeros_after = static_cast<std::size_t>(80 - value.scale());
    return std::string(160 - zeros_after - digits.size(), '0') + digits + std::string(zeros_after, '0');
  };
  const int left_sign = left.unscaled() < 0 ? -1 : 1;
  const int right_sign = right.unscaled() < 0 ? -1 : 1;
  if (left_sign != right_sign) return left_sign;
  const int magnitudes = padded(left).compare(padded(right));
  return left_sign * ((magnitudes > 0) - (magnitudes < 0));
}

int sign_of(std::weak_ordering order) { return (order > 0) - (order < 0); }

bool is_nearest(const Decimal& value) {
  const double expected = std::strtod(to_string(value).c_str(), nullptr);
  return std::bit_cast<std::uint64_t>(value.to_double()) == std::bit_cast<std::uint64_t>(expected);
}

}  // namespace

TEST_CASE("decimals are equal by value, not by spelling") {
  STATIC_REQUIRE(decimal("1e2") == decimal("100"));
  STATIC_REQUIRE(decimal("19.9") == decimal("19.90"));
  STATIC_REQUIRE(decimal("0") == decimal("-0.000"));
  STATIC_REQUIRE(decimal("0e5") == decimal("0.00"));
  STATIC_REQUIRE(decimal("19.9") != decimal("19.91"));
  STATIC_REQUIRE(decimal("1") != decimal("-1"));
  STATIC_REQUIRE(decimal("1250") == 1250);
  STATIC_REQUIRE((decimal("19.9") <=> decimal("19.90")) == std::weak_ordering::equivalent);
}

TEST_CASE("decimals are ordered by value") {
  constexpr Decimal ascending[] = {Decimal(-1, least_scale),
                                   Decimal(std::numeric_limits<std::int64_t>::min()),
                                   decimal("-19.91"),
                                   decimal("-19.9"),
                                   decimal("-1e-9"),
                                   decimal("0.00"),
                                   Decimal(1, greatest_scale),
                                   decimal("0.1"),
                                   decimal("0.11"),
                                   decimal("9"),
                                   decimal("10.0"),
                                   decimal("9223372036854775806"),
                                   decimal("9223372036854775807"),
                                   decimal("1e19"),
                                   Decimal(1, least_scale)};
  for (std::size_t i = 0; i < std::size(ascending); ++i) {
    for (std::size_t j = 0; j < std::size(ascending); ++j) {
      CHECK((ascending[i] < ascending[j]) == (i < j));
      CHECK((ascending[i] == ascending[j]) == (i == j));
    }
  }
}

TEST_CASE("decimals that differ in the last of 19 digits differ") {
  STATIC_REQUIRE(Decimal(9'223'372'036'854'775'807, 18) > Decimal(9'223'372'036'854'775'806, 18));
  STATIC_REQUIRE(Decimal(9'223'372'036'854'775'800, 2) == Decimal(92'233'720'368'547'758, 0));
  STATIC_REQUIRE(Decimal(9'223'372'036'854'775'801, 2) > Decimal(92'233'720'368'547'758, 0));
  STATIC_REQUIRE(Decimal(std::numeric_limits<std::int64_t>::min(), 1) < Decimal(-922'337'203'685'477'580));
}

TEST_CASE("order and equality are those of the digits, and equal decimals have one hash") {
  Choices choices(1990);
  for (int round = 0; round < 50'000; ++round) {
    Decimal left(choices.any_length(), static_cast<int>(choices.between(-25, 40)));
    Decimal right(choices.any_length(), static_cast<int>(choices.between(-25, 40)));
    if (choices.coin()) {  // near each other: the same number with zeros after, or one more
      left = Decimal(choices.between(-99'999, 99'999), left.scale());
      right = Decimal(left.unscaled() * 1000 + choices.between(0, 1), left.scale() + 3);
    }
    const int expected = compared_as_text(left, right);
    if (sign_of(left <=> right) != expected || (left == right) != (expected == 0)) {
      FAIL("differs for " << to_string(left) << " and " << to_string(right));
    }
    if (expected == 0 && hash(left) != hash(right)) FAIL("hashes differ for " << to_string(left));
  }
  SUCCEED();
}

TEST_CASE("reduced is the shortest spelling of the same value") {
  constexpr Decimal reduced = decimal("19.9000").reduced();
  STATIC_REQUIRE(reduced.unscaled() == 199);
  STATIC_REQUIRE(reduced.scale() == 1);
  STATIC_REQUIRE(decimal("100").reduced().scale() == -2);
  STATIC_REQUIRE(decimal("0.00").reduced().scale() == 0);
  STATIC_REQUIRE(Decimal(100, least_scale + 1).reduced().unscaled() == 10);
}

TEST_CASE("different amounts seldom share a hash") {
  std::size_t same = 0;
  for (std::int64_t cents = 1; cents < 10'000; ++cents) same += hash(Decimal(cents, 2)) == hash(Decimal(cents - 1, 2));
  CHECK(same == 0);
  CHECK(hash(Decimal(1, 2)) != hash(Decimal(1, 3)));
}

TEST_CASE("the double of a decimal is the nearest one") {
  REQUIRE(decimal("19.90").to_double() == 19.9);
  REQUIRE(static_cast<double>(decimal("-0.1")) == -0.1);
  REQUIRE(decimal("9007199254740993").to_double() == 9007199254740992.0);  // a tie, to even
  REQUIRE(decimal("9007199254740995").to_double() == 9007199254740996.0);
  REQUIRE(decimal("123456789.123456789").to_double() == 123456789.123456789);
  REQUIRE(Decimal(17976931348623157, -292).to_double() == std::numeric_limits<double>::max());
  REQUIRE(Decimal(5, 324).to_double() == std::numeric_limits<double>::denorm_min());
  REQUIRE(Decimal(22250738585072014, 324).to_double() == std::numeric_limits<double>::min());
}

TEST_CASE("beyond the range of double lie infinity and zero") {
  REQUIRE(Decimal(18, -307).to_double() == std::numeric_limits<double>::infinity());
  REQUIRE(Decimal(-1, -309).to_double() == -std::numeric_limits<double>::infinity());
  REQUIRE(Decimal(2, 324).to_double() == 0.0);
  REQUIRE(Decimal(1, least_scale).to_double() == std::numeric_limits<double>::infinity());
  REQUIRE(Decimal(1, greatest_scale).to_double() == 0.0);
}

TEST_CASE("the double of a decimal leaves errno alone") {
  errno = 7;
  REQUIRE(Decimal(1, -400).to_double() == std::numeric_limits<double>::infinity());
  CHECK(errno == 7);
}

TEST_CASE("the double of any decimal is that of strtod") {
  for (const Decimal edge :
       {Decimal(24703282292062327, 340), Decimal(24703282292062328, 340), Decimal(1797693134862315807, -290),
        Decimal(1797693134862315808, -290), Decimal(2225073858507201, 323), Decimal(9007199254740993, 22)}) {
    CHECK(is_nearest(edge));
  }
  Choices choices(754);
  for (int round = 0; round < 20'000; ++round) {
    const std::int64_t scale = choices.coin() ? choices.between(-40, 40) : choices.between(-330, 350);
    const Decimal value(choices.any_length(), static_cast<int>(scale));
    if (value != 0 && !is_nearest(value)) FAIL("differs for " << to_string(value));
  }
  SUCCEED();
}

}  // namespace text_decimal_value_test
