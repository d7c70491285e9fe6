// SPDX-License-Identifier: MIT
// JSONTestSuite: each file as an unlisted field that is skipped, and as a field of a type that fits its value.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/json/parse.hpp>
#include <bankhook/text/decimal.hpp>

#include <json/guarded.hpp>
#include <json/oracle.hpp>
#include <json/show.hpp>
#include <support/files.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace json_conformance_test {

namespace {

using bankhook::Decimal;
using bankhook::nullable;
using bankhook::test::Json;

struct Unlisted {};

template <class T>
struct Holds {
  T value{};
};

struct Case {
  std::string name;
  std::string text;
};

/// The files of one letter; an empty list, and a word about it, where the folder is missing.
std::vector<Case> cases(char letter) {
  std::vector<Case> found;
  const auto folder = bankhook::test::conformance() / "json" / "test_parsing";
  if (!std::filesystem::is_directory(folder)) {
    WARN("skipped: no JSON conformance cases in " << folder.string());
    return found;
  }
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    const std::string name = file.path().filename().string();
    if (name.starts_with(letter) && name.ends_with(".json"))
      found.push_back({name, bankhook::test::read_file(file.path())});
  }
  std::ranges::sort(found, {}, &Case::name);
  REQUIRE_FALSE(found.empty());
  return found;
}

/// The text as the value of a field that is read as a `T`; what it then is as JSON, or nothing if it is rejected.
template <class T>
std::optional<Json> read_as(std::string_view text) {
  bankhook::Arena arena;
  const std::string object = "{\"value\":" + std::string(text) + "}";
  const bankhook::test::ExactCopy copy(object);
  const auto value = bankhook::detail::json::parse<Holds<T>>(copy.view(), arena);
  if (!value) return std::nullopt;
  std::string json;
  bankhook::detail::json::write(*value, json);
  const auto again = bankhook::test::read_json(json);
  REQUIRE(again.has_value());
  return again->fields.at(0).value;
}

bool is_skipped(std::string_view text) {
  bankhook::Arena arena;
  const std::string object = "{\"value\":" + std::string(text) + "}";
  return bankhook::detail::json::parse<Unlisted>(bankhook::test::ExactCopy(object).view(), arena).has_value();
}

template <class... T>
bool is_rejected_as(std::string_view text) {
  return (!read_as<T>(text).has_value() && ...);
}

bool is_rejected_as_any_type(std::string_view text) {
  return is_rejected_as<std::string_view, nullable<std::string_view>, Decimal, nullable<Decimal>, int, bool,
                        std::span<const Decimal>, std::span<const std::string_view>, std::span<const bool>,
                        std::span<const nullable<int>>, std::span<const std::span<const int>>, std::span<const Unlisted>,
                        Unlisted, nullable<Unlisted>>(text);
}

/// Files that are no JSON by themselves but whose text makes some between `{"value":` and `}`.
bool is_mended_by_the_object_around(const Case& file) {
  return bankhook::test::read_json("{\"value\":" + file.text + "}").has_value();
}

/// Reads the value as the type that fits; nothing if no type of the library holds such a value.
std::optional<Json> read_as_fitting(const Json& value, const std::string& text) {
  const auto all = [&](Json::Kind kind) {
    return std::ranges::all_of(value.items, [&](const Json& item) { return item.kind == kind; });
  };
  if (value.kind == Json::Kind::string) return read_as<nullable<std::string_view>>(text);
  if (value.kind == Json::Kind::number) return read_as<Decimal>(text);
  if (value.is_null()) return read_as<nullable<bool>>(text);
  if (value.kind == Json::Kind::word) return read_as<bool>(text);
  if (value.kind == Json::Kind::object) return read_as<Unlisted>(text);
  if (all(Json::Kind::string)) return read_as<std::span<const std::string_view>>(text);
  if (all(Json::Kind::number)) return read_as<std::span<const Decimal>>(text);
  if (all(Json::Kind::word)) return read_as<std::span<const nullable<bool>>>(text);
  if (all(Json::Kind::object)) return read_as<std::span<const Unlisted>>(text);
  return std::nullopt;
}

/// Equal, with numbers by their value and without the fields that `Unlisted` skips.
bool means_the_same(const Json& left, const Json& right) {
  if (left.kind != right.kind) return false;
  if (left.kind == Json::Kind::object) return true;
  if (left.kind == Json::Kind::number) return Decimal::parse(left.text) == Decimal::parse(right.text);
  return left.text == right.text && std::ranges::equal(left.items, right.items, means_the_same);
}

}  // namespace

TEST_CASE("what JSONTestSuite says must be accepted is skipped as an unlisted field") {
  for (const Case& file : cases('y')) {
    CAPTURE(file.name);
    CHECK(is_skipped(file.text));
  }
}

TEST_CASE("what JSONTestSuite says must be accepted is read right as a field of a fitting type") {
  int fitting = 0;
  for (const Case& file : cases('y')) {
    CAPTURE(file.name);
    const auto expected = bankhook::test::read_json(file.text);
    REQUIRE(expected.has_value());
    const auto value = read_as_fitting(*expected, file.text);
    const bool is_mixed_array = expected->kind == Json::Kind::array && !value.has_value();
    const bool has_duplicates = file.name.find("duplicated_key") != std::string::npos;  // rejected, as designed
    CHECK((value.has_value() || is_mixed_array || has_duplicates));
    if (value) CHECK(means_the_same(*value, *expected));
    fitting += value.has_value();
  }
  CHECK((fitting == 0 || fitting >= 85));
}

TEST_CASE("what JSONTestSuite says must be rejected is rejected wherever it stands") {
  for (const Case& file : cases('n')) {
    CAPTURE(file.name);
    bankhook::Arena arena;
    CHECK_FALSE(bankhook::detail::json::parse<Unlisted>(bankhook::test::ExactCopy(file.text).view(), arena).has_value());
    CHECK(!bankhook::detail::json::parse<std::span<const Decimal>>(file.text, arena).has_value());
    CHECK(!bankhook::detail::json::parse<nullable<std::string_view>>(file.text, arena).has_value());
    if (is_mended_by_the_object_around(file)) continue;
    CHECK_FALSE(is_skipped(file.text));
    CHECK(is_rejected_as_any_type(file.text));
  }
}

TEST_CASE("what JSONTestSuite leaves open is read without harm, the same way each time") {
  for (const Case& file : cases('i')) {
    CAPTURE(file.name);
    const bool accepted = is_skipped(file.text);
    CHECK(is_skipped(file.text) == accepted);
    if (accepted) CHECK(bankhook::test::read_json(file.text).has_value());
    else CHECK(is_rejected_as_any_type(file.text));
  }
}

TEST_CASE("few of the rejected files become valid inside of an object, and those are known") {
  for (const Case& file : cases('n')) {
    if (is_mended_by_the_object_around(file)) {
      CAPTURE(file.name);
      CHECK(file.text.find("}") == std::string::npos);
    }
  }
}

}  // namespace json_conformance_test
