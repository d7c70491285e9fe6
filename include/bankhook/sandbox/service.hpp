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
    if (world_.random.below(100) >= 55) {
      if (const auto event = next_of_connections()) return *event;
    }
    return next_of_transactions();
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
      return outgoing(transactions_.submit(world_, random.below(world_.options.members)), Role::first);
    }
    const bool last = random.one_in(3);
    const std::uint32_t slot = last ? open.back() : open[random.below(static_cast<std::uint32_t>(open.size()))];
    const std::optional<TransactionStatus> state = transactions_.records()[slot].state;
    const bool is_store_set_up = random.below(10) < 7;
    const bool validates = state == TransactionStatus::created ? is_store_set_up : state == TransactionStatus::rejected;
    Transactions::Result event = process(slot, validates);
    if (!event) event = process(slot, !validates);  // it is open: the table allows one of the two
    return outgoing(*event, transactions_.records()[slot].is_open ? Role::later : Role::last);
  }

  Transactions::Result process(std::uint32_t slot, bool validates) {
    Random& random = world_.random;
    if (validates) return transactions_.validate(world_, slot, random.below(3) < 2);
    return transactions_.reject(
        world_, slot, random.one_in(3) ? RejectionReason::bank_consent_expired : RejectionReason::purchase_not_found);
  }

  /// Nothing if no connection of the member is ready for anything.
  std::optional<OutgoingEvent> next_of_connections() {
    Random& random = world_.random;
    if (!random.one_in(3)) member_ = random.below(world_.options.members);
    const std::vector<std::uint32_t>& slots = world_.members[member_].connections;
    const bool room = slots.size() < world_.options.connections;
    if (slots.empty() || (room && random.one_in(6))) {
      return outgoing(connections_.create(world_, member_), Role::first);
    }
    const bool last = random.one_in(2);
    return change(last ? slots.back() : slots[random.below(static_cast<std::uint32_t>(slots.size()))]);
  }

  /// The first of some operations that is not refused.
  std::optional<OutgoingEvent> change(std::uint32_t slot) {
    using C = Connections;
    const ConnectionRecord& record = connections_.records()[slot];
    const std::uint32_t draw = world_.random.below(12);
    const bool has_accounts = !record.accounts.empty();
    for (const auto operation : {draw == 0   ? &C::remove
                                 : draw == 1 ? &C::disable
                                             : &C::enable,
                                 &C::enable, &C::resynchronise,
                                 !has_accounts || draw >= 10 ? &C::create_accounts
                                 : draw < 7                  ? &C::desynchronise
                                                             : &C::update_accounts,
                                 &C::update_accounts, &C::create_accounts, &C::desynchronise, &C::remove, &C::disable}) {
      const Connections::Result event = (connections_.*operation)(world_, slot);
      if (event) return outgoing(*event, record.is_gone() ? Role::last : Role::later);
    }
    return std::nullopt;
  }

  /// The event as one of the life of what it is about.
  [[nodiscard]] OutgoingEvent outgoing(const BankConnectionsUpdateV2& event, Role role) const {
    return {event, {true, role, slot_of_member(event), *world_.ids.handle_of(Kind::connection, event.connection.id)}};
  }
  [[nodiscard]] OutgoingEvent outgoing(const InitialTransactionUpdate& event, Role role) const {
    return {event,
            {false, role, slot_of_member(event), *world_.ids.handle_of(Kind::transaction, event.initial_transaction.id)}};
  }
  template <class Event>
  [[nodiscard]] std::uint32_t slot_of_member(const Event& event) const {
    return world_.ids.handle_of(Kind::member, event.customer.id)->slot;
  }

  World world_;
  Connections connections_;
  Transactions transactions_;
  std::uint32_t member_ = 0;
};

}  // namespace bankhook::inline BANKHOOK_ABI::sandbox
