// SPDX-License-Identifier: MIT
// Events of a service's history, with escapes and accents, written into buffers of every capacity.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/serialize.hpp>
#include <bankhook/sandbox/sandbox.hpp>

#include <chrono>
#include <cstddef>
#include <string>

namespace events_serialize_test {

TEST_CASE("an event is the same text in a buffer of any capacity") {
  bankhook::Sandbox sandbox(7, {.members = 20});
  bankhook::Arena arena;
  for (int i = 0; i < 60; ++i) {
    const std::string payload(sandbox.next().payload);
    const auto event = bankhook::parse(payload, arena);
    REQUIRE(event.has_value());
    const std::string expected = bankhook::serialize(*event);
    CHECK(bankhook::parse(expected, arena) == event);
    for (std::size_t capacity = 0; capacity < expected.size() + 700; capacity += 7) {
      std::string out;
      out.reserve(capacity);
      out = "kept";
      bankhook::serialize_to(*event, out);
      if (out == "kept" + expected) continue;
      CAPTURE(capacity, payload);
      FAIL("the capacity changed the text");
    }
    arena.reset();
  }
}

TEST_CASE("a date that no payload can have is written as one that parse rejects, never as another date") {
  using namespace std::chrono;
  for (const year_month_day date : {year_month_day(), 12026y / May / 3, (-5y) / January / 4, 2026y / February / 31,
                                    year_month_day(2026y, month(105), day(3)), year_month_day(2026y, May, day(203))}) {
    const std::string json = bankhook::serialize(bankhook::Connection{.transactions_eligible_from_date = date});
    bankhook::Arena arena;
    const auto read = bankhook::parse_as<bankhook::Connection>(json, arena);
    CAPTURE(json);
    REQUIRE(!read.has_value());
    CHECK(read.error().code == bankhook::Errc::nonexistent_date_time);
  }
}

}  // namespace events_serialize_test
