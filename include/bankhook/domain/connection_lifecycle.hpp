// SPDX-License-Identifier: MIT
// 6.2 Bank connection: what its events say about their order, and which of that is stated.
#pragma once

#include <bankhook/domain/connection_event_type.hpp>
#include <bankhook/machine/draw.hpp>
#include <bankhook/machine/machine.hpp>
#include <bankhook/machine/transitions.hpp>

#include <cstdint>

namespace bankhook::inline BANKHOOK_ABI {

/// What the events of a connection have reported so far. "Connection lifecycle states: not shown" (3.2): the names are
/// ours.
enum class ConnectionState : std::uint8_t {
  created,  ///< its create has come; "bank accounts may not exist yet"
  updated,  ///< an update has come
  deleted,  ///< a delete has come
};

/// The rows of `connection_lifecycle`, each with its section and its evidence (spec 6.2).
inline constexpr auto connection_transitions = [] {
  using enum ConnectionState;
  using enum ConnectionEventType;
  using enum Evidence;
  using namespace table_words;
  // clang-format off
  return transitions<ConnectionState, ConnectionEventType>(
      {
          {begin, create, created, stated, "6.2"},      // 1. "On creation a create event is sent."
          // 2. "When bank accounts are then created or updated for that connection, an update event is sent"
          {created, update, updated, stated, "6.2"},
          {updated, update, updated, stated, "6.2"},
          // 3. "A consumer expects: create ..., then update": of a new connection; the specification does not say
          // that no other trigger yields a create.
          {updated, create, never, assumed, "6.2"},
          // "is deleted or disabled" fires an event; "which of those triggers yields which eventType: not shown".
          {created, delete_, deleted, assumed, "6.2"},
          {updated, delete_, deleted, assumed, "6.2"},
      },
      {
          {deleted, assumed, "6.2"},                    // what comes after a deletion is not shown
      });
  // clang-format on
}();

/// The ordering rules of spec 6.2, proven at compile time. The triggers are the eventTypes. What the specification leaves
/// open (a create for a connection that is known, a first event that is not a create, anything after a delete) is
/// `unspecified`.
inline constexpr Machine<connection_transitions> connection_lifecycle;

}  // namespace bankhook::inline BANKHOOK_ABI
