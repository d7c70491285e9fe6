// SPDX-License-Identifier: MIT
// Faults: their shares, their labels, and a slow consumer that remembers everything, to hold the labels against.
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

using namespace bankhook;

namespace {

constexpr Faults all_faults{.05, .05, .05, .05, .05, .05};

/// Reads what is delivered, and knows of a delivery whether its label is right.
class SlowConsumer {
 public:
  /// Whether what the label of this delivery promises can be noticed by what was delivered before.
  bool notices(const Delivery& delivery) {
    arena_.reset();
    const auto event = parse(delivery.payload, arena_);
    const Detectable promised = delivery.fault ? delivery.fault->detectable : Detectable{};
    if (!event) return promised.detected_by != DetectedBy::repeat && promised.detected_by != DetectedBy::lifecycle;
    bool right = true;
    if (const auto* bank = std::get_if<BankConnectionsUpdateV2>(&*event)) right = take(*bank, delivery.payload, promised);
    if (const auto* purchase = std::get_if<InitialTransactionUpdate>(&*event))
      right = take(*purchase, delivery.payload, promised);
    return right;
  }

 private:
  bool take(const BankConnectionsUpdateV2& event, std::string_view payload, const Detectable& promised) {
    const std::string id(event.connection.id);
    const std::string member(event.customer.id);
    const bool right =
        (promised.detected_by != DetectedBy::repeat || last_of_member_[member] == payload) &&
        (promised.detected_by != DetectedBy::lifecycle ||
         (event.event_type == ConnectionEventType::create && types_[id] == "update")) &&
        (promised.rule != RuleId::create_comes_first || promised.detected_by != DetectedBy::rule || !known_.contains(id));
    last_of_member_[member] = payload;
    for (const Connection& each : event.customer.connections) known_.emplace(each.id);
    known_.insert(id);
    if (promised.detected_by != DetectedBy::lifecycle) types_[id] = event.event_type.text();
    return right;
  }

  bool take(const InitialTransactionUpdate& event, std::string_view payload, const Detectable& promised) {
    const std::string id(event.initial_transaction.id);
    const bool right =
        (promised.detected_by != DetectedBy::repeat || last_of_transaction_[id] == payload) &&
        (promised.detected_by != DetectedBy::lifecycle ||
         (event.event_type == TransactionStatus::created && known_.contains(id))) &&
        (promised.rule != RuleId::created_comes_first || promised.detected_by != DetectedBy::rule || !known_.contains(id));
    known_.insert(id);
    if (promised.detected_by != DetectedBy::lifecycle) last_of_transaction_[id] = payload;
    return right;
  }

  Arena arena_;
  std::set<std::string, std::less<>> known_;
  std::map<std::string, std::string, std::less<>> types_;
  std::map<std::string, std::string, std::less<>> last_of_member_;
  std::map<std::string, std::string, std::less<>> last_of_transaction_;
};

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
  constexpr int count = 100'000;
  std::array<int, 6> met{};
  std::set<std::uint64_t> seen;
  Sandbox box(6, {.faults = {.02, .04, .06, .08, .1, .12}});
  while (box.events() < count) {
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
  const double not_a_number = std::numeric_limits<double>::quiet_NaN();
  CHECK(sandbox::FaultDistribution({.duplicate = -1, .drop = not_a_number}).none());
  const sandbox::FaultDistribution proportional({.truncate = 1, .mutate = 1});
  sandbox::Random random(1);
  std::map<FaultKind, int> met;
  for (int i = 0; i < 10'000; ++i) ++met[*proportional.draw(random)];
  CHECK(met.size() == 2);
  CHECK(std::abs(met[FaultKind::truncate] - 5'000) < 300);
}

TEST_CASE("a consumer that remembers everything notices what the labels promise", "[slow]") {
  for (const std::uint32_t lateness : {0U, 1U, 8U, 200U}) {
    std::map<std::string, int, std::less<>> promised;
    // Few members: their events come close together.
    Sandbox box(8, {.members = 12, .transactions = 30, .lateness = lateness, .faults = all_faults});
    SlowConsumer consumer;
    for (const Delivery& delivery : box.deliveries(60'000)) {
      CAPTURE(lateness, delivery.number, delivery.payload);
      if (!consumer.notices(delivery)) FAIL("what was promised cannot be noticed");
      if (delivery.fault) ++promised[std::string(to_string(delivery.fault->detectable))];
    }
    CAPTURE(lateness);
    for (const char* sign : {"repeat", "create_comes_first", "created_comes_first"}) CHECK(promised[sign] > 20);
    if (lateness > 1) CHECK(promised["lifecycle"] > 20);
  }
}

TEST_CASE("what is promised holds where operations are called between the deliveries") {
  Sandbox box(8, {.members = 6, .transactions = 30, .lateness = 20, .faults = all_faults});
  SlowConsumer consumer;
  sandbox::Random random(1);
  int calls = 0;
  for (const Delivery& delivery : box.deliveries(20'000)) {
    CAPTURE(delivery.number, delivery.payload);
    if (!consumer.notices(delivery)) FAIL("what was promised cannot be noticed");
    const std::string member(box.member(random.below(6)).id);
    if (random.one_in(4)) {
      const auto event = box.create_connection(member);
      for (const Connection& each : event->customer.connections) {
        const std::string id(each.id);
        calls += box.delete_connection(id).has_value();
        break;
      }
    }
  }
  CHECK(calls > 1'000);
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

TEST_CASE("what is late is late by no more events than the lateness") {
  Sandbox box(2, {.lateness = 5, .faults = {.duplicate = .2, .reorder = .2}});
  for (const Delivery& delivery : box.deliveries(10'000)) {
    const std::uint64_t made = box.events() - 1;
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
    const RuleId rule = delivery.fault->detectable.rule;
    REQUIRE((rule == RuleId::create_comes_first || rule == RuleId::created_comes_first));
    REQUIRE(delivery.payload == delivery.original);
  }
  CHECK(shown > 500);
}

TEST_CASE("what is known of deliveries stays bounded over any length") {
  constexpr std::uint64_t lateness = 8;
  sandbox::Service service(1, {.members = 10, .connections = 3, .transactions = 20});
  sandbox::Knowledge knowledge(10, lateness);
  for (std::uint64_t number = 0; number < 50'000; ++number) {
    const sandbox::Subject subject = service.next().subject;
    knowledge.made(subject, number);
    static_cast<void>(knowledge.delivered(subject, number, sandbox::Effect::none));
    REQUIRE(knowledge.followed() <= 10 * 3 + 20 + 2 * lateness + 4);
  }
}
