// SPDX-License-Identifier: MIT
// Archives that are no lines: where elements of arrays and events over several lines begin and end, damaged ones too.
#include <bankhook_catch.hpp>

#include "../../bindings/archive_elements.hpp"

#include <bankhook/text/utf8.hpp>

#include <array>
#include <cstddef>
#include <ostream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace bindings_element_cutter_test {

using namespace bankhook;
using python::ElementCutter;

namespace {

struct Found {
  std::size_t line;
  std::string raw;

  bool operator==(const Found&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Found& found) { return out << found.line << ": " << found.raw; }
};
using All = std::vector<Found>;

void take_all(ElementCutter& cutter, std::string_view text, All& found) {
  const ElementCutter::Cut cut = cutter.take();
  CHECK(text.substr(cut.offset, cut.text.size()) == cut.text);
  for (const python::Element& element : cut.elements) {
    found.push_back({element.number, std::string(cut.text.substr(element.offset, element.size))});
    const std::size_t place = cut.offset + element.offset;
    const std::size_t line_start = place == 0 ? 0 : text.substr(0, place).rfind('\n') + 1;
    CHECK(element.before == place - line_start);
    CHECK(element.column == detail::text::count_characters(text.substr(line_start, place - line_start)));
  }
}

/// The elements of a text that comes in pieces of this size.
All cut(std::string_view text, std::size_t piece) {
  All found;
  ElementCutter cutter;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    cutter.add(text.substr(at, piece));
    if (cutter.has_elements()) take_all(cutter, text, found);
  }
  cutter.finish();
  take_all(cutter, text, found);
  return found;
}

/// The same for each size, which must not matter.
All cut(std::string_view text) {
  const All found = cut(text, text.size() + 1);
  for (const std::size_t piece : {1U, 2U, 3U, 7U, 64U, 100U}) CHECK(cut(text, piece) == found);
  return found;
}

}  // namespace

TEST_CASE("elements of an array are what lies between its brackets and commas, without white space") {
  CHECK(cut(R"([{"a":1},{"b":[1,2]} , 3])") == All{{1, R"({"a":1})"}, {1, R"({"b":[1,2]})"}, {1, "3"}});
  CHECK(cut("[\n  {\n    \"a\": 1\n  },\r\n  {}\r\n]\n") == All{{2, "{\n    \"a\": 1\n  }"}, {5, "{}"}});
  CHECK(cut("[]").empty());
  CHECK(cut(" [ \n ] \n").empty());
}

TEST_CASE("brackets, commas and quotes within a string are text") {
  CHECK(cut(R"([{"a":"]},[{\"\\"},{"b":"\\\""}])") == All{{1, R"({"a":"]},[{\"\\"})"}, {1, R"({"b":"\\\""})"}});
}

TEST_CASE("an event over several lines begins on its first line and ends with its last one") {
  CHECK(cut("{\n\"a\":\n1}\n\n{\"b\":2}\n{\n}\n") == All{{1, "{\n\"a\":\n1}"}, {5, "{\"b\":2}"}, {6, "{\n}"}});
}

TEST_CASE("objects that follow each other are elements, on one line, too") {
  CHECK(cut("{}{} {\"a\":\"}{\"}\n") == All{{1, "{}"}, {1, "{}"}, {1, "{\"a\":\"}{\"}"}});
  CHECK(cut("{\n}{}\n{}\t{\n}{") == All{{1, "{\n}"}, {2, "{}"}, {3, "{}"}, {3, "{\n}"}, {4, "{"}});
}

TEST_CASE("what follows an object and is not an object belongs to it, up to the end of the line") {
  CHECK(cut("{}}{}\n") == All{{1, "{}}"}, {1, "{}"}});
  CHECK(cut("{\n} x {}\n{},{}\n{}[]\n") == All{{1, "{\n} x {}"}, {3, "{},{}"}, {4, "{}[]"}});
}

TEST_CASE("arrays may follow each other, and so may lines") {
  CHECK(cut("[1]\n[2,\n3]\n{}\n") == All{{1, "1"}, {2, "2"}, {3, "3"}, {4, "{}"}});
}

TEST_CASE("where a comma has no element beside it, there is an empty one") {
  CHECK(cut("[1,]") == All{{1, "1"}, {1, ""}});
  CHECK(cut("[1,\n,2]") == All{{1, "1"}, {2, ""}, {2, "2"}});
  CHECK(cut("[,]") == All{{1, ""}, {1, ""}});
}

TEST_CASE("an array that is never closed ends in an empty element, unless its last one was cut") {
  CHECK(cut("[{}") == All{{1, "{}"}, {1, ""}});
  CHECK(cut("[{},\n") == All{{1, "{}"}, {2, ""}});
  CHECK(cut("[") == All{{1, ""}});
  CHECK(cut("[{},{\"a\"") == All{{1, "{}"}, {1, "{\"a\""}});
  CHECK(cut("[{},\"a") == All{{1, "{}"}, {1, "\"a"}});
}

TEST_CASE("what stands between elements belongs to one of them") {
  CHECK(cut("[{} x, y {}]") == All{{1, "{} x"}, {1, "y {}"}});
  CHECK(cut("[{} {}]") == All{{1, "{} {}"}});
  CHECK(cut("[{}]]\n") == All{{1, "{}"}, {1, "]"}});
}

TEST_CASE("a comma that is missing at the end of a line is an empty element") {
  CHECK(cut("[\n{}\n{}\n]") == All{{2, "{}"}, {3, ""}, {3, "{}"}});
}

TEST_CASE("an element that was cut takes none of those after it along") {
  CHECK(cut("[\n{\"a\":{\"b\":1\n,\n{\"c\":1},\n{}\n]") == All{{2, "{\"a\":{\"b\":1\n,"}, {4, "{\"c\":1}"}, {5, "{}"}});
  CHECK(cut("[\n{\"a\":\"b\n,\n{}\n]") == All{{2, "{\"a\":\"b\n,"}, {4, "{}"}});
  CHECK(cut("{\n\"a\":1,\n{\n}\n") == All{{1, "{\n\"a\":1,"}, {3, "{\n}"}});
}

TEST_CASE("an object that JSON allows where it begins, or further to the right, belongs to the element around it") {
  CHECK(cut("[\n{\"a\":\n{}}]") == All{{2, "{\"a\":\n{}}"}});
  CHECK(cut("[\n{\"a\":[\n{},\n{}]}]") == All{{2, "{\"a\":[\n{},\n{}]}"}});
  CHECK(cut("[\n{\"a\":[{}\n {}]},1]") == All{{2, "{\"a\":[{}\n {}]}"}, {3, "1"}});
}

TEST_CASE("a bracket closes what was left open within it") {
  CHECK(cut("[{\"a\":[1},2]") == All{{1, "{\"a\":[1}"}, {1, "2"}});
  CHECK(cut("[{\"a\":1]\n{}\n") == All{{1, "{\"a\":1"}, {2, "{}"}});
  CHECK(cut("[1},2]") == All{{1, "1}"}, {1, "2"}});
}

TEST_CASE("more brackets than an event may have are counted all the same") {
  const std::string deep = std::string(3000, '[') + std::string(3000, ']');
  CHECK(cut("[{\"a\":" + deep + "},1]", 4096) == All{{1, "{\"a\":" + deep + "}"}, {1, "1"}});
  CHECK(cut(std::string(5000, '{'), 4096).size() == 1);
  CHECK(cut(std::string(5000, '{') + std::string(5000, ']'), 4096).size() == 1);
}

TEST_CASE("each line is counted, also one without an end") {
  const auto lines = [](std::string_view text) {
    ElementCutter cutter;
    cutter.add(text);
    return cutter.lines();
  };
  CHECK(lines("") == 0);
  CHECK(lines("[1]") == 1);
  CHECK(lines("[1]\n") == 1);
  CHECK(lines("[\n1\n]\n\n") == 4);
}

TEST_CASE("what was read of an element is one when no more can be read") {
  ElementCutter cutter;
  cutter.add("[{},{");
  CHECK(cutter.is_within());
  cutter.break_off();
  All found;
  take_all(cutter, "[{},{", found);
  CHECK(found == All{{1, "{}"}, {1, "{"}});
}

TEST_CASE("damaged text is cut alike whether characters or blocks of them are looked at") {
  constexpr std::array<std::string_view, 16> parts = {"{",    "}",
                                                      "[",    "]",
                                                      ",",    ":",
                                                      "\"",   "\"",
                                                      "\\",   "\\\"",
                                                      "\n",   " ",
                                                      "\r\n", "\u00E4\u20AC",
                                                      "\xC3", R"({"event":"a text that is longer than others"})"};
  std::minstd_rand random(1);
  for (int round = 0; round < 400; ++round) {
    std::string text = round % 2 == 0 ? "[" : "";
    while (text.size() < 400) text += parts[random() % (round % 3 == 0 ? parts.size() : parts.size() - 4)];
    cut(text);
  }
}

}  // namespace bindings_element_cutter_test
