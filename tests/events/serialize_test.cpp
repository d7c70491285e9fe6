// SPDX-License-Identifier: MIT
// Events of a service's history, with escapes and accents, written into buffers of every capacity.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/serialize.hpp>
#include <bankhook/sandbox/sandbox.hpp>

#include <cstddef>
#include <string>

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
