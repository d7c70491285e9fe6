// SPDX-License-Identifier: MIT
// Faults: their shares, what they do to deliveries, and where they show.
#include <bankhook_catch.hpp>

#include <bankhook/events/parse.hpp>
#include <bankhook/events/serialize.hpp>
#include <bankhook/sandbox/sandbox.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sandbox_faults_test {

using namespace bankhook;

namespace {

constexpr Faults all_faults{.05, .05, .05, .05, .05, .05};

}  // namespace

TEST_CASE("without faults no delivery has a label, and each is its clean payload") {
  Sandbox box(1);
  for (const Delivery& delivery : box.deliveries(5'000)) {
    REQUIRE(!delivery.fault);
    REQUIRE(delivery.payload == delivery.original);
  }
}

TEST_CASE("faults change what is delivered, never the events") {
  Sandbox clean(6);
  std::vector<std::string> events;
  for (const Delivery& delivery : clean.deliveries(20'000)) events.emplace_back(delivery.payload);
  Sandbox box(6, {.faults = all_faults});
  for (const Delivery& delivery : box.deliveries(18'000)) REQUIRE(delivery.original == events[delivery.number]);
}

TEST_CASE("a delivery without a label is its clean payload, in its order") {
  Sandbox box(6, {.faults = all_faults});
  std::uint64_t next = 0;
  for (const Delivery& delivery : box.deliveries(20'000)) {
    const bool touched = delivery.fault && delivery.fault->number == delivery.number;
    if (touched) continue;
    REQUIRE(delivery.payload == delivery.original);
    REQUIRE(delivery.number >= next);
    next = delivery.number + 1;
  }
}

TEST_CASE("each fault meets its share of the events") {
  constexpr int count = 30'000;
  std::array<int, 6> met{};
  std::set<std::uint64_t> seen;
  Sandbox box(6, {.faults = {.02, .04, .06, .08, .1, .12}});
  while (box.event_count() < count) {
    const Delivery delivery = box.next();
    seen.insert(delivery.number);
    if (delivery.fault && delivery.fault->number == delivery.number) ++met[static_cast<std::size_t>(delivery.fault->kind)];
  }
  met[static_cast<std::size_t>(FaultKind::drop)] = count - static_cast<int>(seen.size());
  for (std::size_t i = 0; i < met.size(); ++i) {
    const double expected = count * .02 * static_cast<double>(i + 1);
    CAPTURE(i, met[i], expected);
    CHECK(std::abs(met[i] - expected) < .06 * expected + 20);
  }
}

TEST_CASE("shares that are no shares are taken as the nearest one") {
  Sandbox none(1, {.faults = {.duplicate = -1, .drop = std::numeric_limits<double>::quiet_NaN()}});
  for (const Delivery& delivery : none.deliveries(1'000)) REQUIRE(!delivery.fault);
  CHECK(none.event_count() == 1'000);
  Sandbox proportional(1, {.faults = {.truncate = 1, .mutate = 1}});
  std::map<FaultKind, int> met;
  for (const Delivery& delivery : proportional.deliveries(10'000)) ++met[delivery.fault.value().kind];
  CHECK(met.size() == 2);
  CHECK(std::abs(met[FaultKind::truncate] - 5'000) < 300);
  Sandbox dropping(1, {.faults = {.drop = 1}});
  for (const Delivery& delivery : dropping.deliveries(20)) REQUIRE(delivery.payload == delivery.original);
  CHECK(std::abs(static_cast<double>(dropping.event_count()) - 2'000) < 1'500);
}

TEST_CASE("a duplicate that follows at once is noticed as a repeat") {
  Sandbox box(2, {.lateness = 0, .faults = {.duplicate = .3}});
  std::string before;
  int duplicates = 0;
  for (const Delivery& delivery : box.deliveries(10'000)) {
    if (delivery.fault) {
      ++duplicates;
      REQUIRE(delivery.fault->kind == FaultKind::duplicate);
      REQUIRE(delivery.fault->detectable.detected_by == DetectedBy::repeat);
      REQUIRE(delivery.fault->late_by == 0);
      REQUIRE(delivery.payload == before);
    }
    before = delivery.payload;
  }
  CHECK(duplicates > 1'500);
}

TEST_CASE("nothing is reordered without lateness") {
  for (const std::uint32_t lateness : {0U, 1U}) {
    Sandbox box(2, {.lateness = lateness, .faults = {.reorder = .3}});
    int late = 0;
    for (const Delivery& delivery : box.deliveries(1'000)) late += delivery.fault.has_value();
    CHECK((late > 0) == (lateness == 1));
  }
}

TEST_CASE("what is late is late by no more events than the lateness") {
  Sandbox box(2, {.lateness = 5, .faults = {.duplicate = .2, .reorder = .2}});
  for (const Delivery& delivery : box.deliveries(10'000)) {
    const std::uint64_t made = box.event_count() - 1;
    REQUIRE(made - delivery.number <= 5);
    if (delivery.fault && delivery.fault->number == delivery.number)
      REQUIRE(made == delivery.number + delivery.fault->late_by);
  }
}

TEST_CASE("a fault that shows at a later event is the label of that one") {
  Sandbox box(2, {.faults = {.drop = .2}});
  int shown = 0;
  for (const Delivery& delivery : box.deliveries(10'000)) {
    if (!delivery.fault) continue;
    ++shown;
    REQUIRE(delivery.fault->kind == FaultKind::drop);
    REQUIRE(delivery.fault->number < delivery.number);
    REQUIRE(delivery.fault->detectable == Detectable{DetectedBy::lifecycle});
    REQUIRE(delivery.payload == delivery.original);
  }
  CHECK(shown > 500);
}

}  // namespace sandbox_faults_test
