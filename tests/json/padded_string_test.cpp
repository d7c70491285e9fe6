// SPDX-License-Identifier: MIT
// A buffer that keeps the promise of PaddedView: readable bytes after the payload, whatever was in it before.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/rules/diagnose.hpp>
#include <bankhook/json/parse.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace json_padded_string_test {

using namespace bankhook;

namespace {

constexpr std::string_view payload = R"({"event":"loyalty_points_update","points":7})";

/// Whether the bytes after the payload are there and are zero.
bool keeps_its_promise(const PaddedString& padded) {
  const std::string_view text = padded.text();
  const char* const end = text.data() + text.size();
  return std::all_of(end, end + PaddedView::padding, [](char c) { return c == '\0'; });
}

}  // namespace

TEST_CASE("a padded string holds a payload and the bytes after it") {
  const PaddedString padded(payload);
  CHECK(padded.text() == payload);
  CHECK(padded.size() == payload.size());
  CHECK(keeps_its_promise(padded));
  CHECK(PaddedString().empty());
  CHECK(keeps_its_promise(PaddedString()));
  CHECK(padded == PaddedString(payload));
}

TEST_CASE("a padded string is parsed without a copy") {
  const PaddedString padded(payload);
  Arena arena;
  const auto event = parse(padded, arena);
  REQUIRE(event.has_value());
  CHECK(std::get<UnknownEvent>(*event).raw.data() == padded.text().data());
  CHECK_FALSE(is_clean(padded, arena));
}

TEST_CASE("a padded string is filled in its place, with fewer bytes than there is room for") {
  PaddedString padded(std::string(200, 'x'));
  const char* const memory = padded.text().data();
  padded.fill(150, [](char* out) {
    std::memset(out, 'y', 150);
    std::memcpy(out, payload.data(), payload.size());
    return payload.size();
  });
  CHECK(padded.text() == payload);
  CHECK(padded.text().data() == memory);
  CHECK(keeps_its_promise(padded));
  padded.assign("{}");
  CHECK(padded.text() == "{}");
  CHECK(keeps_its_promise(padded));
}

TEST_CASE("a temporary padded string does not become a view") {
  STATIC_REQUIRE(std::is_convertible_v<const PaddedString&, PaddedView>);
  STATIC_REQUIRE(!std::is_convertible_v<PaddedString, PaddedView>);
}

TEST_CASE("a padded string is copied and moved with its promise") {
  PaddedString one(payload);
  const PaddedString copy = one;
  const PaddedString moved = std::move(one);
  CHECK(copy == moved);
  CHECK(keeps_its_promise(copy));
  CHECK(keeps_its_promise(moved));
}

}  // namespace json_padded_string_test
