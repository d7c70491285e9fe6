// SPDX-License-Identifier: MIT
// Numbers, booleans, null and arrays as fields: what each type takes, what it rejects and where.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/json/parse.hpp>
#include <bankhook/text/decimal.hpp>

#include <json/show.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace json_values_test {

using bankhook::Decimal;
using bankhook::Errc;
using bankhook::Error;
using bankhook::maybe_absent;
using bankhook::nullable;

namespace {

template <class T>
struct Holds {
  T value{};
};

/// `json` as the value of a field, in its predicted place and after white space: both must agree.
template <class T>
std::expected<T, Error> read(std::string_view json) {
  static bankhook::Arena arena;
  static std::string tight, spaced;
  arena.reset();
  tight = "{\"value\":" + std::string(json) + "}";
  spaced = "{ \"value\":" + std::string(json) + "}";
  const auto predicted = bankhook::detail::json::parse<Holds<T>>(tight, arena);
  const auto general = bankhook::detail::json::parse<Holds<T>>(spaced, arena);
  REQUIRE(predicted.has_value() == general.has_value());
  if (predicted) {
    std::string one, other;
    bankhook::detail::json::write(*predicted, one);
    bankhook::detail::json::write(*general, other);
    REQUIRE(one == other);
    return predicted->value;
  }
  CHECK(predicted.error().code == general.error().code);
  CHECK(predicted.error().offset + 1 == general.error().offset);
  CHECK(predicted.error().field == general.error().field);
  Error error = predicted.error();
  error.offset -= 9;
  error.field = {};
  return std::unexpected(error);
}

template <class T>
Error error_of(std::string_view json) {
  const auto value = read<T>(json);
  return value ? Error{} : value.error();
}

template <class T>
void check_integer_limits() {
  using Limits = std::numeric_limits<T>;
  const std::string least = std::to_string(Limits::min()), greatest = std::to_string(Limits::max());
  CHECK(read<T>(least) == Limits::min());
  CHECK(read<T>(greatest) == Limits::max());
  CHECK(error_of<T>(greatest + "0").code == Errc::integer_out_of_range);
  std::string json;
  bankhook::detail::json::write(Holds<T>{Limits::min()}, json);
  CHECK(json == "{\"value\":" + least + "}");
}

}  // namespace

TEST_CASE("a count is an integer from 0") {
  CHECK(read<std::uint64_t>("0") == 0);
  CHECK(read<std::uint64_t>("17") == 17);
  CHECK(read<std::uint64_t>("18446744073709551615") == UINT64_MAX);
  CHECK(error_of<std::uint64_t>("18446744073709551616").code == Errc::integer_out_of_range);
  for (const std::string_view wrong : {"-1", "1.5", "\"1\"", "true", "null", "[]", "{}"}) {
    CAPTURE(wrong);
    CHECK(error_of<std::uint64_t>(wrong) == Error{.code = Errc::expected_count, .offset = 0});
  }
}

TEST_CASE("every integer type takes its own range and no more") {
  check_integer_limits<std::int8_t>();
  check_integer_limits<std::uint8_t>();
  check_integer_limits<std::int16_t>();
  check_integer_limits<std::int32_t>();
  check_integer_limits<std::uint32_t>();
  check_integer_limits<std::int64_t>();
  check_integer_limits<std::uint64_t>();
  CHECK(error_of<int>("1.5") == Error{.code = Errc::expected_integer, .offset = 0});
  CHECK(error_of<int>("null") == Error{.code = Errc::expected_integer, .offset = 0});
}

TEST_CASE("a decimal is read as written, and rejected if its digits do not fit") {
  std::string json;
  for (const std::string_view text : {"19.90", "0", "-0.05", "125", "1e2", "123456789012.345678"}) {
    REQUIRE(read<Decimal>(text).has_value());
    CHECK(read<Decimal>(text) == *Decimal::parse(text));
    json.clear();
    bankhook::detail::json::write(Holds<Decimal>{*read<Decimal>(text)}, json);
    CHECK(json == "{\"value\":" + std::string(text) + "}");
  }
  CHECK(error_of<Decimal>("12345678901234567890").code == Errc::decimal_out_of_range);
  CHECK(error_of<Decimal>("\"19.90\"") == Error{.code = Errc::expected_number, .offset = 0});
  CHECK(error_of<Decimal>("null") == Error{.code = Errc::expected_number, .offset = 0});
}

TEST_CASE("a number breaks off where the grammar does") {
  for (const std::string_view wrong : {"-", "1.", "1.e1", "1e", "1e+", "-a", "--1"}) {
    CAPTURE(wrong);
    CHECK(error_of<Decimal>(wrong).code == Errc::invalid_number);
    CHECK(error_of<std::int64_t>(wrong).code == Errc::invalid_number);
  }
  for (const std::string_view wrong : {"01", "00", "-01", "1a", "0x10", "1 2"}) {
    CAPTURE(wrong);
    CHECK(error_of<Decimal>(wrong).code == Errc::expected_comma_or_brace);
    CHECK(error_of<std::int64_t>(wrong).code == Errc::expected_comma_or_brace);
  }
  for (const std::string_view wrong : {".5", "+1", "NaN", "Infinity"}) {
    CAPTURE(wrong);
    CHECK(error_of<Decimal>(wrong).code == Errc::expected_number);
  }
}

TEST_CASE("a boolean is true or false and nothing else") {
  CHECK(read<bool>("true") == true);
  CHECK(read<bool>("false") == false);
  for (const std::string_view wrong : {"null", "0", "True", "tru", "\"true\""}) {
    CAPTURE(wrong);
    CHECK(error_of<bool>(wrong) == Error{.code = Errc::expected_boolean, .offset = 0});
  }
  CHECK(error_of<bool>("truex").code == Errc::expected_comma_or_brace);
}

TEST_CASE("null is read where the type says so, and the error says so, too") {
  CHECK(read<nullable<std::string_view>>("null") == nullable<std::string_view>());
  CHECK(read<nullable<std::string_view>>("\"a\"") == "a");
  CHECK(error_of<nullable<std::string_view>>("1") == Error{.code = Errc::expected_string, .or_null = true, .offset = 0});
  CHECK(error_of<nullable<int>>("\"1\"") == Error{.code = Errc::expected_integer, .or_null = true, .offset = 0});
  CHECK(error_of<nullable<std::string_view>>("nul") == Error{.code = Errc::expected_string, .or_null = true, .offset = 0});
  CHECK(error_of<nullable<std::string_view>>("nullx").code == Errc::expected_comma_or_brace);
  CHECK(error_of<std::string_view>("null") == Error{.code = Errc::expected_string, .offset = 0});
}

TEST_CASE("null for a field that may be absent is read as absent") {
  CHECK(read<maybe_absent<std::string_view>>("null") == maybe_absent<std::string_view>());
  CHECK(read<maybe_absent<std::string_view>>("\"a\"") == "a");
  CHECK(error_of<maybe_absent<std::string_view>>("1").code == Errc::expected_string);
}

TEST_CASE("a field that may be absent or null keeps its null") {
  using Both = maybe_absent<nullable<std::string_view>>;
  CHECK(read<Both>("null") == Both(nullable<std::string_view>()));
  CHECK(read<Both>("\"a\"") == Both(nullable<std::string_view>("a")));
  bankhook::Arena arena;
  CHECK_FALSE(bankhook::detail::json::parse<Holds<Both>>("{}", arena)->value.has_value());
}

TEST_CASE("arrays of any size are read in order") {
  for (int size = 0; size < 300; size += size < 20 ? 1 : 37) {
    std::string json;
    for (int i = 0; i < size; ++i) json += (i == 0 ? "" : ",") + std::to_string(i);
    const auto array = read<std::span<const int>>("[" + json + "]");
    REQUIRE(array.has_value());
    REQUIRE(array->size() == static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i) REQUIRE((*array)[static_cast<std::size_t>(i)] == i);
  }
}

TEST_CASE("an array needs its commas and its end") {
  using Array = std::span<const int>;
  CHECK(read<Array>(" [ 1 , 2 ] ")->size() == 2);
  CHECK(read<Array>("[\n]")->empty());
  CHECK(error_of<Array>("[1 2]") == Error{.code = Errc::expected_comma_or_bracket, .offset = 3});
  CHECK(error_of<Array>("[1,]") == Error{.code = Errc::expected_integer, .offset = 3});
  CHECK(error_of<Array>("[,1]") == Error{.code = Errc::expected_integer, .offset = 1});
  CHECK(error_of<Array>("[1}") == Error{.code = Errc::expected_comma_or_bracket, .offset = 2});
  CHECK(error_of<Array>("[1,null]") == Error{.code = Errc::expected_integer, .offset = 3});
  CHECK(error_of<Array>("{}") == Error{.code = Errc::expected_array, .offset = 0});
  CHECK(error_of<Array>("null") == Error{.code = Errc::expected_array, .offset = 0});
}

}  // namespace json_values_test
