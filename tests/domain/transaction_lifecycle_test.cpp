// SPDX-License-Identifier: MIT
// Spec 3.1 row by row: what leads to each status of an initial transaction, and what the specification leaves open.
#include <bankhook_catch.hpp>

#include <bankhook/domain/transaction_lifecycle.hpp>
#include <bankhook/machine/draw.hpp>

#include <algorithm>
#include <optional>
#include <string_view>

namespace domain_transaction_lifecycle_test {

using bankhook::Evidence;
using bankhook::StateBefore;
using bankhook::transaction_lifecycle;
using bankhook::TransactionStatus;
using bankhook::Verdict;
using enum bankhook::TransactionStatus;
using enum bankhook::TransactionTrigger;

TEST_CASE("3.1: the states are created, validated and rejected") {
  STATIC_REQUIRE(transaction_lifecycle.states().size() == 3);
  STATIC_REQUIRE(bankhook::name_of(transaction_lifecycle.states()[0]) == "created");
  STATIC_REQUIRE(bankhook::name_of(transaction_lifecycle.states()[1]) == "validated");
  STATIC_REQUIRE(bankhook::name_of(transaction_lifecycle.states()[2]) == "rejected");
}

TEST_CASE("3.1: the first submission leads to created, and that is specified") {
  constexpr auto step = transaction_lifecycle.step(std::nullopt, submitted);
  STATIC_REQUIRE(step.verdict == Verdict::specified);
  STATIC_REQUIRE(step.to == created);
  STATIC_REQUIRE(step.transition->evidence == Evidence::stated);
  STATIC_REQUIRE(step.transition->section == "3.1");
}

TEST_CASE("3.1: a second submission is not described, so it is unspecified in every state") {
  for (const TransactionStatus status : transaction_lifecycle.states()) {
    const auto step = transaction_lifecycle.step(status, submitted);
    CHECK(step.verdict == Verdict::unspecified);
    CHECK(step.to == std::nullopt);
    REQUIRE(step.transition != nullptr);
    CHECK(step.transition->evidence == Evidence::assumed);
    CHECK(step.transition->section == "3.1");
  }
}

TEST_CASE("3.1: the store set up leads to validated, that is stated; that created precedes it is assumed") {
  constexpr auto step = transaction_lifecycle.step(created, store_set_up);
  STATIC_REQUIRE(step.to == validated);
  STATIC_REQUIRE(step.verdict == Verdict::assumed);
  STATIC_REQUIRE(step.transition->evidence == Evidence::stated);
  STATIC_REQUIRE(step.transition->before == StateBefore::assumed);
}

TEST_CASE("3.1: the store not set up leads to rejected, that is stated; that created precedes it is assumed") {
  constexpr auto step = transaction_lifecycle.step(created, store_not_set_up);
  STATIC_REQUIRE(step.to == rejected);
  STATIC_REQUIRE(step.verdict == Verdict::assumed);
  STATIC_REQUIRE(step.transition->evidence == Evidence::stated);
  STATIC_REQUIRE(step.transition->before == StateBefore::assumed);
}

TEST_CASE("3.1: a transaction whose first event is validated or rejected is followed, unspecified") {
  STATIC_REQUIRE(transaction_lifecycle.step(std::nullopt, store_set_up).verdict == Verdict::unspecified);
  STATIC_REQUIRE(transaction_lifecycle.step(std::nullopt, store_set_up).to == validated);
  STATIC_REQUIRE(transaction_lifecycle.step(std::nullopt, store_not_set_up).verdict == Verdict::unspecified);
  STATIC_REQUIRE(transaction_lifecycle.step(std::nullopt, store_not_set_up).to == rejected);
}

TEST_CASE("3.1: that validated and rejected are the last ones is assumed, so leaving them is unspecified") {
  for (const auto& final_state : transaction_lifecycle.final_states()) CHECK(final_state.evidence == Evidence::assumed);
  STATIC_REQUIRE(transaction_lifecycle.final_states().size() == 2);
  for (const TransactionStatus from : {validated, rejected}) {
    for (const auto trigger : {store_set_up, store_not_set_up}) {
      CHECK(transaction_lifecycle.step(from, trigger).verdict == Verdict::unspecified);
      CHECK(transaction_lifecycle.step(from, trigger).to == (trigger == store_set_up ? validated : rejected));
    }
  }
}

TEST_CASE("every state of a transaction answers to every trigger") { STATIC_REQUIRE(transaction_lifecycle.is_complete()); }

TEST_CASE("3.1: the status an event speaks of stands for the trigger that leads to it") {
  STATIC_REQUIRE(bankhook::trigger_of(created) == submitted);
  STATIC_REQUIRE(bankhook::trigger_of(validated) == store_set_up);
  STATIC_REQUIRE(bankhook::trigger_of(rejected) == store_not_set_up);
}

TEST_CASE("a transaction says why it is not submitted twice") {
  CHECK(transaction_lifecycle.why_not(validated, submitted) == "submitted never happens in validated (assumed, 3.1)");
}

TEST_CASE("the picture of a transaction has two dashed transitions") {
  CHECK(to_dot(transaction_lifecycle) == R"dot(digraph {
  rankdir=LR;
  node [shape=box, style=rounded];
  "[*]" [shape=point];
  "created" [label="created"];
  "validated" [label="validated", peripheries=2];
  "rejected" [label="rejected", peripheries=2];
  "[*]" -> "created" [label="submitted"];
  "created" -> "validated" [label="store_set_up\n(assumed)", style=dashed];
  "created" -> "rejected" [label="store_not_set_up\n(assumed)", style=dashed];
}
)dot");
  CHECK(to_mermaid(transaction_lifecycle) == R"(stateDiagram-v2
    direction LR
    [*] --> created : submitted
    created --> validated : store_set_up (assumed)
    created --> rejected : store_not_set_up (assumed)
    validated --> [*] : assumed
    rejected --> [*] : assumed
)");
}

}  // namespace domain_transaction_lifecycle_test
