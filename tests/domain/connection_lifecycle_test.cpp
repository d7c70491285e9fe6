// SPDX-License-Identifier: MIT
// Spec 6.2, the ordering rules: what may follow what for a bank connection, and what the specification leaves open.
#include <bankhook_catch.hpp>

#include <bankhook/domain/connection_lifecycle.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <optional>

namespace domain_connection_lifecycle_test {

using bankhook::connection_lifecycle;
using bankhook::ConnectionEventType;
using bankhook::Evidence;
using bankhook::Verdict;
using enum bankhook::ConnectionState;
using enum bankhook::ConnectionEventType;

TEST_CASE("6.2: the triggers of a connection are the event types of its event") {
  STATIC_REQUIRE(std::same_as<decltype(connection_lifecycle)::Trigger, ConnectionEventType>);
  STATIC_REQUIRE(connection_lifecycle.triggers().size() == 3);
}

TEST_CASE("6.2, rule 1: on creation a create is sent") {
  constexpr auto step = connection_lifecycle.step(std::nullopt, create);
  STATIC_REQUIRE(step.verdict == Verdict::specified);
  STATIC_REQUIRE(step.to == created);
  STATIC_REQUIRE(connection_lifecycle.start() == created);
}

TEST_CASE("6.2, rule 2: when accounts are then created, an update is sent") {
  constexpr auto step = connection_lifecycle.step(created, update);
  STATIC_REQUIRE(step.verdict == Verdict::specified);
  STATIC_REQUIRE(step.to == updated);
}

TEST_CASE("6.2, rule 2: when accounts are updated, another update is sent") {
  constexpr auto step = connection_lifecycle.step(updated, update);
  STATIC_REQUIRE(step.verdict == Verdict::specified);
  STATIC_REQUIRE(step.to == updated);
}

TEST_CASE("6.2, rule 3: that no create comes after an update is assumed") {
  constexpr auto step = connection_lifecycle.step(updated, create);
  STATIC_REQUIRE(step.verdict == Verdict::unspecified);
  STATIC_REQUIRE(step.to == std::nullopt);
  STATIC_REQUIRE(connection_lifecycle.why_not(updated, create)->text == "create never happens in updated (assumed, 6.2)");
}

TEST_CASE("6.2: that a delete tells of a deletion is assumed") {
  for (const auto from : {created, updated}) {
    const auto step = connection_lifecycle.step(from, delete_);
    CHECK(step.verdict == Verdict::assumed);
    CHECK(step.to == deleted);
    CHECK(step.transition->evidence == Evidence::assumed);
  }
}

TEST_CASE("6.2: a second create before any update is left open") {
  STATIC_REQUIRE(connection_lifecycle.step(created, create) ==
                 bankhook::MachineStep<bankhook::ConnectionState, ConnectionEventType>());
  STATIC_REQUIRE(connection_lifecycle.why_not(created, create)->text == "no transition for create in created");
}

TEST_CASE("6.2: a first event that is not a create is left open by the machine") {
  STATIC_REQUIRE(connection_lifecycle.step(std::nullopt, update).verdict == Verdict::unspecified);
  STATIC_REQUIRE(connection_lifecycle.step(std::nullopt, delete_).verdict == Verdict::unspecified);
}

TEST_CASE("6.2: whatever comes after a delete is left open") {
  for (const auto trigger : connection_lifecycle.triggers()) {
    const auto step = connection_lifecycle.step(deleted, trigger);
    CHECK(step.verdict == Verdict::unspecified);
    CHECK(step.to == std::nullopt);
    CHECK(step.transition == nullptr);
    CHECK(step.final_state->evidence == Evidence::assumed);
  }
}

TEST_CASE("6.2, rule 3: the way to an updated connection is create, then update") {
  STATIC_REQUIRE(std::ranges::equal(connection_lifecycle.path_to(updated), std::array{create, update}, {},
                                    [](const auto* transition) { return transition->trigger; }));
}

TEST_CASE("the picture of a connection calls its event types as the wire does") {
  STATIC_REQUIRE(to_mermaid(connection_lifecycle) == R"(stateDiagram-v2
    direction LR
    [*] --> created : create
    created --> updated : update
    updated --> updated : update
    created --> deleted : delete (assumed)
    updated --> deleted : delete (assumed)
    deleted --> [*] : assumed
)");
}

}  // namespace domain_connection_lifecycle_test
