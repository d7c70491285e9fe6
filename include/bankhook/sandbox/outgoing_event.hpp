// SPDX-License-Identifier: MIT
// An event as it leaves an operation, and what the sandbox knows about it beside what it says.
#pragma once

#include <bankhook/events/any_event.hpp>
#include <bankhook/sandbox/identifiers.hpp>

#include <cstdint>

namespace bankhook::sandbox {

/// The place of an event in the life of its connection or initial transaction.
enum class Role : std::uint8_t { first, later, last };

/// Which connection or transaction an event is about.
struct Subject {
  bool is_connection = false;
  Role role = Role::first;
  std::uint32_t member = 0;
  Handle handle{};
};

/// Views into the sandbox, valid until its next call.
struct OutgoingEvent {
  AnyEvent event;
  Subject subject;
};

}  // namespace bankhook::sandbox
