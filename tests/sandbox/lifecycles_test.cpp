// SPDX-License-Identifier: MIT
// The sandbox moves by the tables of its options: a changed row allows an operation or refuses it, and changes histories.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/domain/connection_lifecycle.hpp>
#include <bankhook/domain/transaction_lifecycle.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/machine/machine.hpp>
#include <bankhook/machine/transition.hpp>
#include <bankhook/sandbox/sandbox.hpp>
#include <bankhook/tracking/tracker.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace sandbox_lifecycles_test {

using namespace bankhook;

namespace {

using State = ConnectionState;
using Trigger = ConnectionTrigger;
using enum TransactionStatus;
using enum TransactionTrigger;

/// The row of a table that leaves `from` by `trigger`.
constexpr auto& row_of(auto& table, auto from, auto trigger) {
  for (auto& row : table.transitions) {
    if (row.from == from && row.trigger == trigger) return row;
  }
  return table.transitions.front();
}

/// No state follows. An assigned `std::nullopt` is no constant expression for Clang 19 with libstdc++ 12.
constexpr std::optional<State> never;

/// No connection is deleted after an update.
constexpr auto kept_after_updates = [] {
  auto table = connection_transitions;
  row_of(table, State::updated, Trigger::delete_).to = never;
  return table;
}();

/// What was validated can be rejected afterwards.
constexpr auto rejected_afterwards = [] {
  Transitions<TransactionStatus, TransactionTrigger, transaction_transitions.transitions.size(), 1> table{
      transaction_transitions.transitions, {{{rejected, Evidence::assumed, "3.1"}}}};
  row_of(table, validated, store_not_set_up).before = table_words::before_is_assumed;
  return table;
}();

/// The first event of a connection is an update.
constexpr auto begun_by_updates = [] {
  auto table = connection_transitions;
  row_of(table, std::optional<State>(), Trigger::create).to = never;
  row_of(table, std::optional<State>(), Trigger::update).before = table_words::before_is_assumed;
  return table;
}();

std::string connection_of(Sandbox& box) { return std::string(box.create_connection(box.member(0).id)->connection.id); }

std::string transaction_of(Sandbox& box) {
  return std::string(box.send_initial_transaction(box.member(0).id)->initial_transaction.id);
}

/// How many events of a history rest on a row from `from` by `trigger`, by a tracker that has the same tables.
int steps(const SandboxOptions& options, auto from, auto trigger) {
  using Row = Transition<decltype(from), decltype(trigger)>;
  Sandbox box(7, options);
  Tracker tracker({.connections = options.connection_lifecycle, .transactions = options.transaction_lifecycle});
  Arena arena;
  int found = 0;
  for (const Delivery& delivery : box.deliveries(3'000)) {
    arena.reset();
    const Outcome outcome = tracker.apply(*parse(delivery.payload, arena));
    CAPTURE(delivery.number, delivery.payload, to_string(outcome.reason));
    REQUIRE(outcome.accepted);
    REQUIRE(outcome.verdict <= Verdict::assumed);
    const auto* const row = std::get_if<const Row*>(&static_cast<const Reason::Row&>(outcome.reason));
    found += row != nullptr && (*row)->from == from && (*row)->trigger == trigger;
  }
  return found;
}

}  // namespace

TEST_CASE("an operation whose row says never is refused, and no history has it") {
  const SandboxOptions options{.connection_lifecycle = machine<kept_after_updates>};
  Sandbox box(1, options);
  const std::string created = connection_of(box);
  const std::string updated = connection_of(box);
  REQUIRE(box.desynchronise(updated));
  CHECK(box.delete_connection(created));
  CHECK(box.delete_connection(updated).error() == SandboxError::lifecycle_excludes_it);
  CHECK(box.disable(updated).error() == SandboxError::lifecycle_excludes_it);
  CHECK(box.resynchronise(updated));
  CHECK(steps({}, State::updated, Trigger::delete_) > 50);
  CHECK(steps(options, State::updated, Trigger::delete_) == 0);
  CHECK(steps(options, State::created, Trigger::delete_) > 0);
}

TEST_CASE("an operation whose row is expected is done, and histories have it") {
  const SandboxOptions options{.transaction_lifecycle = machine<rejected_afterwards>};
  Sandbox usual(1);
  Sandbox box(1, options);
  for (Sandbox* const one : {&usual, &box}) {
    const std::string id = transaction_of(*one);
    REQUIRE(one->validate(id));
    const auto rejection = one->reject(id, RejectionReason::purchase_not_found);
    CHECK(rejection.has_value() == (one == &box));
    CHECK(one->validate(id).error() == SandboxError::transaction_is_processed);
  }
  CHECK(steps({}, validated, store_not_set_up) == 0);
  CHECK(steps(options, validated, store_not_set_up) > 100);
}

TEST_CASE("what a choice sends in place of the usual event type is sent although no row expects it") {
  Sandbox box(1, {.choices = {.resynchronise_event_type = ConnectionEventType::create}});
  const std::string id = connection_of(box);
  REQUIRE(box.desynchronise(id));
  CHECK(connection_lifecycle.step(State::updated, Trigger::create).to == std::nullopt);
  CHECK(box.resynchronise(id)->event_type == ConnectionEventType::create);
}

TEST_CASE("a table that begins with no create counts as the built-in one") {
  const Sandbox box(1, {.connection_lifecycle = machine<begun_by_updates>});
  CHECK(box.options().connection_lifecycle.transitions().data() == connection_lifecycle.transitions().data());
}

TEST_CASE("3.1: where any state may precede, histories reject what was validated and validate what was rejected") {
  Sandbox box(7, {.choices = {.preceding_state = SandboxChoices::PrecedingState::any}});
  Tracker tracker;
  Arena arena;
  std::array<int, 2> again{};
  for (const Delivery& delivery : box.deliveries(3'000)) {
    arena.reset();
    const Outcome outcome = tracker.apply(*parse(delivery.payload, arena));
    const auto* const row = std::get_if<const TransactionTransition*>(&static_cast<const Reason::Row&>(outcome.reason));
    REQUIRE(outcome.accepted);
    if (row == nullptr || (*row)->is_expected()) continue;
    REQUIRE(outcome.verdict == Verdict::unspecified);
    ++again.at((*row)->from == validated ? 0 : 1);
  }
  CHECK(again[0] > 50);
  CHECK(again[1] > 20);
}

TEST_CASE("a disabled connection that comes back is nothing that a tracker expects, unless its table does") {
  Sandbox box(7, {.choices = {.disabled_connection_returns = SandboxChoices::Returns::sometimes}});
  Tracker tracker;
  Arena arena;
  int returns = 0;
  for (const Delivery& delivery : box.deliveries(3'000)) {
    arena.reset();
    const Outcome outcome = tracker.apply(*parse(delivery.payload, arena));
    REQUIRE(outcome.accepted);
    if (outcome.verdict <= Verdict::assumed) continue;
    const auto* const row = std::get_if<const ConnectionTransition*>(&static_cast<const Reason::Row&>(outcome.reason));
    CAPTURE(delivery.number, delivery.payload, to_string(outcome.reason));
    if (outcome.repeat) continue;  // it is deleted after all, by an event like that which disabled it
    REQUIRE(row != nullptr);
    REQUIRE((*row)->from == State::deleted);
    returns += (*row)->trigger == Trigger::update;
  }
  CHECK(returns > 10);
}

}  // namespace sandbox_lifecycles_test
