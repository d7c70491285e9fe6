// SPDX-License-Identifier: MIT
// Readable bytes after a text: whatever they hold, the result is the one of the text alone.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/json/parse.hpp>
#include <bankhook/reflect/equality.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/text/decimal.hpp>
#include <bankhook/text/timestamp.hpp>

#include <json/guarded.hpp>
#include <json/show.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace json_padded_test {

namespace {

using bankhook::maybe_absent;
using bankhook::nullable;

enum class Kind : std::uint8_t { plain, other };

struct Leaf {
  std::string_view id;
};

/// A field of every type that the library reads.
struct Everything {
  bankhook::TypeTag<Everything> event{};
  bankhook::OpenEnum<Kind> kind{};
  nullable<std::string_view> note{};
  maybe_absent<bankhook::LocalTimestamp> until{};
  bankhook::Decimal amount{};
  std::uint64_t count = 0;
  bool flag = false;
  std::chrono::year_month_day day{};
  bankhook::Timestamp date{};
  std::span<const Leaf> leaves{};
  std::string_view text{};
};

constexpr std::string_view whole =
    R"({"event":"everything","kind":"other","note":null,"until":"2026-01-01 00:00:00.0000","amount":19.90,"count":17,)"
    R"("flag":true,"day":"2026-01-01","date":"2026-01-01T00:00:00Z","leaves":[{"id":"a"},{"id":"b"}],"text":"é\n"})";

/// Bytes that could continue what was cut off: garbage of every kind, as long as the window at least.
std::vector<std::string> continuations(std::size_t cut) {
  std::vector<std::string> texts;
  for (const std::string_view start :
       {"\"", "}", "]}", "\"}", "\"]}", "0", "9}", ",", ":", "\\", "\xBF", "null", "e1", "x\"}", " "}) {
    std::string text(start);
    while (text.size() < bankhook::PaddedView::padding) text += text.size() % 2 == 0 ? "\"}" : "}\"";
    texts.push_back(text);
  }
  std::string rest(whole.substr(cut));
  rest.resize(bankhook::PaddedView::padding, '}');
  texts.push_back(rest);
  return texts;
}

template <class T>
void check_padding_is_ignored(std::string_view text) {
  bankhook::test::GuardedPages pages;
  bankhook::Arena arena, padded_arena;
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    const std::string_view begin = text.substr(0, cut);
    const auto alone = bankhook::detail::json::parse<T>(bankhook::test::ExactCopy(begin).view(), arena);
    REQUIRE(alone.has_value() == (cut == text.size()));
    for (const std::string& garbage : continuations(cut)) {
      const std::string_view both = pages.before_the_guard(std::string(begin) + garbage);
      const auto padded = bankhook::detail::json::parse<T>(both.substr(0, cut), padded_arena, garbage.size());
      CAPTURE(cut, garbage);
      REQUIRE(padded.has_value() == alone.has_value());
      if (!padded) REQUIRE(padded.error() == alone.error());
    }
  }
}

}  // namespace

TEST_CASE("what lies after a text never completes it nor changes its error") {
  check_padding_is_ignored<Everything>(whole);
}

TEST_CASE("what lies after a text never changes its value") {
  bankhook::Arena arena;
  const auto expected = bankhook::detail::json::parse<Everything>(whole, arena);
  REQUIRE(expected.has_value());
  for (std::size_t cut = 0; cut <= whole.size(); ++cut) {
    for (const std::string& garbage : continuations(cut)) {
      bankhook::Arena padded_arena;
      const std::string both = std::string(whole) + garbage;
      const auto padded = bankhook::detail::json::parse<Everything>(std::string_view(both).substr(0, whole.size()),
                                                                    padded_arena, bankhook::PaddedView::padding);
      REQUIRE(padded.has_value());
      REQUIRE(bankhook::detail::reflect::equal(*padded, *expected));
    }
  }
}

TEST_CASE("a text smaller than the window is read with any number of bytes after it") {
  bankhook::test::GuardedPages pages;
  for (const std::string_view text :
       {R"({"id":"a"})", R"({"id":"abcdefghijklmnopqrstuvwxyz0123456789"})", R"({ "id":"\n" })"}) {
    for (std::size_t after = 0; after <= 2 * bankhook::PaddedView::padding; ++after) {
      bankhook::Arena arena;
      const std::string both = std::string(text) + std::string(after, '"');
      const std::string_view copy = pages.before_the_guard(both).substr(0, text.size());
      const auto leaf = bankhook::detail::json::parse<Leaf>(copy, arena, after);
      REQUIRE(leaf.has_value());
      const auto cut = bankhook::detail::json::parse<Leaf>(copy.substr(0, copy.size() - 1), arena, after + 1);
      REQUIRE_FALSE(cut.has_value());
    }
  }
}

TEST_CASE("an empty text is no value, whatever lies after it") {
  bankhook::Arena arena;
  const std::string garbage = R"({"id":"a"})" + std::string(bankhook::PaddedView::padding, ' ');
  const auto leaf = bankhook::detail::json::parse<Leaf>(std::string_view(garbage).substr(0, 0), arena, garbage.size());
  REQUIRE_FALSE(leaf.has_value());
  CHECK(leaf.error().code == bankhook::Errc::truncated);
}

}  // namespace json_padded_test
