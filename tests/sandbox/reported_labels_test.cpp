// SPDX-License-Identifier: MIT
// The labels of the sandbox are what a consumer made of the library reports, and nothing is reported without faults.
#include <bankhook_catch.hpp>

#include <bankhook/events/parse.hpp>
#include <bankhook/events/rules/diagnose.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/sandbox/sandbox.hpp>
#include <bankhook/sandbox/world.hpp>
#include <bankhook/tracking/tracker.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace sandbox_reported_labels_test {

using namespace bankhook;

namespace {

constexpr std::uint64_t deliveries = 15'000;
constexpr SandboxOptions everything_goes_wrong{.faults = {.05, .05, .05, .05, .05, .05}};

struct Report {
  Detectable detectable{};
  bool misses_a_first_event = false;
};

/// A consumer made of the library, of unbounded memory. What it reports of a delivery comes from public functions alone.
class Consumer {
 public:
  /// Damaged bytes are diagnosed; anything else is known by its place in the order.
  Report report(const Delivery& delivery) {
    arena_.reset();
    const auto event = parse(delivery.payload, arena_);
    const auto outcome = event ? std::optional(tracker_.apply(*event)) : std::nullopt;
    if (delivery.payload != delivery.original || !outcome) return {diagnosed(delivery.payload)};
    return {tracked(*outcome), std::ranges::any_of(outcome->changes, &Change::first_event_missing)};
  }
  Outcome take(std::string_view payload) {
    arena_.reset();
    return tracker_.apply(*parse(payload, arena_));
  }
  [[nodiscard]] const Tracker& tracker() const { return tracker_; }

 private:
  [[nodiscard]] static Detectable diagnosed(std::string_view payload) {
    const std::vector<Finding> findings = diagnose(payload);
    for (const Finding& finding : findings) {
      if (finding.severity == Severity::error) return {DetectedBy::rule, finding.rule};
    }
    return findings.empty() ? Detectable() : Detectable{DetectedBy::rule, findings.front().rule};
  }
  [[nodiscard]] static Detectable tracked(const Outcome& outcome) {
    if (outcome.repeat) return {DetectedBy::repeat};
    if (outcome.verdict == Verdict::specified || outcome.verdict == Verdict::assumed) return {};
    return std::visit(
        []<class Row>(Row row) -> Detectable {
          if constexpr (std::is_same_v<Row, const Rule*>) return {DetectedBy::rule, row->rule};
          else if constexpr (std::is_pointer_v<Row>) return {DetectedBy::lifecycle};
          else return {};
        },
        static_cast<const Reason::Row&>(outcome.reason));
  }

  Arena arena_;
  Tracker tracker_;
};

/// The label is what the consumer reports; a delivery without one misses no first event.
void check_label(const Delivery& delivery, const Report& reported) {
  CAPTURE(delivery.number, delivery.payload, to_string(reported.detectable));
  if (delivery.fault) {
    CAPTURE(delivery.fault->what, to_string(delivery.fault->detectable));
    REQUIRE(delivery.fault->detectable == reported.detectable);
  } else {
    REQUIRE(!reported.misses_a_first_event);
  }
}

}  // namespace

TEST_CASE("every label is what diagnose and a tracker report of its delivery") {
  Sandbox sandbox(20'26, everything_goes_wrong);
  Consumer consumer;
  std::map<std::string, int, std::less<>> labels;
  for (const Delivery& delivery : sandbox.deliveries(deliveries)) {
    check_label(delivery, consumer.report(delivery));
    if (delivery.fault) ++labels[std::string(to_string(delivery.fault->detectable))];
  }
  for (const char* label :
       {"nothing", "repeat", "lifecycle", "event_is_not_repeated", "changes_have_their_own_event", "payload_is_json_object",
        "text_is_utf8", "required_fields_are_present", "fields_have_their_form", "fields_are_listed",
        "customer_has_only_ids", "event_is_listed", "values_are_listed"}) {
    CAPTURE(label);
    CHECK(labels[label] > 0);
  }
}

TEST_CASE("labels are what is reported for all sizes and delays, although the sandbox forgets what is over") {
  std::uint64_t seed = 0;
  for (const std::uint32_t members : {1U, 5U, 100U}) {
    for (const std::uint32_t lateness : {1U, 8U, 100U}) {
      CAPTURE(++seed, members, lateness);
      Sandbox sandbox(seed, {.members = members, .lateness = lateness, .faults = everything_goes_wrong.faults});
      Consumer consumer;
      for (const Delivery& delivery : sandbox.deliveries(3'000)) check_label(delivery, consumer.report(delivery));
      CHECK(consumer.tracker().transaction_count() > 600);
    }
  }
}

TEST_CASE("labels are about deliveries alone if operations are called between them") {
  Sandbox sandbox(8, {.members = 6, .transactions = 30, .lateness = 20, .faults = everything_goes_wrong.faults});
  Consumer consumer;
  detail::sandbox::Random random(1);
  int calls = 0;
  for (const Delivery& delivery : sandbox.deliveries(10'000)) {
    const Detectable reported = consumer.report(delivery).detectable;
    if (delivery.fault) REQUIRE(delivery.fault->detectable == reported);
    if (!random.one_in(4)) continue;
    const auto event = sandbox.create_connection(sandbox.member(random.below(6)).id);
    const std::string id(event->customer.connections.front().id);
    calls += sandbox.delete_connection(id).has_value();
  }
  CHECK(calls > 1'000);
}

TEST_CASE("nothing is found in a history without faults, and to a tracker all of it is ordinary") {
  Sandbox diagnosed(20'26);
  for (const Delivery& delivery : diagnosed.deliveries(deliveries)) REQUIRE(diagnose(delivery.payload).empty());
  // The fewer members, the closer their events.
  for (const std::uint32_t members : {1U, 3U, 100U}) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      Sandbox sandbox(seed, {.members = members});
      Consumer consumer;
      for (const Delivery& delivery : sandbox.deliveries(deliveries)) {
        const Outcome outcome = consumer.take(delivery.payload);
        CAPTURE(members, seed, delivery.number, delivery.payload, to_string(outcome.reason));
        REQUIRE(outcome.verdict <= Verdict::assumed);
        REQUIRE((outcome.accepted && !outcome.repeat && !outcome.seen_before));
        REQUIRE(std::ranges::none_of(outcome.changes, &Change::first_event_missing));
      }
    }
  }
}

TEST_CASE("a stream with immediate repeats leaves the tracker in the state of the clean stream") {
  Sandbox clean(20'26);
  Sandbox repeating(20'26, {.lateness = 0, .faults = {.duplicate = .05}});
  Consumer first;
  Consumer second;
  constexpr std::uint64_t events = 8'000;
  for (const Delivery& delivery : clean.deliveries(events)) static_cast<void>(first.take(delivery.payload));
  int repeats = 0;
  while (repeating.event_count() < events) {
    const Delivery delivery = repeating.next();
    REQUIRE(second.take(delivery.payload).repeat == delivery.fault.has_value());
    repeats += delivery.fault.has_value();
  }
  CHECK(repeats > 200);
  CHECK(first.tracker() == second.tracker());
  CHECK(first.tracker().snapshot() == second.tracker().snapshot());
}

}  // namespace sandbox_reported_labels_test
