// SPDX-License-Identifier: MIT
// Enumerations: their enumerators and texts, and the open ones that keep a value from the future.
#include <bankhook_catch.hpp>

#include <bankhook/base/enumerators.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/evidence.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/text/decimal.hpp>
#include <bankhook/text/timestamp.hpp>

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>

namespace base_enumerators_test {

namespace reflect = bankhook::detail::reflect;
using bankhook::OpenEnum;

namespace {

enum class Colour : std::uint8_t { red, dark_green, blue };
enum class Single : int { only };
enum class WithGap : std::uint8_t { zero, one, three = 3 };
enum class Answer : bool { no, yes };
enum Unscoped { first };

}  // namespace

TEST_CASE("the enumerators of an enumeration are counted from zero to the first gap") {
  STATIC_REQUIRE(bankhook::enumerator_count<Colour> == 3);
  STATIC_REQUIRE(bankhook::enumerator_count<Single> == 1);
  STATIC_REQUIRE(bankhook::enumerator_count<WithGap> == 2);
  STATIC_REQUIRE(bankhook::enumerator_count<Answer> == 2);
}

TEST_CASE("a number that no enumerator has has an empty name and an empty text") {
  STATIC_REQUIRE(bankhook::name_of(static_cast<Colour>(77)).empty());
  STATIC_REQUIRE(bankhook::name_of(WithGap::three).empty());
  STATIC_REQUIRE(OpenEnum<Colour>(static_cast<Colour>(3)).text().empty());
  STATIC_REQUIRE(!OpenEnum<Colour>(static_cast<Colour>(200)).is_known());
  STATIC_REQUIRE(bankhook::name_of(Answer::yes) == "yes");
}

TEST_CASE("the names of enumerators are those of the source") {
  STATIC_REQUIRE(bankhook::enumerator_name<Colour, 0> == "red");
  STATIC_REQUIRE(bankhook::enumerator_name<Colour, 1> == "dark_green");
  STATIC_REQUIRE(bankhook::enumerator_name<Single, 0> == "only");
}

TEST_CASE("only a scoped enumeration has enumerators to reflect") {
  STATIC_REQUIRE(bankhook::Enumeration<Colour>);
  STATIC_REQUIRE(!bankhook::Enumeration<Unscoped>);
  STATIC_REQUIRE(!bankhook::Enumeration<int>);
  CHECK(first == 0);
}

TEST_CASE("an open enumeration knows its enumerators by their text on the wire") {
  constexpr auto green = OpenEnum<Colour>::of("darkGreen");
  STATIC_REQUIRE(green.is_known());
  STATIC_REQUIRE(green == Colour::dark_green);
  STATIC_REQUIRE(green == OpenEnum<Colour>(Colour::dark_green));
  STATIC_REQUIRE(green.known() == std::optional(Colour::dark_green));
  STATIC_REQUIRE(green.text() == "darkGreen");
}

TEST_CASE("a value that is not known yet is kept as text") {
  constexpr auto unknown = OpenEnum<Colour>::of("purple");
  STATIC_REQUIRE(!unknown.is_known());
  STATIC_REQUIRE(unknown.known() == std::nullopt);
  STATIC_REQUIRE(unknown.text() == "purple");
  STATIC_REQUIRE(unknown != Colour::red);
}

TEST_CASE("an open enumeration is compared with text, also where it may be null") {
  constexpr auto green = OpenEnum<Colour>(Colour::dark_green), unknown = OpenEnum<Colour>::of("purple");
  STATIC_REQUIRE((green == "darkGreen" && "darkGreen" == green && green != "green"));
  STATIC_REQUIRE((unknown == "purple" && "red" != unknown));
  constexpr bankhook::nullable<OpenEnum<Colour>> null, some = green;
  STATIC_REQUIRE((some == "darkGreen" && "darkGreen" == some && some == Colour::dark_green));
  STATIC_REQUIRE((null != "darkGreen" && null != ""));
}

TEST_CASE("what the library has a text for is written to a stream as that text") {
  std::ostringstream out;
  out << bankhook::Evidence::stated << ' ' << OpenEnum<Colour>(Colour::blue) << ' ' << bankhook::Decimal(1990, 2) << ' '
      << bankhook::LocalTimestamp() << ' ' << bankhook::Timestamp() << ' ' << bankhook::Errc::out_of_memory;
  CHECK(out.str() == "stated blue 19.90 0000-00-00 00:00:00.0 0000-00-00T00:00:00Z " +
                         std::string(to_string(bankhook::Errc::out_of_memory)));
}

TEST_CASE("a field that may be empty is written to a stream as its value, or as what it is instead") {
  using bankhook::maybe_absent, bankhook::nullable;
  std::ostringstream out;
  out << nullable<std::string_view>("some text") << ' ' << maybe_absent<bankhook::Decimal>(bankhook::Decimal(1990, 2))
      << ' ' << nullable<OpenEnum<Colour>>() << ' ' << maybe_absent<int>() << ' '
      << maybe_absent<nullable<int>>(nullable<int>());
  CHECK(out.str() == "some text 19.90 null absent null");
}

TEST_CASE("a text is known only if it is the whole text of an enumerator") {
  STATIC_REQUIRE(!OpenEnum<Colour>::of("").is_known());
  STATIC_REQUIRE(!OpenEnum<Colour>::of("re").is_known());
  STATIC_REQUIRE(!OpenEnum<Colour>::of("redd").is_known());
  STATIC_REQUIRE(!OpenEnum<Colour>::of("Red").is_known());
  STATIC_REQUIRE(!OpenEnum<Colour>::of("dark_green").is_known());
}

TEST_CASE("unknown values are equal by their text, wherever it lies") {
  const std::string one = "purple";
  const std::string same = "purple";
  CHECK(OpenEnum<Colour>::of(one) == OpenEnum<Colour>::of(same));
  CHECK(OpenEnum<Colour>::of(one) != OpenEnum<Colour>::of("pink"));
  CHECK(OpenEnum<Colour>::of(one) != OpenEnum<Colour>());
}

TEST_CASE("an open enumeration is trivially copyable and starts with the first enumerator") {
  STATIC_REQUIRE(std::is_trivially_copyable_v<OpenEnum<Colour>>);
  STATIC_REQUIRE(OpenEnum<Colour>() == Colour::red);
}

}  // namespace base_enumerators_test
