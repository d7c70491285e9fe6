// SPDX-License-Identifier: MIT
// 6.2 Bank connection: what its events and the lists of other events say about it, and which of that is stated.
#pragma once

#include <bankhook/domain/connection.hpp>
#include <bankhook/machine/machine.hpp>
#include <bankhook/machine/transition.hpp>

#include <cstdint>

namespace bankhook { inline namespace BANKHOOK_STRUCTS {

/// What has been reported of a connection so far. "Connection lifecycle states: not shown" (3.2): the names are ours.
enum class ConnectionState : std::uint8_t {
  listed,    ///< an event lists it among all connections of its member; of its own, none of a listed type has come
  created,   ///< its create has come; "bank accounts may not exist yet"
  updated,   ///< an update has come, or it was unlisted after an event of its own and is listed again
  deleted,   ///< a delete has come
  unlisted,  ///< a list that counted, or its own event's but for a create's, does not have it, and no delete came since
};

/// What an event says of a connection: the eventTypes of its own (6.2), and whether `customer.connections` has it (2.1).
enum class ConnectionTrigger : std::uint8_t { create, update, delete_, listed, not_listed };

}}  // namespace bankhook::BANKHOOK_STRUCTS

namespace bankhook { inline namespace BANKHOOK_ABI {

/// The machines that a tracker can move connections by.
using ConnectionLifecycle = CompleteMachine<ConnectionState, ConnectionTrigger>;

/// The rows of `connection_lifecycle`, each with its section and its evidence (spec 2.1, 6.2).
inline constexpr auto connection_transitions = [] {
  using enum Evidence;
  using namespace table_words;
  using State = ConnectionState;
  using Trigger = ConnectionTrigger;
  constexpr auto listed = State::listed, created = State::created, updated = State::updated, deleted = State::deleted,
                 unlisted = State::unlisted;
  constexpr auto create = Trigger::create, update = Trigger::update, delete_ = Trigger::delete_,
                 is_listed = Trigger::listed, is_not_listed = Trigger::not_listed;
  // clang-format off
  return transitions<State, Trigger>(
      {
          // 1. "On creation a create event is sent." Lists of other events may name the connection before.
          {begin, create, created, stated, "6.2"},
          {listed, create, created, stated, "6.2"},
          // 2. "When bank accounts are then created or updated for that connection, an update event is sent"
          {created, update, updated, stated, "6.2"},
          {updated, update, updated, stated, "6.2"},
          // 3. "A consumer expects: create ..., then update": of a new connection; the specification does not say
          // that no other trigger yields a create.
          {created, create, never, assumed, "6.2"},
          {updated, create, never, assumed, "6.2"},
          {unlisted, create, never, assumed, "6.2"},
          {deleted, create, never, assumed, "6.2"},
          // "is deleted or disabled" fires an event; "which of those triggers yields which eventType: not shown".
          {created, delete_, deleted, assumed, "6.2"},
          {updated, delete_, deleted, assumed, "6.2"},
          {unlisted, delete_, deleted, assumed, "6.2"},
          // customer.connections: "All connections of the member".
          {begin, is_listed, listed, stated, "2.1"},
          {listed, is_listed, listed, stated, "2.1"},
          {created, is_listed, created, stated, "2.1"},
          {updated, is_listed, updated, stated, "2.1"},
          // Why one is missing, and why it comes back, is not stated.
          {listed, is_not_listed, unlisted, assumed, "2.1", unexpected},
          {created, is_not_listed, unlisted, assumed, "2.1", unexpected},
          {updated, is_not_listed, unlisted, assumed, "2.1", unexpected},
          {unlisted, is_listed, updated, assumed, "2.1", unexpected},
          {unlisted, update, updated, assumed, "6.2", unexpected},
          {unlisted, is_not_listed, unlisted, assumed, "2.1"},
          {deleted, is_not_listed, deleted, assumed, "2.1"},
          // What comes after a deletion is not shown; an older list has it, too.
          {deleted, is_listed, never, assumed, "2.1"},
          {deleted, update, updated, assumed, "6.2", unexpected},
          {deleted, delete_, deleted, assumed, "6.2", unexpected},
          // Its create is missing or late: a connection may be older than the first event that was received.
          {begin, update, updated, assumed, "6.2", unexpected},
          {begin, delete_, deleted, assumed, "6.2", unexpected},
          {listed, update, updated, assumed, "6.2", unexpected},
          {listed, delete_, deleted, assumed, "6.2", unexpected},
          // An event of a type that is not listed, which does not list its own connection.
          {begin, is_not_listed, unlisted, assumed, "2.1", unexpected},
      },
      {
          {deleted, assumed, "6.2"},                    // what comes after a deletion is not shown
      });
  // clang-format on
}();

/// What moves a bank connection from one state to another (spec 2.1, 6.2), proven at compile time. What is not described (a
/// create for a connection whose create has come, a first event that is not a create, an event or a listing after a
/// delete, to be taken off the list or put back on it by another connection's event) is `unspecified`.
inline constexpr ConnectionLifecycle connection_lifecycle = machine<connection_transitions>;

/// The trigger that an eventType is.
[[nodiscard]] constexpr ConnectionTrigger trigger_of(ConnectionEventType type) {
  switch (type) {
    case ConnectionEventType::create: return ConnectionTrigger::create;
    case ConnectionEventType::update: return ConnectionTrigger::update;
    case ConnectionEventType::delete_: break;
  }
  return ConnectionTrigger::delete_;
}

}}  // namespace bankhook::BANKHOOK_ABI
