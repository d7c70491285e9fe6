// SPDX-License-Identifier: MIT
// A value type of the user's own: it describes its form, and is read, written, compared, hashed, kept and given a schema.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/rules/diagnose.hpp>
#include <bankhook/events/rules/explain.hpp>
#include <bankhook/events/schema.hpp>
#include <bankhook/events/serialize.hpp>
#include <bankhook/reflect/equality.hpp>
#include <bankhook/reflect/owned.hpp>
#include <bankhook/text/timestamp.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace json_own_form_test::shop {

/// `"7%"` to `"99%"`.
class Percent {
 public:
  static constexpr bankhook::Errc form_error = bankhook::Errc::expected_string;
  static constexpr std::size_t max_printed = 3;
  static constexpr bankhook::FixedString pattern = "[1-9]?[0-9]%";

  constexpr Percent() = default;
  constexpr explicit Percent(std::uint8_t value) : value_(value) {}

  static constexpr bool scan(std::string_view text, Percent& out) {
    if (text.size() < 2 || text.size() > 3 || text.back() != '%') return false;
    text.remove_suffix(1);
    if (text.size() == 2 && text[0] == '0') return false;
    for (const char c : text) {
      if (c < '0' || c > '9') return false;
      out.value_ = static_cast<std::uint8_t>(out.value_ * 10 + (c - '0'));
    }
    return true;
  }
  constexpr char* print(char* out) const {
    if (value_ >= 10) *out++ = static_cast<char>('0' + value_ / 10);
    *out++ = static_cast<char>('0' + value_ % 10);
    *out++ = '%';
    return out;
  }
  [[nodiscard]] constexpr std::uint8_t value() const { return value_; }
  constexpr bool operator==(const Percent&) const = default;

 private:
  std::uint8_t value_ = 0;
};

struct Discount {
  std::string_view name;
  Percent share;
  bankhook::nullable<Percent> at_most;
};
using bankhook::operator==;

}  // namespace json_own_form_test::shop

template <>
struct std::hash<json_own_form_test::shop::Percent> {
  std::size_t operator()(const json_own_form_test::shop::Percent& value) const { return value.value(); }
};

namespace json_own_form_test {

using namespace bankhook;

namespace {

constexpr std::string_view payload = R"({"name":"spring","share":"7%","atMost":"50%"})";

}  // namespace

TEST_CASE("a value type of one's own is read and written in its form") {
  STATIC_REQUIRE(QuotedForm<shop::Percent>);
  Arena arena;
  const auto discount = parse_as<shop::Discount>(payload, arena);
  REQUIRE(discount.has_value());
  CHECK(discount->share == shop::Percent(7));
  CHECK(discount->at_most == shop::Percent(50));
  CHECK(serialize(*discount) == payload);
}

TEST_CASE("the two timestamps are tried before the end of their text is searched") {
  STATIC_REQUIRE(Timestamp::fast_size == 24);
  STATIC_REQUIRE(LocalTimestamp::fast_size == 24);
}

TEST_CASE("a text without the form of its type is rejected with the error that the type names") {
  Arena arena;
  for (const std::string share : {"7", "07%", "%", "100%", "x%"}) {
    const std::string json = R"({"name":"spring","share":")" + share + R"(","atMost":null})";
    const auto discount = parse_as<shop::Discount>(json, arena);
    REQUIRE_FALSE(discount.has_value());
    CHECK(discount.error().code == Errc::expected_string);
    CHECK(discount.error().offset == json.find(share));
  }
  CHECK(parse_as<shop::Discount>(std::string_view(R"({"name":"a","share":"\u0037%","atMost":null})"), arena)->share ==
        shop::Percent(7));
}

TEST_CASE("a text of another form is diagnosed with its place, and without its value") {
  const auto findings = diagnose_as<shop::Discount>(R"({"name":"spring","share":"much","atMost":"7"})");
  REQUIRE(findings.size() == 2);
  CHECK(to_string(findings[0]) == "$.share: expected string, found text of another form (line 1, column 27)");
  CHECK(findings[1].path == "$.atMost");
  CHECK(findings[1].expected == "string or null");
}

TEST_CASE("a value type of one's own is compared, hashed and kept as part of a struct") {
  const shop::Discount discount{"spring", shop::Percent(7), shop::Percent(50)};
  const Owned<shop::Discount> kept(discount);
  CHECK(*kept == discount);
  CHECK(Hash<shop::Discount>()(*kept) == Hash<shop::Discount>()(discount));
  CHECK_FALSE(*kept == shop::Discount{"spring", shop::Percent(8), shop::Percent(50)});
}

TEST_CASE("a value type of one's own has its pattern in the schema") {
  const std::string schema = json_schema<shop::Discount>();
  CHECK(schema.find(R"("share":{"type":"string","pattern":"^[1-9]?[0-9]%$"})") != std::string::npos);
  CHECK(schema.find(R"("atMost":{"type":["string","null"],"pattern":"^[1-9]?[0-9]%$"})") != std::string::npos);
}

}  // namespace json_own_form_test
