// SPDX-License-Identifier: MIT
// The service: its members, the operations on what they have, and what happens next where nobody says it.
#pragma once

#include <bankhook/events/any_event.hpp>
#include <bankhook/sandbox/connections.hpp>
#include <bankhook/sandbox/transactions.hpp>
#include <bankhook/sandbox/world.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI::sandbox {

/// An event as it leaves an operation. Views into the sandbox, valid until its next call.
struct OutgoingEvent {
  AnyEvent event;
  bool is_first = false;  ///< of its connection or initial transaction
};

/// The members, everything that they have, and the operations on it.
struct Service {
  Service(std::uint64_t seed, const SandboxOptions& options) : world(seed, options) {}

  /// The next event of a history: about half of them are of initial transactions. How often a service sees what is not
  /// shown; the weights are ours. One event in three concerns what the last one of its kind did.
  OutgoingEvent next() {
    world.pass();
    if (world.random.below(100) >= 55) {
      if (const auto event = next_of_connections()) return *event;
    }
    return next_of_transactions();
  }

  World world;

 private:
  OutgoingEvent next_of_transactions() {
    Random& random = world.random;
    const std::vector<std::uint32_t>& open = world.open;
    const bool room = open.size() < world.options.transactions;
    if (open.empty() || (room && random.one_in(2)))
      return {*submit_made_up(world, random.below(world.options.members)), true};
    const bool last = random.one_in(3);
    const std::uint32_t slot = last ? open.back() : random.pick(open);
    const OpenEnum<TransactionStatus> status = world.transactions[slot].transaction->status;
    const bool is_store_set_up = random.below(10) < 7;
    const bool validates = status == TransactionStatus::created ? is_store_set_up : status == TransactionStatus::rejected;
    TransactionEvent event = process_open(slot, validates);
    if (!event) event = process_open(slot, !validates);  // it is open: the table allows one of the two
    return {*event};
  }

  TransactionEvent process_open(std::uint32_t slot, bool validates) {
    if (validates) return validate(world, slot, world.random.below(3) < 2);
    return reject(world, slot,
                  world.random.one_in(3) ? RejectionReason::bank_consent_expired : RejectionReason::purchase_not_found);
  }

  /// Nothing if no connection of the member is ready for anything.
  std::optional<OutgoingEvent> next_of_connections() {
    Random& random = world.random;
    if (!random.one_in(3)) member_ = random.below(world.options.members);
    const std::vector<std::uint32_t>& slots = world.members[member_].connections;
    const bool room = slots.size() < world.options.connections;
    if (slots.empty() || (room && random.one_in(6))) return OutgoingEvent{*create_connection(world, member_), true};
    const bool last = random.one_in(2);
    return change_any(last ? slots.back() : random.pick(slots));
  }

  /// The first of some operations that is not refused.
  std::optional<OutgoingEvent> change_any(std::uint32_t slot) {
    using enum Operation;
    const std::uint32_t draw = world.random.below(12);
    const bool has_accounts = !world.connections[slot].connection->accounts.empty();
    Operation usual = draw < 7 ? desynchronise : update_accounts;
    if (!has_accounts || draw >= 10) usual = create_accounts;
    const Operation rare = draw == 1 ? disable : enable;
    for (const Operation operation : {draw == 0 ? remove : rare, enable, resynchronise, usual, update_accounts,
                                      create_accounts, desynchronise, remove, disable}) {
      if (const auto event = change(world, slot, operation)) return OutgoingEvent{*event};
    }
    return std::nullopt;
  }

  std::uint32_t member_ = 0;
};

}  // namespace bankhook::inline BANKHOOK_ABI::sandbox
