// SPDX-License-Identifier: MIT
// The operations on bank connections, by sections 2.1, 2.2, 6.2 and 7, and what is chosen where they are silent.
#include <bankhook_catch.hpp>

#include <bankhook/events/rules/check.hpp>
#include <bankhook/sandbox/sandbox.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace sandbox_connections_test {

using namespace bankhook;

namespace {

std::string member_of(const Sandbox& box) { return std::string(box.member(0).id); }

/// A sandbox whose new connections have no accounts yet.
Sandbox without_accounts(SandboxChoices choices = {}) {
  choices.accounts_at_creation = SandboxChoices::AccountsAtCreation::none;
  return Sandbox(1, {.choices = choices});
}

bool lists(const BankConnectionsUpdateV2& event, std::string_view connection) {
  return std::ranges::any_of(event.customer.connections, [&](const Connection& each) { return each.id == connection; });
}

}  // namespace

TEST_CASE("6.2 rule 1: on creation a create event is sent, often without accounts") {
  Sandbox box(1, {.connections = 100});
  int empty = 0;
  for (int i = 0; i < 100; ++i) {
    const auto event = box.create_connection(member_of(box));
    REQUIRE(event);
    CHECK(event->event_type == ConnectionEventType::create);
    CHECK(check(*event).empty());
    empty += event->connection.accounts.empty();
  }
  CHECK((empty > 60 && empty < 95));
}

TEST_CASE("6.2 rule 2: when accounts are created or updated, an update with accounts is sent") {
  Sandbox box = without_accounts();
  const std::string id(box.create_connection(member_of(box))->connection.id);
  CHECK(box.update_accounts(id).error() == SandboxError::connection_has_no_accounts);
  const auto created = box.create_accounts(id);
  REQUIRE(created);
  CHECK(created->event_type == ConnectionEventType::update);
  CHECK(!created->connection.accounts.empty());
  const auto updated = box.update_accounts(id);
  REQUIRE(updated);
  CHECK(updated->event_type == ConnectionEventType::update);
  CHECK(!updated->connection.accounts.empty());
}

TEST_CASE("2.1: a bank event lists all connections of the member and counts those on and off") {
  Sandbox box(3);
  const std::string member = member_of(box);
  const std::string first(box.create_connection(member)->connection.id);
  const std::string second(box.create_connection(member)->connection.id);
  const auto event = box.desynchronise(first);
  REQUIRE(event);
  CHECK(event->customer.id == member);
  CHECK(event->customer.connections.size() == 2);
  CHECK(lists(*event, first));
  CHECK(lists(*event, second));
  CHECK(event->customer.connections_on == 1);
  CHECK(event->customer.connections_off == 1);
  CHECK(event->connection == event->customer.connections[0]);
}

TEST_CASE("7: by default a desynchronised connection has errorCode and errorMessage, a resynchronised one has neither") {
  Sandbox box(1);
  const std::string id(box.create_connection(member_of(box))->connection.id);
  const auto lost = box.desynchronise(id);
  REQUIRE(lost);
  CHECK(lost->connection.error_code.has_value());
  CHECK(lost->connection.error_message.has_value());
  CHECK(box.desynchronise(id).error() == SandboxError::connection_is_desynchronised);
  const auto found = box.resynchronise(id);
  REQUIRE(found);
  CHECK(!found->connection.error_code);
  CHECK(!found->connection.error_message);
  CHECK(box.resynchronise(id).error() == SandboxError::connection_is_synchronised);
}

TEST_CASE("the event types of triggers that are not shown are chosen") {
  SandboxChoices choices;
  choices.desynchronise_event_type = ConnectionEventType::delete_;
  choices.resynchronise_event_type = ConnectionEventType::create;
  choices.disable_event_type = ConnectionEventType::update;
  Sandbox box = without_accounts(choices);
  const std::string id(box.create_connection(member_of(box))->connection.id);
  CHECK(box.desynchronise(id)->event_type == ConnectionEventType::delete_);
  CHECK(box.resynchronise(id)->event_type == ConnectionEventType::create);
  CHECK(box.disable(id)->event_type == ConnectionEventType::update);
}

TEST_CASE("a deleted connection is left out of all connections, or is in its own event where that is chosen") {
  for (const SandboxChoices::DeletedConnection choice :
       {SandboxChoices::DeletedConnection::left_out, SandboxChoices::DeletedConnection::in_its_event}) {
    Sandbox box = without_accounts({.deleted_connection = choice});
    const std::string member = member_of(box);
    const std::string id(box.create_connection(member)->connection.id);
    const auto deleted = box.delete_connection(id);
    REQUIRE(deleted);
    CHECK(deleted->event_type == ConnectionEventType::delete_);
    CHECK(deleted->connection.id == id);
    CHECK(lists(*deleted, id) == (choice == SandboxChoices::DeletedConnection::in_its_event));
    CHECK(!lists(*box.create_connection(member), id));
    CHECK(box.delete_connection(id).error() == SandboxError::connection_is_gone);
  }
}

TEST_CASE("a disabled connection stays where that is chosen, and can only be deleted") {
  Sandbox box = without_accounts({.disabled_connection = SandboxChoices::DisabledConnection::stays});
  const std::string member = member_of(box);
  const std::string id(box.create_connection(member)->connection.id);
  const auto disabled = box.disable(id);
  REQUIRE(disabled);
  CHECK(disabled->customer.connections_on + disabled->customer.connections_off == 0);
  CHECK(lists(*disabled, id));
  CHECK(lists(*box.create_connection(member), id));
  CHECK(box.desynchronise(id).error() == SandboxError::connection_is_disabled);
  CHECK(box.delete_connection(id));
}

TEST_CASE("a disabled connection comes back by the event that is chosen, synchronised, if that is chosen") {
  constexpr auto sometimes = SandboxChoices::Returns::sometimes;
  Sandbox never = without_accounts({.disabled_connection = SandboxChoices::DisabledConnection::stays});
  const std::string disabled(never.create_connection(member_of(never))->connection.id);
  REQUIRE(never.disable(disabled));
  CHECK(never.enable(disabled).error() == SandboxError::connection_never_returns);
  for (const ConnectionEventType type : {ConnectionEventType::update, ConnectionEventType::create}) {
    Sandbox box = without_accounts({.enable_event_type = type, .disabled_connection_returns = sometimes});
    const std::string member = member_of(box);
    const std::string id(box.create_connection(member)->connection.id);
    CHECK(box.enable(id).error() == SandboxError::connection_is_not_disabled);
    REQUIRE(box.desynchronise(id));
    REQUIRE(box.disable(id));
    CHECK(!lists(*box.create_connection(member), id));
    CHECK(box.create_accounts(id).error() == SandboxError::connection_is_disabled);
    const auto back = box.enable(id);
    REQUIRE(back);
    CHECK(back->event_type == type);
    CHECK(lists(*back, id));
    CHECK(!back->connection.error_code);
    CHECK(lists(*box.create_connection(member), id));
  }
}

TEST_CASE("a disabled connection that may come back can be deleted instead") {
  Sandbox box = without_accounts({.disabled_connection_returns = SandboxChoices::Returns::sometimes});
  const std::string id(box.create_connection(member_of(box))->connection.id);
  REQUIRE(box.disable(id));
  CHECK(box.delete_connection(id));
  CHECK(box.enable(id).error() == SandboxError::connection_is_gone);
}

TEST_CASE("6.2: the connection of an update is listed even where it is the last event") {
  Sandbox box = without_accounts({.disable_event_type = ConnectionEventType::update});
  const std::string id(box.create_connection(member_of(box))->connection.id);
  const auto disabled = box.disable(id);
  REQUIRE(disabled);
  CHECK(lists(*disabled, id));
  CHECK(check(*disabled).empty());
}

TEST_CASE("what decides the counts is chosen") {
  SandboxChoices choices{.error_of_desynchronised = SandboxChoices::ErrorOfDesynchronised::null,
                         .counted_off = SandboxChoices::CountedOff::desynchronised,
                         .count_without_accounts = SandboxChoices::CountOfConnection::neither};
  Sandbox box = without_accounts(choices);
  const auto created = box.create_connection(member_of(box));
  CHECK(created->customer.connections_on == 0);
  const auto lost = box.desynchronise(std::string(created->connection.id));
  CHECK(lost->customer.connections_off == 1);
  CHECK(!lost->connection.error_code);
}

TEST_CASE("an id that the sandbox did not make is refused, and changes nothing") {
  Sandbox box(1);
  Sandbox same(1);
  CHECK(box.create_connection("somebody").error() == SandboxError::no_such_member);
  CHECK(box.desynchronise(box.member(0).id).error() == SandboxError::no_such_connection);
  CHECK(box.disable("").error() == SandboxError::no_such_connection);
  CHECK(to_string(SandboxError::no_such_member) == "the sandbox has no member with this id");
  CHECK(*box.create_connection(member_of(box)) == *same.create_connection(member_of(same)));
}

TEST_CASE("a deleted connection is known as gone also when its place was taken again") {
  Sandbox box(1);
  const std::string member = member_of(box);
  const std::string first(box.create_connection(member)->connection.id);
  REQUIRE(box.delete_connection(first));
  for (int i = 0; i < 5; ++i) {
    const std::string next(box.create_connection(member)->connection.id);
    CHECK(next != first);
    CHECK(box.delete_connection(next));
  }
  CHECK(box.desynchronise(first).error() == SandboxError::connection_is_gone);
}

}  // namespace sandbox_connections_test
