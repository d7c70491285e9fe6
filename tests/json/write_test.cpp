// SPDX-License-Identifier: MIT
// Writing: minified, escaped where RFC 8259 asks for it and nowhere else, into a buffer that is reused.
#include <bankhook_catch.hpp>

#include <bankhook/base/optional.hpp>
#include <bankhook/json/codec_object.hpp>
#include <bankhook/reflect/value_kinds.hpp>

#include <json/oracle.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace json_write_test {

using bankhook::maybe_absent;
using bankhook::nullable;

namespace {

enum class Kind : std::uint8_t { plain, very_new };

struct Optional {
  maybe_absent<std::string_view> first;
  nullable<std::string_view> second;
  maybe_absent<int> third;
};

struct AllAbsent {
  maybe_absent<int> first;
  maybe_absent<int> second;
};

struct Nothing {};

template <class T>
std::string written(const T& value) {
  std::string out;
  bankhook::detail::json::write(value, out);
  return out;
}

std::string text_written(std::string_view text) { return written(text); }

}  // namespace

TEST_CASE("quote, backslash and control characters are escaped, nothing else is") {
  CHECK(text_written("\"\\/\b\f\n\r\t") == R"("\"\\/\b\f\n\r\t")");
  CHECK(text_written(std::string_view("\0\x01\x0B\x0E\x1F\x7F", 6)) == "\"\\u0000\\u0001\\u000b\\u000e\\u001f\x7F\"");
  CHECK(text_written("é€😀 ' < & >") == "\"é€😀 ' < & >\"");
  CHECK(text_written("") == "\"\"");
}

TEST_CASE("every byte is escaped at every place, or copied") {
  for (int byte = 0; byte < 0x80; ++byte) {
    for (std::size_t size = 0; size < 70; ++size) {
      for (std::size_t at = size % 7; at <= size; at += 7) {
        std::string text(size, 'a');
        text.insert(at, 1, static_cast<char>(byte));
        const auto again = bankhook::test::read_json(text_written(text));
        if (again && again->text == text) continue;
        CAPTURE(byte, size, at);
        FAIL("not read back");
      }
    }
  }
}

TEST_CASE("absent fields are left out, null ones are written, and the commas are right in each case") {
  CHECK(written(Optional{"a", "b", 3}) == R"({"first":"a","second":"b","third":3})");
  CHECK(written(Optional{{}, "b", 3}) == R"({"second":"b","third":3})");
  CHECK(written(Optional{{}, {}, {}}) == R"({"second":null})");
  CHECK(written(Optional{"a", {}, {}}) == R"({"first":"a","second":null})");
  CHECK(written(AllAbsent{}) == "{}");
  CHECK(written(AllAbsent{{}, 2}) == R"({"second":2})");
  CHECK(written(Nothing{}) == "{}");
}

TEST_CASE("values of every kind are written in their form") {
  CHECK(written(true) == "true");
  CHECK(written(false) == "false");
  CHECK(written(-17) == "-17");
  CHECK(written(bankhook::Decimal(1990, 2)) == "19.90");
  CHECK(written(bankhook::OpenEnum(Kind::very_new)) == "\"veryNew\"");
  CHECK(written(bankhook::OpenEnum<Kind>::of("a\"b")) == R"("a\"b")");
  CHECK(written(std::span<const int>()) == "[]");
  const std::vector<int> numbers{1, 2, 3};
  CHECK(written(std::span<const int>(numbers)) == "[1,2,3]");
  const std::vector<std::span<const int>> arrays{numbers, {}};
  CHECK(written(std::span<const std::span<const int>>(arrays)) == "[[1,2,3],[]]");
}

TEST_CASE("a number that no enumerator has is written as an empty text") {
  CHECK(written(bankhook::OpenEnum<Kind>(static_cast<Kind>(200))) == R"("")");
}

TEST_CASE("what stands in the buffer stays, and the value goes after it") {
  std::string out = "before ";
  bankhook::detail::json::write(Nothing{}, out);
  bankhook::detail::json::write(std::string_view("a"), out);
  CHECK(out == R"(before {}"a")");
}

TEST_CASE("a buffer of any capacity grows to what is needed, and the text is the same") {
  const std::string text(300, '"');
  const std::string expected = text_written(text);
  for (std::size_t capacity = 0; capacity < 700; ++capacity) {
    std::string out;
    out.reserve(capacity);
    bankhook::detail::json::write(Optional{text, text, {}}, out);
    REQUIRE(out == R"({"first":)" + expected + R"(,"second":)" + expected + "}");
  }
}

TEST_CASE("a buffer that was large enough once is not replaced again") {
  const std::string text = "a text with \"quotes\", longer than what a string holds in itself";
  std::string out;
  bankhook::detail::json::write(Optional{text, text, 1}, out);
  const char* const data = out.data();
  for (int round = 0; round < 3; ++round) {
    out.clear();
    bankhook::detail::json::write(Optional{text, text, 1}, out);
    CHECK(out.data() == data);
  }
}

}  // namespace json_write_test
