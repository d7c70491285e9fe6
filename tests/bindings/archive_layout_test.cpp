// SPDX-License-Identifier: MIT
// How the events of an archive follow each other is found out from its start, in pieces of any size, at a cost a byte.
#include <bankhook_catch.hpp>

#include "../../bindings/archive_layout.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

namespace bindings_archive_layout_test {

using namespace bankhook;
using python::Layout;
using python::LayoutFinder;

namespace {

std::optional<Layout> layout_of(std::string_view text) {
  LayoutFinder finder;
  finder.add(text);
  return finder.found();
}

/// What is found in pieces of one byte each, which are gone when the next one comes.
std::optional<Layout> layout_of_bytes(std::string_view text) {
  LayoutFinder finder;
  for (char byte : text) {
    finder.add({&byte, 1});
    byte = 'x';
  }
  return finder.found();
}

/// Whether the layout is still open after `start` and as many more bytes, one at a time.
constexpr bool stays_open(std::string_view start, std::size_t count, char byte) {
  LayoutFinder finder;
  finder.add(start);
  for (std::size_t i = 0; i < count; ++i) finder.add({&byte, 1});
  return !finder.found();
}

}  // namespace

TEST_CASE("the first event tells the layout") {
  for (const char* const lines : {"{}\n", "{\"a\":[1,{}]}\n{", "x", "{\"a\":1\n{}\n", "{\"a\n", "{\n{}", "{\"a\":[\n{}",
                                  "{\"a\" x\ny", "{\"a\":\"}{\"}\n", "{} x {}\n", "{},{}\n"}) {
    CAPTURE(lines);
    CHECK(layout_of(lines) == Layout::lines);
    CHECK(layout_of_bytes(lines) == Layout::lines);
  }
  for (const char* const elements : {"[", " \n [{}]", "{\n\"a\":1}", "{ \"a\":\r\n \r\n1}", "{\"a\":1\n,\"b\":2}",
                                     "{\"a\":1\n}", "{}{", "{\"a\":{}} \t{}\n{}\n"}) {
    CAPTURE(elements);
    CHECK(layout_of(elements) == Layout::elements);
    CHECK(layout_of_bytes(elements) == Layout::elements);
  }
}

TEST_CASE("the layout is open until enough was seen") {
  for (const char* const start : {"", " \n", "{}", "{\"a\"", "{\n", "{\n \n"}) {
    CAPTURE(start);
    CHECK(layout_of(start) == std::nullopt);
  }
}

TEST_CASE("what follows the byte that decides changes nothing") {
  LayoutFinder finder;
  finder.add("[");
  finder.add("{}\n{}\n");
  CHECK(finder.found() == Layout::elements);
}

// A compiler takes some million steps in a constant expression: enough if each byte is looked at once, and by far too few
// if each piece looks again at those before it.
TEST_CASE("a start that decides nothing is looked at once, however small its pieces are") {
  static_assert(stays_open("", 8'000, ' '));
  static_assert(stays_open("{", 8'000, 'a'));
  static_assert(stays_open("{\"a\":[\n", 8'000, ' '));
  CHECK(stays_open("{\"a\":[\n", 8'000, ' '));
}

}  // namespace bindings_archive_layout_test
