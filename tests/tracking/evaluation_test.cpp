// SPDX-License-Identifier: MIT
// Evaluation and Reason: what the lifecycles say of an event's coming, and what every verdict rests on; at compile time.
#include <bankhook_catch.hpp>

#include <bankhook/domain/connection_lifecycle.hpp>
#include <bankhook/domain/transaction_lifecycle.hpp>
#include <bankhook/events/rules/check.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/tracking/evaluation.hpp>
#include <bankhook/tracking/reason.hpp>

#include <optional>
#include <set>
#include <string_view>
#include <variant>

namespace tracking_evaluation_test {

using namespace bankhook;
using tracking::Evaluation;
using enum TransactionStatus;
using enum TransactionTrigger;

namespace {

constexpr Evaluation first(std::optional<TransactionTrigger> trigger) {
  return tracking::evaluate_first(transaction_lifecycle, trigger, RuleId::created_comes_first);
}
constexpr Evaluation next(std::optional<TransactionStatus> state, TransactionTrigger trigger) {
  return tracking::evaluate_next(transaction_lifecycle, state, trigger);
}
constexpr Evaluation next(std::optional<ConnectionState> state, ConnectionEventType type) {
  return tracking::evaluate_next(connection_lifecycle, state, type);
}
constexpr bool is_rule(const Reason& reason, RuleId id) {
  const auto* const rule = std::get_if<const Rule*>(&reason);
  return rule != nullptr && (*rule)->rule == id;
}

}  // namespace

TEST_CASE("3.1: a first submission is stated; another first event breaks an assumed rule; an unlisted one is open") {
  STATIC_REQUIRE(first(submitted).verdict == Verdict::specified);
  STATIC_REQUIRE(first(store_set_up).verdict == Verdict::unspecified);
  STATIC_REQUIRE(is_rule(first(store_set_up).reason, RuleId::created_comes_first));
  STATIC_REQUIRE(is_rule(first(std::nullopt).reason, RuleId::values_are_listed));
}

TEST_CASE("6.2: a first event that is not a create breaks an assumed rule: it is unspecified, and not rejected") {
  constexpr auto evaluation =
      tracking::evaluate_first(connection_lifecycle, ConnectionEventType::update, RuleId::create_comes_first);
  STATIC_REQUIRE(evaluation.verdict == Verdict::unspecified);
  STATIC_REQUIRE(is_rule(evaluation.reason, RuleId::create_comes_first));
}

TEST_CASE("3.1: a second submission is not described, whatever the state is") {
  for (const TransactionStatus state : {created, validated, rejected}) {
    const Evaluation evaluation = next(state, submitted);
    CHECK(evaluation.verdict == Verdict::unspecified);
    CHECK(to_string(evaluation.reason) == "the specification does not describe a second submission");
  }
  STATIC_REQUIRE(next(std::nullopt, submitted).verdict == Verdict::unspecified);
  STATIC_REQUIRE(next(std::nullopt, store_set_up).verdict == Verdict::unspecified);
}

TEST_CASE("the worse of two evaluations counts, and what is not taken is never better than unspecified") {
  constexpr Evaluation step = next(created, store_set_up);
  STATIC_REQUIRE(tracking::worse(step, first(submitted)).verdict == Verdict::assumed);
  STATIC_REQUIRE(tracking::worse(first(submitted), step).verdict == Verdict::assumed);
  STATIC_REQUIRE(tracking::not_taken(step).verdict == Verdict::unspecified);
  STATIC_REQUIRE(tracking::not_taken(step).reason.section().empty());
  STATIC_REQUIRE(tracking::not_taken(next(created, submitted)).reason.section() == "3.1");
}

TEST_CASE("3.1: the ordinary step from created is assumed, because which state precedes the others is not shown") {
  STATIC_REQUIRE(next(created, store_set_up).verdict == Verdict::assumed);
  STATIC_REQUIRE(next(created, store_not_set_up).verdict == Verdict::assumed);
}

TEST_CASE("6.2: a create of a connection that is known is open, whatever came before") {
  STATIC_REQUIRE(next(ConnectionState::updated, ConnectionEventType::create).verdict == Verdict::unspecified);
  STATIC_REQUIRE(next(ConnectionState::created, ConnectionEventType::create).verdict == Verdict::unspecified);
  STATIC_REQUIRE(next(ConnectionState::deleted, ConnectionEventType::create).verdict == Verdict::unspecified);
  STATIC_REQUIRE(next(std::optional<ConnectionState>(), ConnectionEventType::create).verdict == Verdict::unspecified);
}

TEST_CASE("after a final status everything is open, and rests on the declaration") {
  constexpr Evaluation evaluation = next(validated, store_not_set_up);
  STATIC_REQUIRE(evaluation.verdict == Verdict::unspecified);
  STATIC_REQUIRE(std::holds_alternative<const FinalTransactionState*>(evaluation.reason));
  STATIC_REQUIRE(evaluation.reason.evidence() == Evidence::assumed);
}

TEST_CASE("a broken rule makes a verdict stronger, never weaker") {
  InitialTransactionUpdate event;
  event.event_type = rejected;
  event.initial_transaction.status = created;
  const Findings findings = check(event);
  REQUIRE(findings.contains(Evidence::stated));
  const Evaluation evaluation = tracking::with_findings(first(submitted), findings);
  CHECK(evaluation.verdict == Verdict::contradicts);
  CHECK(is_rule(evaluation.reason, RuleId::status_equals_event_type));
  const Evaluation by_order = tracking::with_findings(next(validated, submitted), findings);
  CHECK(by_order.verdict == Verdict::contradicts);
  CHECK(is_rule(by_order.reason, RuleId::status_equals_event_type));
}

TEST_CASE("a reason gives its evidence, its section and its sentence; an empty one gives nothing") {
  STATIC_REQUIRE_FALSE(Reason().evidence().has_value());
  STATIC_REQUIRE(Reason().section().empty());
  STATIC_REQUIRE(to_string(Reason()).empty());
  constexpr Reason rule = &rule_of(RuleId::create_comes_first);
  STATIC_REQUIRE(rule.evidence() == Evidence::assumed);
  STATIC_REQUIRE(rule.section() == "6.2");
  STATIC_REQUIRE(to_string(rule) == rule_of(RuleId::create_comes_first).sentence);
}

TEST_CASE("every row of the lifecycles that a verdict can rest on has a section and a sentence") {
  std::set<std::string_view> sentences;
  const auto look_at = [&](const auto& rows) {
    for (const auto& row : rows) {
      CHECK_FALSE(Reason(&row).section().empty());
      CHECK(Reason(&row).evidence() == row.evidence);
      REQUIRE_FALSE(to_string(Reason(&row)).empty());
      sentences.insert(to_string(Reason(&row)));
    }
  };
  look_at(transaction_lifecycle.transitions());
  look_at(transaction_lifecycle.final_states());
  look_at(connection_lifecycle.transitions());
  look_at(connection_lifecycle.final_states());
  CHECK(sentences.size() == 9);
}

}  // namespace tracking_evaluation_test
