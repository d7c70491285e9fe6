// SPDX-License-Identifier: MIT
// White space between any two tokens means nothing, and fields may come in any order, with others between them.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/events/parse.hpp>

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

namespace events_white_space_test {

using namespace bankhook::test;
using bankhook::AnyEvent;
using bankhook::Arena;

namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// The tokens of a JSON text, without the white space between them.
std::vector<std::string> tokens(std::string_view json) {
  constexpr std::string_view punctuation = "{}[],:";
  std::vector<std::string> found;
  for (std::size_t at = 0; at < json.size();) {
    std::size_t end = at + 1;
    if (json[at] == '"') {
      while (json[end] != '"') end += json[end] == '\\' ? 2U : 1U;
      ++end;
    } else if (!punctuation.contains(json[at]) && !is_space(json[at])) {
      while (end < json.size() && !punctuation.contains(json[end]) && !is_space(json[end])) ++end;
    }
    if (!is_space(json[at])) found.emplace_back(json.substr(at, end - at));
    at = end;
  }
  return found;
}

/// Whether `json` gives an event equal to `expected`.
bool gives(const AnyEvent& expected, const std::string& json) {
  static Arena arena;
  arena.reset();
  const auto event = bankhook::parse(json, arena);
  return event && same_event(*event, expected);
}

/// Calls `f` for every object within `value`, itself included.
template <class F>
void for_each_object(Json& value, F&& f) {
  if (value.kind == Json::Kind::object) f(value);
  for (Json& item : value.items) for_each_object(item, f);
  for (auto& [name, field] : value.fields) for_each_object(field, f);
}

}  // namespace

TEST_CASE("white space between any two tokens changes nothing") {
  for (const Sample& sample : samples()) {
    CAPTURE(sample.name);
    Arena arena;
    const AnyEvent expected = *bankhook::parse(sample.text, arena);
    const std::vector<std::string> parts = tokens(sample.text);
    for (const std::string_view space : {" ", "\n", "\t", "\r", " \r\n\t  "}) {
      std::string everywhere(space);
      for (const std::string& part : parts) everywhere.append(part).append(space);
      REQUIRE(gives(expected, everywhere));
      for (std::size_t place = 0; place <= parts.size(); ++place) {
        std::string json;
        for (std::size_t i = 0; i <= parts.size(); ++i) {
          if (i == place) json += space;
          if (i < parts.size()) json += parts[i];
        }
        if (gives(expected, json)) continue;
        CAPTURE(place, json);
        FAIL("white space changed the event");
      }
    }
  }
}

TEST_CASE("white space is taken away anywhere and changes nothing") {
  const std::string& formatted = sample("formatted");
  Arena arena;
  const AnyEvent expected = *bankhook::parse(formatted, arena);
  const std::vector<std::string> parts = tokens(formatted);
  std::string minified;
  for (const std::string& part : parts) minified += part;
  CHECK(gives(expected, minified));
  for (std::size_t place = 0; place < parts.size(); ++place) {
    std::string json;
    for (std::size_t i = 0; i < parts.size(); ++i) json += parts[i] + (i == place ? "" : " ");
    if (gives(expected, json)) continue;
    CAPTURE(place, json);
    FAIL("missing white space changed the event");
  }
}

TEST_CASE("no other character counts as white space") {
  Differential differential;
  const std::vector<std::string> parts = tokens(sample("transaction_created"));
  for (const std::string_view space : {"\v", "\f", "\b", "\x1F", "\u00a0", "\u2028", "\ufeff"}) {
    const std::size_t first = space == "\ufeff" ? 1 : 0;  // before the payload, it is the byte order mark
    for (std::size_t place = first; place <= parts.size(); ++place) {
      std::string json;
      for (std::size_t i = 0; i <= parts.size(); ++i) {
        if (i == place) json += space;
        if (i < parts.size()) json += parts[i];
      }
      CAPTURE(json);
      REQUIRE(differential.disagreement(json) == "");
      REQUIRE_FALSE(evaluate_payload(json).has_value());
    }
  }
}

TEST_CASE("fields are read in every rotation of every object, the event's name in any place") {
  for (const Sample& sample : samples()) {
    Arena arena;
    const AnyEvent expected = *bankhook::parse(sample.text, arena);
    Json rotated = *read_json(sample.text);
    for (int turn = 0; turn < 12; ++turn) {
      for_each_object(rotated, [](Json& object) {
        if (!object.fields.empty()) std::ranges::rotate(object.fields, object.fields.begin() + 1);
      });
      CAPTURE(sample.name, turn);
      REQUIRE(gives(expected, write_json(rotated)));
    }
  }
}

TEST_CASE("fields are read in any order") {
  std::mt19937 random(20260503);
  for (const Sample& sample : samples()) {
    Arena arena;
    const AnyEvent expected = *bankhook::parse(sample.text, arena);
    Json shuffled = *read_json(sample.text);
    for (int round = 0; round < 50; ++round) {
      for_each_object(shuffled, [&](Json& object) { std::ranges::shuffle(object.fields, random); });
      CAPTURE(sample.name, round);
      REQUIRE(gives(expected, write_json(shuffled)));
    }
  }
}

TEST_CASE("unlisted fields change nothing at any place of any object, whatever they hold") {
  constexpr std::array<std::string_view, 7> values{
      "null", "-1.5e-7", "true", R"("\"},{[")", "[[],{},[1]]", R"({"id":{"id":null},"event":"other"})", "{}"};
  for (const Sample& sample : samples()) {
    Arena arena;
    const AnyEvent expected = *bankhook::parse(sample.text, arena);
    Json json = *read_json(sample.text);
    std::size_t turn = 0;
    for_each_object(json, [&](Json& object) {
      for (std::size_t place = 0; place <= object.fields.size(); ++place) {
        const auto at = object.fields.begin() + static_cast<std::ptrdiff_t>(place);
        const auto added = object.fields.insert(at, {"added", *read_json(values[turn++ % values.size()])});
        const std::string text = write_json(json);
        object.fields.erase(added);
        if (gives(expected, text)) continue;
        CAPTURE(sample.name, text);
        FAIL("an unlisted field changed the event");
      }
    });
  }
}

}  // namespace events_white_space_test
