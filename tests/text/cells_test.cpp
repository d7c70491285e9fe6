// SPDX-License-Identifier: MIT
// A text is as wide as a terminal shows it: marks take no cell of their own, East Asian characters and pictures take two.
#include <bankhook_catch.hpp>

#include <bankhook/text/characters.hpp>

#include <algorithm>
#include <string_view>

namespace text_cells_test {

using namespace bankhook::detail::text;

TEST_CASE("the ranges of marks and of wide characters are in order and do not overlap") {
  const auto in_order = [](const auto& ranges) {
    return std::ranges::adjacent_find(ranges, [](const CharacterRange& one, const CharacterRange& next) {
             return one.last >= next.first;
           }) == ranges.end();
  };
  CHECK(in_order(combining_characters));
  CHECK(in_order(wide_characters));
  for (const CharacterRange& range : wide_characters) {
    CHECK(range.first <= range.last);
    CHECK_FALSE(is_within(combining_characters, range.first));
    CHECK_FALSE(is_within(combining_characters, range.last));
  }
}

TEST_CASE("text takes the cells that a terminal gives it") {
  CHECK(count_cells("") == 0);
  CHECK(count_cells("abc") == 3);
  CHECK(count_cells("é…·�ĳ€") == 6);
  CHECK(count_cells("e\u0301\u0323") == 1);
  CHECK(count_cells("日本語") == 6);
  CHECK(count_cells("ｱａ") == 3);
  CHECK(count_cells("한\u1112\u1161\u11AB") == 4);
  CHECK(count_cells("🛒💶\U0001F1E9\U0001F1EA") == 6);
  CHECK(count_cells("\xFF\xC3") == 2);
}

}  // namespace text_cells_test
