// SPDX-License-Identifier: MIT
// A program that says `using namespace bankhook` keeps its own short names: each one here would be ambiguous otherwise.
#include <bankhook_catch.hpp>

#include <bankhook/bankhook.hpp>

#include <string_view>

namespace bankhook_user {

struct Line {};
struct Place {};
struct Step {};
struct Choice {};
struct Values {};
struct DateForm {};
struct AmountForm {};
struct ErrorCodes {};
struct CountedOff {};
struct PrecedingState {};
inline constexpr int literal = 1, padding = 2, version = 3;
constexpr int join(int left, int right) { return left + right; }
constexpr int message(int code) { return code; }
constexpr int sentence(int code) { return code; }
constexpr int section(int number) { return number; }
constexpr int evidence(int number) { return number; }
constexpr int describe(int number) { return number; }

}  // namespace bankhook_user

namespace events_names_test {

using namespace bankhook;
using namespace bankhook_user;

TEST_CASE("a program's own short names stand beside those of the library") {
  static_cast<void>(Line());
  static_cast<void>(Place());
  static_cast<void>(Step());
  static_cast<void>(Choice());
  static_cast<void>(Values());
  static_cast<void>(DateForm());
  static_cast<void>(AmountForm());
  static_cast<void>(ErrorCodes());
  static_cast<void>(CountedOff());
  static_cast<void>(PrecedingState());
  STATIC_REQUIRE(literal + padding + version == 6);
  STATIC_REQUIRE(join(message(1), sentence(2)) + section(3) + evidence(4) + describe(5) == 15);
}

}  // namespace events_names_test
