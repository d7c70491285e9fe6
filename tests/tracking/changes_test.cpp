// SPDX-License-Identifier: MIT
// Changes: few of them lie inside, many elsewhere; copied, moved and compared alike.
#include <bankhook_catch.hpp>

#include <bankhook/tracking/changes.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>

namespace tracking_changes_test {

using namespace bankhook;

namespace {

Changes numbered(std::size_t count) {
  Changes changes;
  for (std::uint64_t i = 0; i < count; ++i) changes.add({.kind = ChangeKind::counts_changed, .after = i});
  return changes;
}

}  // namespace

TEST_CASE("changes keep their order, however many they are, when they are copied and moved") {
  for (const std::size_t count : {0U, 1U, 3U, 4U, 5U, 100U}) {
    Changes changes = numbered(count);
    REQUIRE(changes.size() == count);
    CHECK(changes.empty() == (count == 0));
    for (std::size_t i = 0; i < count; ++i) CHECK(std::get<std::uint64_t>(changes[i].after) == i);
    const Changes copy = changes;
    CHECK(copy == changes);
    Changes other = numbered(7);
    other = changes;
    CHECK(other == copy);
    const Changes moved = std::move(changes);
    CHECK(moved == copy);
    CHECK_FALSE(moved == numbered(count + 1));
    other.clear();
    CHECK(other.empty());
    other.add({.kind = ChangeKind::member_added});
    CHECK(other.contains(ChangeKind::member_added));
    CHECK_FALSE(other.contains(ChangeKind::counts_changed));
  }
}

}  // namespace tracking_changes_test
