// SPDX-License-Identifier: MIT
// The labels of lost, late and repeated deliveries, held against an oracle that looks inside no event.
#include <bankhook_catch.hpp>

#include <sandbox/consumer_model.hpp>
#include <sandbox/subject.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/serialize.hpp>
#include <bankhook/sandbox/faulty_channel.hpp>
#include <bankhook/sandbox/sandbox.hpp>
#include <bankhook/sandbox/service.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sandbox_labels_test {

using namespace bankhook;
using bankhook::test::ConsumerModel;
using bankhook::test::Effect;
using bankhook::test::Subject;
using bankhook::test::subject_of;

namespace {

constexpr Faults all_faults{.05, .05, .05, .05, .05, .05};

/// A sandbox with faults, and beside it the model, which follows what it makes and delivers.
class Comparison {
 public:
  Comparison(std::uint64_t seed, const SandboxOptions& options) : box_(seed, options), service_(seed, options) {}

  /// What the model predicts of the next delivery; the label is compared with it.
  void next() {
    const Delivery delivery = box_.next();
    while (subjects_.size() < box_.event_count()) make(delivery.number);
    CAPTURE(delivery.number, delivery.payload, delivery.fault ? to_string(delivery.fault->detectable) : "no label");
    const Subject& subject = subjects_[delivery.number];
    const bool is_late = delivery.fault && delivery.fault->number == delivery.number &&
                         (delivery.fault->kind == FaultKind::duplicate || delivery.fault->kind == FaultKind::reorder);
    if (is_late) {
      const bool again = delivery.fault->kind == FaultKind::duplicate;
      const DetectedBy predicted =
          again ? model_.repeated(subject, delivery.number) : model_.late(subject, delivery.number);
      if (predicted != DetectedBy::nothing) REQUIRE(delivery.fault->detectable.detected_by == predicted);
      ++predicted_[std::string(name_of(predicted))];
      return;
    }
    const Effect effect = effect_of(delivery);
    const auto missing = model_.delivered(subject, delivery.number, effect);
    if (effect == Effect::ignored) model_.missed(subject, delivery.number);
    if (!missing || delivery.payload != delivery.original) return;  // what is damaged has its own label
    REQUIRE(delivery.fault);
    REQUIRE(delivery.fault->number == *missing);
    REQUIRE(delivery.fault->detectable == Detectable{DetectedBy::lifecycle});
    ++predicted_[subject.is_connection ? "no create" : "no created"];
  }

  [[nodiscard]] int predicted(std::string_view what) const {
    const auto found = predicted_.find(what);
    return found == predicted_.end() ? 0 : found->second;
  }

 private:
  /// The service's next event; those before the one that is delivered were lost or are late.
  void make(std::uint64_t delivered) {
    const std::uint64_t number = subjects_.size();
    const detail::sandbox::OutgoingEvent outgoing = service_.next();
    subjects_.push_back(subject_of(service_, outgoing));
    model_.made(subjects_.back(), number);
    if (number != delivered) model_.missed(subjects_.back(), number);
  }

  [[nodiscard]] Effect effect_of(const Delivery& delivery) {
    if (delivery.payload == delivery.original) return Effect::none;
    arena_.reset();
    const auto event = parse(delivery.payload, arena_);
    if (!event || std::holds_alternative<UnknownEvent>(*event)) return Effect::ignored;
    return serialize(*event) == delivery.original ? Effect::none : Effect::altered;
  }

  Sandbox box_;
  detail::sandbox::Service service_;
  ConsumerModel model_;
  std::vector<Subject> subjects_;
  std::map<std::string, int, std::less<>> predicted_;
  Arena arena_;
};

}  // namespace

TEST_CASE("what any consumer would notice of the order of deliveries is the label, for all sizes and delays") {
  std::uint64_t seed = 0;
  for (const std::uint32_t lateness : {0U, 1U, 8U, 200U}) {
    // Few members: their events come close together.
    for (const std::uint32_t members : {1U, 12U, 100U}) {
      CAPTURE(++seed, lateness, members);
      Comparison comparison(seed, {.members = members, .transactions = 30, .lateness = lateness, .faults = all_faults});
      for (int i = 0; i < 3'000; ++i) comparison.next();
      CHECK(comparison.predicted("repeat") > 5);
      CHECK(comparison.predicted("no created") > 5);
      if (members > 1) CHECK(comparison.predicted("no create") > 0);
      if (lateness > 1) CHECK(comparison.predicted("lifecycle") > 0);
    }
  }
}

TEST_CASE("what the sandbox keeps of its deliveries stays bounded over any length") {
  constexpr SandboxOptions options{.members = 10, .connections = 3, .transactions = 20, .faults = all_faults};
  detail::sandbox::Service service(1, options);
  detail::sandbox::FaultyChannel channel(1, options);
  for (int i = 0; i < 30'000; ++i) {
    static_cast<void>(channel.next(service));
    REQUIRE(channel.tracker().connection_count() + channel.tracker().transaction_count() <= 2'000);
  }
  CHECK(channel.tracker().transaction_count() < channel.made() / 10);
}

}  // namespace sandbox_labels_test
