// SPDX-License-Identifier: MIT
// The library scored by the labels of the sandbox: what can be noticed is noticed, and nothing else is.
#include <bankhook_catch.hpp>

#include <bankhook/events/parse.hpp>
#include <bankhook/events/rules/diagnose.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/sandbox/sandbox.hpp>
#include <bankhook/tracking/tracker.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

using namespace bankhook;

namespace {

constexpr std::uint64_t deliveries = 200'000;
constexpr SandboxOptions everything_goes_wrong{.faults = {.05, .05, .05, .05, .05, .05}};

/// What the library has to say about one delivery.
struct Seen {
  std::vector<Finding> findings;
  std::optional<Outcome> outcome;  ///< nothing where the payload is no event

  [[nodiscard]] bool first_event_is_missing(RuleId rule) const {
    const Rule* const* const reason = outcome ? std::get_if<const Rule*>(&outcome->reason) : nullptr;
    return reason != nullptr && (*reason)->rule == rule;
  }
  [[nodiscard]] bool notices(const Detectable& promised) const {
    switch (promised.detected_by) {
      case DetectedBy::nothing: return true;
      case DetectedBy::repeat: return outcome && outcome->repeat;
      case DetectedBy::lifecycle: return outcome && outcome->verdict >= Verdict::unspecified && !outcome->accepted;
      case DetectedBy::rule: break;
    }
    return first_event_is_missing(promised.rule) ||
           std::ranges::any_of(findings, [&](const Finding& finding) { return promised.is_told_by(finding.rule); });
  }
};

/// A consumer made of the library.
class Consumer {
 public:
  Seen take(std::string_view payload) {
    arena_.reset();
    const auto event = parse(payload, arena_);
    Seen seen{.findings = diagnose(payload), .outcome = std::nullopt};
    if (event) seen.outcome = tracker_.apply(*event);
    return seen;
  }
  [[nodiscard]] const Tracker& tracker() const { return tracker_; }

 private:
  Arena arena_;
  Tracker tracker_;
};

}  // namespace

TEST_CASE("every fault that can be noticed is noticed, with the rule that its label names", "[slow]") {
  Sandbox sandbox(20'26, everything_goes_wrong);
  Consumer consumer;
  std::map<std::string, std::pair<int, int>, std::less<>> scores;  // promised, noticed
  for (const Delivery& delivery : sandbox.deliveries(deliveries)) {
    const Seen seen = consumer.take(delivery.payload);
    if (!delivery.fault || !delivery.fault->detectable) continue;
    auto& [promised, noticed] = scores[std::string(to_string(delivery.fault->detectable))];
    const bool found = seen.notices(delivery.fault->detectable);
    if (!found && promised == noticed) UNSCOPED_INFO(delivery.fault->what << ": " << delivery.payload);
    ++promised;
    noticed += found;
  }
  for (const auto& [what, score] : scores) {
    CAPTURE(what);
    CHECK(score.second == score.first);
  }
  for (const char* sign : {"repeat", "lifecycle", "create_comes_first", "created_comes_first", "payload_is_json_object",
                           "text_is_utf8", "required_fields_are_present", "fields_have_their_form", "fields_are_listed",
                           "customer_has_only_ids", "event_is_listed", "values_are_listed"}) {
    CAPTURE(sign);
    CHECK(scores[sign].first > 0);
  }
}

TEST_CASE("what is promised of the order of events holds for all sizes and delays", "[slow]") {
  Arena arena;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    for (const std::uint32_t members : {1U, 5U, 100U}) {
      for (const std::uint32_t lateness : {1U, 8U, 100U}) {
        Sandbox sandbox(seed, {.members = members, .lateness = lateness, .faults = everything_goes_wrong.faults});
        Tracker tracker;
        for (const Delivery& delivery : sandbox.deliveries(5'000)) {
          arena.reset();
          const auto event = parse(delivery.payload, arena);
          if (!event) continue;
          const Seen seen{.findings = {}, .outcome = tracker.apply(*event)};
          const Detectable promised = delivery.fault ? delivery.fault->detectable : Detectable{};
          const bool of_this_payload =
              promised.detected_by == DetectedBy::rule && delivery.fault->number == delivery.number;
          CAPTURE(seed, members, lateness, delivery.number, to_string(promised));
          REQUIRE((of_this_payload || seen.notices(promised)));
        }
      }
    }
  }
}

TEST_CASE("nothing is found in a history without faults, and the tracker takes all of it", "[slow]") {
  Sandbox sandbox(20'26);
  Consumer consumer;
  for (const Delivery& delivery : sandbox.deliveries(deliveries)) {
    const Seen seen = consumer.take(delivery.payload);
    REQUIRE(seen.findings.empty());
    REQUIRE(seen.outcome);
    REQUIRE(seen.outcome->accepted);
    REQUIRE(!seen.outcome->repeat);
    REQUIRE(seen.outcome->verdict <= Verdict::assumed);
    REQUIRE(!seen.first_event_is_missing(RuleId::create_comes_first));
    REQUIRE(!seen.first_event_is_missing(RuleId::created_comes_first));
    REQUIRE(std::ranges::none_of(seen.outcome->changes, &Change::first_event_missing));
  }
}

TEST_CASE("a stream with immediate repeats leaves the tracker in the state of the clean stream") {
  Sandbox clean(20'26);
  Sandbox repeating(20'26, {.lateness = 0, .faults = {.duplicate = .05}});
  Consumer first;
  Consumer second;
  constexpr std::uint64_t events = 20'000;
  for (const Delivery& delivery : clean.deliveries(events)) static_cast<void>(first.take(delivery.payload));
  int repeats = 0;
  while (repeating.events() < events) {
    const Delivery delivery = repeating.next();
    REQUIRE(second.take(delivery.payload).outcome->repeat == delivery.fault.has_value());
    repeats += delivery.fault.has_value();
  }
  CHECK(repeats > 500);
  CHECK(first.tracker() == second.tracker());
  CHECK(first.tracker().snapshot() == second.tracker().snapshot());
}
