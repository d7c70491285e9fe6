// SPDX-License-Identifier: MIT
// Payloads as programs print them for people: indented in any way, evenly or not, whole or damaged.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/events/parse.hpp>

#include <events/damage.hpp>
#include <events/differential.hpp>
#include <events/samples.hpp>
#include <json/oracle.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace events_layout_test {

using namespace bankhook::test;
using bankhook::AnyEvent;
using bankhook::Arena;

namespace {

/// What a printer puts between the tokens; `level` is the depth of what stands after the space.
struct Style {
  std::string line;  ///< before each name and element and each closing bracket, `unit` after it once a level
  std::string unit;
  std::string comma;   ///< after a comma, instead of a line
  std::string inside;  ///< after an opening and before a closing bracket, instead of a line
  std::string colon;   ///< after a colon

  [[nodiscard]] std::string before_item(std::size_t level, bool first) const {
    return line.empty() ? (first ? inside : comma) : begun_line(level);
  }
  [[nodiscard]] std::string before_close(std::size_t level) const { return line.empty() ? inside : begun_line(level); }

 private:
  [[nodiscard]] std::string begun_line(std::size_t level) const {
    std::string text = line;
    for (std::size_t i = 0; i < level; ++i) text += unit;
    return text;
  }
};

const std::vector<Style> styles = [] {
  std::vector<Style> all{
      {"", "", " ", "", " "}, {"", "", " ", " ", " "}, {"", "", "", "", " "}, {"", "", " ", "", ""}, {"", "", "", " ", ""},
  };
  for (const std::string_view line : {"\n", "\r\n"}) {
    for (const std::string_view unit :
         {"", " ", "  ", "   ", "    ", "\t", "        ", "           ", "            \t\t    "})
      all.push_back({std::string(line), std::string(unit), "", "", " "});
  }
  all.push_back({"\n", "  ", "", "", ""});
  all.push_back({"\n\n", "\t", "", "", "  "});
  return all;
}();

/// `value` as JSON text; `style()` gives the style of each gap.
template <class NextStyle>
std::string printed(const Json& value, NextStyle& style, std::size_t level = 0) {
  const bool is_object = value.kind == Json::Kind::object;
  if (!is_object && value.kind != Json::Kind::array) return write_json(value);
  std::string text(1, is_object ? '{' : '[');
  bool first = true;
  const auto begin_item = [&] {
    if (!first) text += ',';
    text += style().before_item(level + 1, first);
    first = false;
  };
  for (const Json& item : value.items) {
    begin_item();
    text += printed(item, style, level + 1);
  }
  for (const auto& [name, field] : value.fields) {
    begin_item();
    text += write_json(Json(Json::Kind::string, name)) + ':' + style().colon + printed(field, style, level + 1);
  }
  if (!first) text += style().before_close(level);
  return text + (is_object ? '}' : ']');
}

std::string printed_evenly(const Json& value, const Style& style) {
  const auto same = [&]() -> const Style& { return style; };
  return printed(value, same);
}

/// Whether `json` gives an event equal to `expected`.
bool gives(const AnyEvent& expected, const std::string& json) {
  static Arena arena;
  arena.reset();
  const auto event = bankhook::parse(json, arena);
  return event && same_event(*event, expected);
}

}  // namespace

TEST_CASE("a payload is read however it is printed") {
  for (const Sample& sample : samples()) {
    Arena arena;
    const AnyEvent expected = *bankhook::parse(sample.text, arena);
    const Json json = *read_json(sample.text);
    for (const Style& style : styles) {
      const std::string text = printed_evenly(json, style);
      CAPTURE(sample.name, text);
      REQUIRE(gives(expected, text));
    }
  }
}

TEST_CASE("a payload is read whose style changes at any gap") {
  std::mt19937 random(20260504);
  for (const Sample& sample : samples()) {
    Arena arena;
    const AnyEvent expected = *bankhook::parse(sample.text, arena);
    const Json json = *read_json(sample.text);
    for (const unsigned seldom : {2U, 8U, 40U}) {
      for (int round = 0; round < 40; ++round) {
        std::size_t style = random() % styles.size();
        const auto mixed = [&]() -> const Style& {
          if (random() % seldom == 0) style = random() % styles.size();
          return styles[style];
        };
        const std::string text = printed(json, mixed);
        CAPTURE(sample.name, text);
        REQUIRE(gives(expected, text));
      }
    }
  }
}

TEST_CASE("a payload that was printed for people and damaged is read as the oracle reads it") {
  constexpr std::string_view replacements = "\n \t\"{}[],:x";
  constexpr std::array<std::size_t, 4> printed{0, 1, 7, 10};
  Differential differential;
  std::size_t turn = 0;
  for (const Sample& sample : samples()) {
    if (sample.text.size() > large) continue;
    const std::string text = printed_evenly(*read_json(sample.text), styles[printed[turn++ % printed.size()]]);
    for (std::size_t size = turn; size < text.size(); size += 5) check(differential, sample.name, text.substr(0, size));
    if (turn % 2 == 0) check_with_bytes_left_out_or_doubled(differential, sample.name, text);
    else check_with_bytes_changed(differential, sample.name, text, replacements);
  }
}

TEST_CASE("a payload that is cut is rejected in the same way whatever lies after its end") {
  Arena arena;
  const Json json = *read_json(sample("transaction_created"));
  Json turned = json;
  std::ranges::rotate(turned.fields, turned.fields.begin() + 1);
  for (const Json& fields : {json, turned}) {
    for (const std::size_t style : {std::size_t{0}, std::size_t{2}, std::size_t{7}}) {
      const std::string text = printed_evenly(fields, styles[style]);
      for (std::size_t size = 0; size < text.size(); ++size) {
        const std::string_view cut = std::string_view(text).substr(0, size);
        const auto error_of = [&](std::string_view after) {
          std::string bytes = std::string(cut).append(after);
          bytes.resize(std::max(bytes.size(), size + bankhook::PaddedView::padding), '}');
          arena.reset();
          const auto event = bankhook::parse(bankhook::PaddedView{std::string_view(bytes).substr(0, size)}, arena);
          REQUIRE_FALSE(event.has_value());
          return event.error();
        };
        CAPTURE(style, cut);
        arena.reset();
        const auto alone = bankhook::parse(cut, arena);
        REQUIRE_FALSE(alone.has_value());
        for (const std::string_view after :
             {std::string_view(text).substr(size), std::string_view(R"("id":"x","event":1)")}) {
          REQUIRE(error_of(after).code == alone.error().code);
          REQUIRE(error_of(after).offset == alone.error().offset);
          REQUIRE(error_of(after).field == alone.error().field);
          REQUIRE(error_of(after).or_null == alone.error().or_null);
        }
      }
    }
  }
}

}  // namespace events_layout_test
