// SPDX-License-Identifier: MIT
// Damaged payloads: cut at every byte and with every byte changed, they are checked as the oracle does, without harm.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/events/parse.hpp>

#include <events/damage.hpp>
#include <events/differential.hpp>
#include <events/samples.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace events_damage_test {

using namespace bankhook::test;
using namespace std::string_view_literals;

namespace {

/// What a byte is changed to: all that means something in JSON, and the corners of what means nothing.
constexpr std::string_view replacements =
    "\0\x01\n\x1F \"\\/{}[],:-+.0159eEnullx\x7F\x80\xBF\xC0\xC3\xE2\xED\xF0\xF5\xFF"sv;

}  // namespace

TEST_CASE("a payload that is cut at any byte is an error") {
  GuardedPages pages;
  bankhook::Arena arena;
  for (const Sample& sample : samples()) {
    for (std::size_t size = 0; size < sample.text.size(); ++size) {
      arena.reset();
      const auto cut = bankhook::parse(pages.before_the_guard(std::string_view(sample.text).substr(0, size)), arena);
      CAPTURE(sample.name, size);
      REQUIRE_FALSE(cut.has_value());
      REQUIRE(cut.error().offset <= size);
    }
  }
}

TEST_CASE("a payload that begins at a later byte is an error") {
  GuardedPages pages;
  bankhook::Arena arena;
  for (const Sample& sample : samples()) {
    for (std::size_t start = 1; start < sample.text.size(); ++start) {
      const std::string_view rest = std::string_view(sample.text).substr(start);
      arena.reset();
      const auto event = bankhook::parse(pages.after_the_guard(rest), arena);
      CAPTURE(sample.name, start);
      REQUIRE(event.has_value() == evaluate_payload(rest).has_value());
    }
  }
}

TEST_CASE("a payload with any byte changed is read as the oracle reads it") {
  Differential differential;
  for (const Sample& sample : samples()) {
    if (sample.text.size() <= large) check_with_bytes_changed(differential, sample.name, sample.text, replacements);
  }
}

TEST_CASE("a payload with any bit changed is read as the oracle reads it") {
  Differential differential;
  unsigned turn = 0;  // each bit of the bytes in turn
  for (const Sample& sample : samples()) {
    std::string payload = sample.text;
    const std::size_t step = payload.size() > large ? 9 : 1;
    for (std::size_t at = 0; at < payload.size(); at += step) {
      char& byte = payload[at];
      const char original = byte;
      byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1U << (turn++ % 8)));
      check(differential, sample.name, payload);
      byte = original;
    }
  }
}

TEST_CASE("a payload with any byte left out or doubled is read as the oracle reads it") {
  Differential differential;
  for (const Sample& sample : samples()) {
    if (sample.text.size() <= large) check_with_bytes_left_out_or_doubled(differential, sample.name, sample.text);
  }
}

TEST_CASE("an invalid payload with any byte changed is read as the oracle reads it") {
  Differential differential;
  for (const Fault& fault : faults()) {
    if (fault.code == "nested_too_deeply" || fault.text.size() > large) continue;  // the oracle has another bound
    check_with_bytes_changed(differential, fault.name, fault.text, " \"0},");
  }
}

}  // namespace events_damage_test
