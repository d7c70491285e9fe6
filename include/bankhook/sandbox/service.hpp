// SPDX-License-Identifier: MIT
// The service: its members, the operations on what they have, and what happens next where nobody says it.
#pragma once

#include <bankhook/events/any_event.hpp>
#include <bankhook/sandbox/connections.hpp>
#include <bankhook/sandbox/identifiers.hpp>
#include <bankhook/sandbox/pool.hpp>
#include <bankhook/sandbox/transactions.hpp>
#include <bankhook/sandbox/world.hpp>

#include <cstdint>
#include <expected>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI::sandbox {

/// The place of an event in the life of its connection or initial transaction.
enum class Role : std::uint8_t { first, later, last };

/// Which connection or transaction an event is about.
struct Subject {
  bool is_connection = false;
  Role role = Role::first;
  std::uint32_t member = 0;
  Handle handle{};
};

/// An event as it leaves an operation, and what it is about. Views into the sandbox, valid until its next call.
struct OutgoingEvent {
  AnyEvent event;
  Subject subject;
};

/// The members, everything that they have, and the operations on it, each as an event with its subject.
class Service {
 public:
  Service(std::uint64_t seed, const SandboxOptions& options) : world_(seed, options) {}

  /// The next event of a history: about half of them are of initial transactions. How often a service sees what is not
  /// shown; the weights are ours. One event in three concerns what the last one of its kind did.
  OutgoingEvent next() {
    world_.clock.advance(world_.random);
    return world_.random.below(100) < 55 ? next_of_transactions() : next_of_connections();
  }

  /// Whether it has such a member, and whether it has or remembers such a connection or transaction: later events, and no
  /// others, are about these.
  [[nodiscard]] bool has_member(std::string_view id) const {
    const auto handle = world_.ids.handle_of(Kind::member, id);
    return handle && handle->slot < world_.members.size() && handle->generation == 0;
  }
  [[nodiscard]] bool has_connection(std::string_view id) const {
    return has(connections_.records(), world_.ids.handle_of(Kind::connection, id));
  }
  [[nodiscard]] bool has_transaction(std::string_view id) const {
    return has(transactions_.records(), world_.ids.handle_of(Kind::transaction, id));
  }

  [[nodiscard]] World& world() { return world_; }
  [[nodiscard]] const World& world() const { return world_; }
  [[nodiscard]] Connections& connections() { return connections_; }
  [[nodiscard]] const Connections& connections() const { return connections_; }
  [[nodiscard]] Transactions& transactions() { return transactions_; }
  [[nodiscard]] const Transactions& transactions() const { return transactions_; }

 private:
  template <class Record>
  [[nodiscard]] static bool has(const Pool<Record>& records, std::optional<Handle> handle) {
    return handle && records.made(*handle) && !records.forgotten(*handle);
  }

  OutgoingEvent next_of_transactions() {
    Random& random = world_.random;
    const std::vector<std::uint32_t>& open = transactions_.open();
    const bool room = open.size() < world_.options.transactions;
    if (open.empty() || (room && random.one_in(2))) {
      const InitialTransactionUpdate event = transactions_.submit(world_, random.below(world_.options.members));
      return subject_of(event, open.back(), Role::first);
    }
    const bool last = random.one_in(3);
    const std::uint32_t slot = last ? open.back() : open[random.below(static_cast<std::uint32_t>(open.size()))];
    if (random.below(10) < 7) {
      const bool matched = random.below(3) < 2;
      return subject_of(*transactions_.validate(world_, slot, matched), slot, Role::last);
    }
    const auto reason = random.one_in(3) ? RejectionReason::bank_consent_expired : RejectionReason::purchase_not_found;
    return subject_of(*transactions_.reject(world_, slot, reason), slot, Role::last);
  }

  OutgoingEvent next_of_connections() {
    Random& random = world_.random;
    if (!random.one_in(3)) member_ = random.below(world_.options.members);
    const std::vector<std::uint32_t>& slots = world_.members[member_].connections;
    const bool room = slots.size() < world_.options.connections;
    if (slots.empty() || (room && random.one_in(6))) {
      const BankConnectionsUpdateV2 event = connections_.create(world_, member_);
      return subject_of(event, slots.back(), Role::first);
    }
    const bool last = random.one_in(2);
    return change(last ? slots.back() : slots[random.below(static_cast<std::uint32_t>(slots.size()))]);
  }

  /// One of the operations that the connection is ready for.
  OutgoingEvent change(std::uint32_t slot) {
    const ConnectionRecord& record = connections_.records()[slot];
    const bool full = record.accounts.size() >= world_.options.accounts;
    const std::uint32_t draw = world_.random.below(12);
    if (record.stage == ConnectionStage::disabled || draw == 0) return done(&Connections::remove, slot);
    if (draw == 1) return done(&Connections::disable, slot);
    if (record.desynchronised) return done(&Connections::resynchronise, slot);
    if (record.accounts.empty()) return done(&Connections::create_accounts, slot);
    if (draw < 7) return done(&Connections::desynchronise, slot);
    return done(draw < 10 || full ? &Connections::update_accounts : &Connections::create_accounts, slot);
  }

  using Operation = Connections::Result (Connections::*)(World&, std::uint32_t);

  /// Only operations that the connection is ready for: none is refused.
  OutgoingEvent done(Operation operation, std::uint32_t slot) {
    const Connections::Result event = (connections_.*operation)(world_, slot);
    const bool gone = connections_.records()[slot].stage == ConnectionStage::gone;
    return subject_of(*event, slot, gone ? Role::last : Role::later);
  }

  OutgoingEvent subject_of(const BankConnectionsUpdateV2& event, std::uint32_t slot, Role role) const {
    const auto& records = connections_.records();
    return {event,
            {.is_connection = true, .role = role, .member = records[slot].member, .handle = records.handle_of(slot)}};
  }
  OutgoingEvent subject_of(const InitialTransactionUpdate& event, std::uint32_t slot, Role role) const {
    const auto& records = transactions_.records();
    return {event,
            {.is_connection = false, .role = role, .member = records[slot].member, .handle = records.handle_of(slot)}};
  }

  World world_;
  Connections connections_;
  Transactions transactions_;
  std::uint32_t member_ = 0;
};

}  // namespace bankhook::inline BANKHOOK_ABI::sandbox
