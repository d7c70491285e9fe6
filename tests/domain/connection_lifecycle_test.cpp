// SPDX-License-Identifier: MIT
// Spec 6.2 and 2.1: what may follow what for a bank connection, and what the specification leaves open.
#include <bankhook_catch.hpp>

#include <bankhook/domain/connection_lifecycle.hpp>
#include <bankhook/machine/draw.hpp>

#include <algorithm>
#include <array>
#include <optional>

namespace domain_connection_lifecycle_test {

using bankhook::connection_lifecycle;
using bankhook::ConnectionEventType;
using bankhook::Evidence;
using bankhook::StateBefore;
using bankhook::Verdict;
using State = bankhook::ConnectionState;
using Trigger = bankhook::ConnectionTrigger;

namespace {

constexpr auto step(std::optional<State> from, Trigger trigger) { return connection_lifecycle.step(from, trigger); }
constexpr std::array<std::optional<State>, 6> places{std::nullopt,   State::listed,  State::created,
                                                     State::updated, State::deleted, State::unlisted};

}  // namespace

TEST_CASE("6.2: the triggers of a connection are the event types of its event, and what a list says of it") {
  STATIC_REQUIRE(std::ranges::equal(
      connection_lifecycle.triggers(),
      std::array{Trigger::create, Trigger::update, Trigger::delete_, Trigger::listed, Trigger::not_listed}));
  STATIC_REQUIRE(bankhook::trigger_of(ConnectionEventType::create) == Trigger::create);
  STATIC_REQUIRE(bankhook::trigger_of(ConnectionEventType::update) == Trigger::update);
  STATIC_REQUIRE(bankhook::trigger_of(ConnectionEventType::delete_) == Trigger::delete_);
}

TEST_CASE("every state of a connection answers to every trigger") { STATIC_REQUIRE(connection_lifecycle.is_complete()); }

TEST_CASE("6.2, rule 1: on creation a create is sent, also if a list named the connection before") {
  STATIC_REQUIRE(step(std::nullopt, Trigger::create).verdict == Verdict::specified);
  STATIC_REQUIRE(step(std::nullopt, Trigger::create).to == State::created);
  STATIC_REQUIRE(step(State::listed, Trigger::create).verdict == Verdict::specified);
  STATIC_REQUIRE(step(State::listed, Trigger::create).to == State::created);
}

TEST_CASE("6.2, rule 2: when accounts are then created or updated, an update is sent") {
  for (const State from : {State::created, State::updated}) {
    CHECK(step(from, Trigger::update).verdict == Verdict::specified);
    CHECK(step(from, Trigger::update).to == State::updated);
  }
}

TEST_CASE("6.2, rule 3: that no create follows an event of the connection's own is assumed") {
  for (const State from : {State::created, State::updated, State::deleted, State::unlisted}) {
    CHECK(step(from, Trigger::create).verdict == Verdict::unspecified);
    CHECK_FALSE(step(from, Trigger::create).to.has_value());
    CHECK(step(from, Trigger::create).transition->evidence == Evidence::assumed);
  }
  CHECK(connection_lifecycle.why_not(State::updated, Trigger::create) == "create never happens in updated (assumed, 6.2)");
}

TEST_CASE("6.2: that a delete tells of a deletion is assumed") {
  for (const State from : {State::created, State::updated, State::unlisted}) {
    CHECK(step(from, Trigger::delete_).verdict == Verdict::assumed);
    CHECK(step(from, Trigger::delete_).to == State::deleted);
  }
}

TEST_CASE("6.2: a first event that is not a create is unspecified") {
  for (const std::optional<State> from : {std::optional<State>(), std::optional(State::listed)}) {
    for (const Trigger trigger : {Trigger::update, Trigger::delete_}) {
      CHECK(step(from, trigger).verdict == Verdict::unspecified);
      CHECK(step(from, trigger).to == (trigger == Trigger::update ? State::updated : State::deleted));
    }
  }
}

TEST_CASE("6.2: whatever comes after a delete is unspecified, but that it is not listed is no news") {
  for (const Trigger trigger : {Trigger::create, Trigger::update, Trigger::delete_, Trigger::listed})
    CHECK(step(State::deleted, trigger).verdict == Verdict::unspecified);
  STATIC_REQUIRE(step(State::deleted, Trigger::not_listed).verdict == Verdict::assumed);
  STATIC_REQUIRE(step(State::deleted, Trigger::not_listed).to == State::deleted);
  STATIC_REQUIRE_FALSE(step(State::deleted, Trigger::listed).to.has_value());  // it stays away
}

TEST_CASE("2.1: that all connections are listed is stated; why one is missing or comes back is not") {
  for (const auto from : places) {
    const auto listed = step(from, Trigger::listed);
    if (from != State::deleted && from != State::unlisted) CHECK(listed.verdict == Verdict::specified);
    else CHECK(listed.verdict > Verdict::specified);
    if (!from) continue;
    const auto not_listed = step(from, Trigger::not_listed);
    const bool was_gone = from == State::deleted || from == State::unlisted;
    CHECK(not_listed.verdict == (was_gone ? Verdict::assumed : Verdict::unspecified));
    CHECK(not_listed.to == (from == State::deleted ? State::deleted : State::unlisted));
  }
}

TEST_CASE("the picture of a connection calls its event types as the wire does") {
  CHECK(to_mermaid(connection_lifecycle) == R"(stateDiagram-v2
    direction LR
    [*] --> created : create
    listed --> created : create
    created --> updated : update
    updated --> updated : update
    created --> deleted : delete (assumed)
    updated --> deleted : delete (assumed)
    unlisted --> deleted : delete (assumed)
    [*] --> listed : listed
    listed --> listed : listed
    created --> created : listed
    updated --> updated : listed
    listed --> unlisted : not_listed (assumed)
    created --> unlisted : not_listed (assumed)
    updated --> unlisted : not_listed (assumed)
    unlisted --> unlisted : not_listed (assumed)
    deleted --> deleted : not_listed (assumed)
    [*] --> unlisted : not_listed (assumed)
    deleted --> [*] : assumed
)");
}

}  // namespace domain_connection_lifecycle_test
