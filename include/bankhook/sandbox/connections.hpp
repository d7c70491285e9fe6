// SPDX-License-Identifier: MIT
// The operations on bank connections (spec 6.2): each changes a record and gives the event that the service would send.
#pragma once

#include <bankhook/events/bank_connections_update_v2.hpp>
#include <bankhook/sandbox/connection_record.hpp>
#include <bankhook/sandbox/ground.hpp>
#include <bankhook/sandbox/pool.hpp>
#include <bankhook/sandbox/refusal.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <vector>

namespace bankhook::sandbox {

/// All connections of a sandbox. Events view it and the ground until the next operation.
class Connections {
 public:
  using Event = BankConnectionsUpdateV2;
  using Result = std::expected<Event, Refusal>;

  /// 6.2, rule 1: the accounts may not exist yet.
  Event create(Ground& ground, std::uint32_t member) {
    const Handle handle = records_.take();
    ConnectionRecord& record = records_[handle.slot];
    record.start(ground, handle, member);
    if (has_accounts_at_creation(ground)) add_accounts(ground, record);
    ground.members[member].connections.push_back(handle.slot);
    return emit(ground, handle.slot, ConnectionEventType::create, true);
  }

  /// 6.2, rule 2: accounts are created for the connection.
  Result create_accounts(Ground& ground, std::uint32_t slot) {
    ConnectionRecord& record = records_[slot];
    if (const auto refusal = refusal_of_change(record)) return std::unexpected(*refusal);
    if (record.accounts.size() >= ground.options.accounts) return std::unexpected(Refusal::connection_has_most_accounts);
    add_accounts(ground, record);
    return emit(ground, slot, ConnectionEventType::update, true);
  }

  /// 6.2, rule 2: an account of the connection is updated: a hash comes to be known, or another one.
  Result update_accounts(Ground& ground, std::uint32_t slot) {
    ConnectionRecord& record = records_[slot];
    if (const auto refusal = refusal_of_change(record)) return std::unexpected(*refusal);
    if (record.accounts.empty()) return std::unexpected(Refusal::connection_has_no_accounts);
    const auto count = static_cast<std::uint32_t>(record.accounts.size());
    give_hash(ground, record.accounts[ground.random.below(count)], true);
    return emit(ground, slot, ConnectionEventType::update, true);
  }

  /// 6.2: the connection is desynchronised. The document does not show what that means, or whether it then has an errorCode
  /// (7): that is a choice.
  Result desynchronise(Ground& ground, std::uint32_t slot) {
    ConnectionRecord& record = records_[slot];
    if (const auto refusal = refusal_of_change(record)) return std::unexpected(*refusal);
    if (record.desynchronised) return std::unexpected(Refusal::connection_is_desynchronised);
    const SandboxChoices& chosen = ground.options.choices;
    record.desynchronised = true;
    const auto error = static_cast<std::uint8_t>(ground.random.below(std::size(provider_errors)));
    if (chosen.error_of_desynchronised == ErrorOfDesynchronised::set) record.error = error;
    if (chosen.accounts_of_desynchronised == AccountsAfterwards::none) record.accounts.clear();
    return emit(ground, slot, chosen.desynchronise_event_type, true);
  }

  /// 6.2: the connection is resynchronised. That its error goes is assumed: 7 has both null when there is no
  /// error.
  Result resynchronise(Ground& ground, std::uint32_t slot) {
    ConnectionRecord& record = records_[slot];
    if (const auto refusal = refusal_of_change(record)) return std::unexpected(*refusal);
    if (!record.desynchronised) return std::unexpected(Refusal::connection_is_synchronised);
    const SandboxChoices& chosen = ground.options.choices;
    record.desynchronised = false;
    record.error.reset();
    if (chosen.consent_of_resynchronised == ConsentAfterwards::renewed) record.give_consent(ground);
    return emit(ground, slot, chosen.resynchronise_event_type, true);
  }

  /// 6.2: the connection is deleted.
  Result remove(Ground& ground, std::uint32_t slot) {
    ConnectionRecord& record = records_[slot];
    if (record.stage == ConnectionStage::gone) return std::unexpected(Refusal::connection_is_gone);
    const SandboxChoices& chosen = ground.options.choices;
    if (chosen.accounts_of_deleted == AccountsAfterwards::none) record.accounts.clear();
    return emit_last(ground, slot, chosen.delete_event_type, chosen.deleted_connection == DeletedConnection::in_its_event);
  }

  /// 6.2: the connection is disabled. What may happen to it then is not shown: it can only be deleted, where it stays.
  Result disable(Ground& ground, std::uint32_t slot) {
    ConnectionRecord& record = records_[slot];
    if (const auto refusal = refusal_of_change(record)) return std::unexpected(*refusal);
    const SandboxChoices& chosen = ground.options.choices;
    if (chosen.accounts_of_deleted == AccountsAfterwards::none) record.accounts.clear();
    if (chosen.disabled_connection == DisabledConnection::stays) {
      record.stage = ConnectionStage::disabled;
      return emit(ground, slot, chosen.disable_event_type, true);
    }
    return emit_last(ground, slot, chosen.disable_event_type,
                     chosen.disabled_connection == DisabledConnection::in_its_event);
  }

  [[nodiscard]] const Pool<ConnectionRecord>& records() const { return records_; }

 private:
  [[nodiscard]] static std::optional<Refusal> refusal_of_change(const ConnectionRecord& record) {
    if (record.stage == ConnectionStage::gone) return Refusal::connection_is_gone;
    if (record.stage == ConnectionStage::disabled) return Refusal::connection_is_disabled;
    return std::nullopt;
  }

  [[nodiscard]] static bool has_accounts_at_creation(Ground& ground) {
    const bool rare = ground.random.one_in(5);
    const AccountsAtCreation choice = ground.options.choices.accounts_at_creation;
    return choice == AccountsAtCreation::some || (choice == AccountsAtCreation::often_none && rare);
  }

  void add_accounts(Ground& ground, ConnectionRecord& record) {
    const auto room = ground.options.accounts - static_cast<std::uint32_t>(record.accounts.size());
    for (std::uint32_t count = ground.random.between(1, room); count > 0; --count) {
      AccountRecord& account = record.accounts.emplace_back();
      const std::uint64_t number = accounts_made_++;
      account.id =
          ground.ids.make(Kind::account, {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32)});
      give_hash(ground, account, false);
    }
  }

  /// 2.3: one in eight accounts is a joint one: it gets a hash that was given lately, be it to another member.
  void give_hash(Ground& ground, AccountRecord& account, bool known) {
    Random& random = ground.random;
    account.has_hash = known || !random.one_in(10);
    const auto remembered = static_cast<std::uint32_t>(std::min<std::uint64_t>(hashes_made_, last_hashes));
    const bool joint = remembered > 0 && random.one_in(8);
    const std::uint64_t number = joint ? hashes_made_ - 1 - random.below(remembered) : hashes_made_;
    if (!account.has_hash) return;
    const AccountHash hash = ground.ids.make_hash(number);
    const bool is_another = hash.view() != account.hash.view();  // an update that says nothing would look like a repeat
    account.hash = is_another ? hash : ground.ids.make_hash(hashes_made_);
    hashes_made_ += number == hashes_made_ || !is_another;
  }

  [[nodiscard]] Event emit(Ground& ground, std::uint32_t slot, ConnectionEventType type, bool listed) {
    const ConnectionRecord& record = records_[slot];
    const MemberRecord& member = ground.members[record.member];
    views_.begin(records_, member.connections);
    Event event{.event_type = type,
                .customer = {.id = member.id.view(), .external_id = member.external_id},
                .shopping_hub_id = ground.programmes[member.programme].id.view(),
                .shopping_hub_external_id = ground.programmes[member.programme].external_id};
    for (const std::uint32_t each : member.connections) {
      if (each == slot && !listed) continue;
      views_.add(ground, records_[each]);
      const CountOfConnection count = records_[each].count(ground.options.choices);
      event.customer.connections_on += count == CountOfConnection::on;
      event.customer.connections_off += count == CountOfConnection::off;
    }
    event.customer.connections = views_.connections();
    event.connection = views_.view(ground, record);
    return event;
  }

  /// 2.1 and 6.2: what an update or a create concerns is among all connections of the member, so it is listed even here.
  [[nodiscard]] Event emit_last(Ground& ground, std::uint32_t slot, ConnectionEventType type, bool listed) {
    ConnectionRecord& record = records_[slot];
    record.stage = ConnectionStage::gone;
    const Event event = emit(ground, slot, type, listed || type != ConnectionEventType::delete_);
    std::erase(ground.members[record.member].connections, slot);
    records_.release(slot);
    return event;
  }

  static constexpr std::uint64_t last_hashes = 64;

  Pool<ConnectionRecord> records_;
  ConnectionViews views_;
  std::uint64_t accounts_made_ = 0;
  std::uint64_t hashes_made_ = 0;
};

}  // namespace bankhook::sandbox
