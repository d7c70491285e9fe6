// SPDX-License-Identifier: MIT
// Where an error is, for people: line, column and path, and a sentence that tells no value.
#include <bankhook_catch.hpp>

#include <bankhook/json/describe.hpp>
#include <bankhook/json/place.hpp>

#include <cstddef>
#include <string>
#include <string_view>

using bankhook::Errc;
using bankhook::Error;
using bankhook::Place;

namespace {

/// The place of the first `@`, which is taken out of the text before.
Place place_of_mark(std::string text) {
  const std::size_t at = text.find('@');
  return bankhook::locate(text.erase(at, 1), at);
}

std::string path_of_mark(std::string_view text) { return place_of_mark(std::string(text)).path; }

}  // namespace

TEST_CASE("lines and columns are counted from 1, columns in characters and not in bytes") {
  const auto at = [](std::string_view text) {
    const Place place = place_of_mark(std::string(text));
    return std::to_string(place.line) + ":" + std::to_string(place.column);
  };
  CHECK(at("@{}") == "1:1");
  CHECK(at("{@}") == "1:2");
  CHECK(at("{\n@}") == "2:1");
  CHECK(at("{\r\n  @}") == "2:3");
  CHECK(at("{\"é😀\":@1}") == "1:7");
  CHECK(at("\n\n\n@") == "4:1");
}

TEST_CASE("the path names every member and index on the way") {
  CHECK(path_of_mark(R"(@{"a":1})") == "$");
  CHECK(path_of_mark(R"({"a":@1})") == "$.a");
  CHECK(path_of_mark(R"({"a":{"b":@1}})") == "$.a.b");
  CHECK(path_of_mark(R"({"a":[{},{"id":@1}]})") == "$.a[1].id");
  CHECK(path_of_mark(R"({"a":[[1],[2,@3]]})") == "$.a[1][1]");
  CHECK(path_of_mark(R"([@1])") == "$[0]");
  CHECK(path_of_mark(R"({"x":{"a":[1,2]},"b":@1})") == "$.b");
  CHECK(path_of_mark(R"({"a":"text@"})") == "$.a");
}

TEST_CASE("where a member is missing, misnamed or repeated, the path is that of the object") {
  CHECK(path_of_mark(R"({"a":{"b":1@}})") == "$.a");
  CHECK(path_of_mark(R"({"a":{@}})") == "$.a");
  CHECK(path_of_mark(R"({"a":{"b":1,@"b":2}})") == "$.a");
  CHECK(path_of_mark(R"({"a":[{"b":1@}]})") == "$.a[0]");
}

TEST_CASE("brackets, commas and quotes inside of strings do not count") {
  CHECK(path_of_mark(R"({"a":"}],[{\"","b":@1})") == "$.b");
  CHECK(path_of_mark(R"({"a":"\\","b":@1})") == "$.b");
}

TEST_CASE("a name that is no plain word stands in quotes") { CHECK(path_of_mark(R"({"a b":@1})") == R"($["a b"])"); }

TEST_CASE("any offset in any text has a place") {
  const std::string text = "}]{\"a\":[,:\"\\\"\\,\xC3{[}\n\"b\":{\"";
  for (std::size_t offset = 0; offset <= text.size() + 2; ++offset)
    CHECK_FALSE(bankhook::locate(text, offset).path.empty());
  CHECK(bankhook::locate("", 0).path == "$");
  const std::string deep(100'000, '[');
  CHECK(bankhook::locate(deep, deep.size()).column == deep.size() + 1);
}

TEST_CASE("an error is described by what was expected, what was found, and where") {
  const std::string_view text = "{\"connection\":\n{\"errorCode\":17}}";
  CHECK(bankhook::describe({.code = Errc::expected_string, .or_null = true, .offset = 28}, text) ==
        "$.connection.errorCode: expected string or null, found number (line 2, column 14)");
  CHECK(bankhook::describe({.code = Errc::missing_member, .offset = 30, .member = "bank"}, text) ==
        "$.connection: expected the member bank, found nothing (line 2, column 16)");
  CHECK(bankhook::describe({.code = Errc::truncated, .offset = 14}, text.substr(0, 14)) ==
        "$.connection: expected the rest of the value, found the end of the text (line 1, column 15)");
}

TEST_CASE("the kind that was found is named, the value never") {
  const auto found = [](std::string_view value) {
    const std::string text = "{\"a\":" + std::string(value) + "}";
    const std::string line = bankhook::describe({.code = Errc::expected_array, .offset = 5}, text);
    CHECK(line.find("secret") == std::string::npos);
    return line.substr(0, line.find(" (line"));
  };
  CHECK(found("\"secret\"") == "$.a: expected array, found string");
  CHECK(found("{\"secret\":1}") == "$.a: expected array, found object");
  CHECK(found("true") == "$.a: expected array, found boolean");
  CHECK(found("null") == "$.a: expected array, found null");
  CHECK(found("-1") == "$.a: expected array, found number");
}
