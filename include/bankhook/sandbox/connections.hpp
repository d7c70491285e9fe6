// SPDX-License-Identifier: MIT
// The operations on bank connections (spec 6.2): each changes a record and gives the event that the service would send.
#pragma once

#include <bankhook/events/bank_connections_update_v2.hpp>
#include <bankhook/sandbox/connection_record.hpp>
#include <bankhook/sandbox/pool.hpp>
#include <bankhook/sandbox/sandbox_error.hpp>
#include <bankhook/sandbox/world.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI::sandbox {

/// All connections of a sandbox. Events view it and the world until the next operation.
class Connections {
 public:
  using Event = BankConnectionsUpdateV2;
  using Result = std::expected<Event, SandboxError>;

  /// 6.2, rule 1: the accounts may not exist yet.
  Event create(World& world, std::uint32_t member) {
    const Handle handle = records_.take();
    ConnectionRecord& record = records_[handle.slot];
    record.start(world, handle, member);
    if (has_accounts_at_creation(world)) add_accounts(world, record);
    world.members[member].connections.push_back(handle.slot);
    return emit(world, handle.slot, ConnectionEventType::create, true);
  }

  /// 6.2, rule 2: accounts are created for the connection.
  Result create_accounts(World& world, std::uint32_t slot) {
    ConnectionRecord& record = records_[slot];
    if (const auto refusal = refusal_of_change(record)) return std::unexpected(*refusal);
    if (record.accounts.size() >= world.options.accounts) return std::unexpected(SandboxError::connection_has_max_accounts);
    add_accounts(world, record);
    return emit(world, slot, ConnectionEventType::update, true);
  }

  /// 6.2, rule 2: an account of the connection is updated: a hash comes to be known, or another one.
  Result update_accounts(World& world, std::uint32_t slot) {
    ConnectionRecord& record = records_[slot];
    if (const auto refusal = refusal_of_change(record)) return std::unexpected(*refusal);
    if (record.accounts.empty()) return std::unexpected(SandboxError::connection_has_no_accounts);
    const auto count = static_cast<std::uint32_t>(record.accounts.size());
    give_hash(world, record.accounts[world.random.below(count)], true);
    return emit(world, slot, ConnectionEventType::update, true);
  }

  /// 6.2: the connection is desynchronised. The specification does not show what that means, or whether it then has an
  /// errorCode (7): that is a choice.
  Result desynchronise(World& world, std::uint32_t slot) {
    ConnectionRecord& record = records_[slot];
    if (const auto refusal = refusal_of_change(record)) return std::unexpected(*refusal);
    if (record.desynchronised) return std::unexpected(SandboxError::connection_is_desynchronised);
    const SandboxChoices& chosen = world.options.choices;
    record.desynchronised = true;
    const auto error = static_cast<std::uint8_t>(world.random.below(std::size(provider_errors)));
    if (chosen.error_of_desynchronised == SandboxChoices::ErrorOfDesynchronised::set) record.error = error;
    if (chosen.accounts_of_desynchronised == SandboxChoices::AccountsAfterwards::none) record.accounts.clear();
    return emit(world, slot, chosen.desynchronise_event_type, true);
  }

  /// 6.2: the connection is resynchronised. That its error goes is assumed: 7 has both null when there is no
  /// error.
  Result resynchronise(World& world, std::uint32_t slot) {
    ConnectionRecord& record = records_[slot];
    if (const auto refusal = refusal_of_change(record)) return std::unexpected(*refusal);
    if (!record.desynchronised) return std::unexpected(SandboxError::connection_is_synchronised);
    const SandboxChoices& chosen = world.options.choices;
    record.desynchronised = false;
    record.error.reset();
    if (chosen.consent_of_resynchronised == SandboxChoices::ConsentAfterwards::renewed) record.give_consent(world);
    return emit(world, slot, chosen.resynchronise_event_type, true);
  }

  /// 6.2: the connection is deleted.
  Result remove(World& world, std::uint32_t slot) {
    ConnectionRecord& record = records_[slot];
    if (record.stage == ConnectionStage::gone) return std::unexpected(SandboxError::connection_is_gone);
    const SandboxChoices& chosen = world.options.choices;
    if (chosen.accounts_of_deleted == SandboxChoices::AccountsAfterwards::none) record.accounts.clear();
    return emit_last(world, slot, chosen.delete_event_type,
                     chosen.deleted_connection == SandboxChoices::DeletedConnection::in_its_event);
  }

  /// 6.2: the connection is disabled. What may happen to it then is not shown: it can only be deleted, where it stays.
  Result disable(World& world, std::uint32_t slot) {
    ConnectionRecord& record = records_[slot];
    if (const auto refusal = refusal_of_change(record)) return std::unexpected(*refusal);
    const SandboxChoices& chosen = world.options.choices;
    if (chosen.accounts_of_deleted == SandboxChoices::AccountsAfterwards::none) record.accounts.clear();
    if (chosen.disabled_connection == SandboxChoices::DisabledConnection::stays) {
      record.stage = ConnectionStage::disabled;
      return emit(world, slot, chosen.disable_event_type, true);
    }
    return emit_last(world, slot, chosen.disable_event_type,
                     chosen.disabled_connection == SandboxChoices::DisabledConnection::in_its_event);
  }

  [[nodiscard]] const Pool<ConnectionRecord>& records() const { return records_; }

 private:
  [[nodiscard]] static std::optional<SandboxError> refusal_of_change(const ConnectionRecord& record) {
    if (record.stage == ConnectionStage::gone) return SandboxError::connection_is_gone;
    if (record.stage == ConnectionStage::disabled) return SandboxError::connection_is_disabled;
    return std::nullopt;
  }

  [[nodiscard]] static bool has_accounts_at_creation(World& world) {
    const bool rare = world.random.one_in(5);
    const SandboxChoices::AccountsAtCreation choice = world.options.choices.accounts_at_creation;
    return choice == SandboxChoices::AccountsAtCreation::some ||
           (choice == SandboxChoices::AccountsAtCreation::often_none && rare);
  }

  void add_accounts(World& world, ConnectionRecord& record) {
    const auto room = world.options.accounts - static_cast<std::uint32_t>(record.accounts.size());
    for (std::uint32_t count = world.random.between(1, room); count > 0; --count) {
      AccountRecord& account = record.accounts.emplace_back();
      const std::uint64_t number = accounts_made_++;
      account.id =
          world.ids.make(Kind::account, {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32)});
      give_hash(world, account, false);
    }
  }

  /// 2.3: one in eight accounts is a joint one: it gets a hash that was given lately, be it to another member.
  void give_hash(World& world, AccountRecord& account, bool known) {
    Random& random = world.random;
    account.has_hash = known || !random.one_in(10);
    const auto remembered = static_cast<std::uint32_t>(std::min<std::uint64_t>(hashes_made_, last_hashes));
    const bool joint = remembered > 0 && random.one_in(8);
    const std::uint64_t number = joint ? hashes_made_ - 1 - random.below(remembered) : hashes_made_;
    if (!account.has_hash) return;
    const AccountHash hash = world.ids.make_hash(number);
    const bool is_another = hash.view() != account.hash.view();  // an update without a change would look like a repeat
    account.hash = is_another ? hash : world.ids.make_hash(hashes_made_);
    hashes_made_ += number == hashes_made_ || !is_another;
  }

  [[nodiscard]] Event emit(World& world, std::uint32_t slot, ConnectionEventType type, bool listed) {
    const ConnectionRecord& record = records_[slot];
    const MemberRecord& member = world.members[record.member];
    views_.begin(records_, member.connections);
    Event event{.event_type = type,
                .customer = {.id = member.id.view(), .external_id = member.external_id},
                .shopping_hub_id = world.programmes[member.programme].id.view(),
                .shopping_hub_external_id = world.programmes[member.programme].external_id};
    for (const std::uint32_t each : member.connections) {
      if (each == slot && !listed) continue;
      views_.add(world, records_[each]);
      const SandboxChoices::CountOfConnection count = records_[each].count(world.options.choices);
      event.customer.connections_on += count == SandboxChoices::CountOfConnection::on;
      event.customer.connections_off += count == SandboxChoices::CountOfConnection::off;
    }
    event.customer.connections = views_.connections();
    event.connection = views_.view(world, record);
    return event;
  }

  /// 2.1 and 6.2: what an update or a create concerns is among all connections of the member, so it is listed even here.
  [[nodiscard]] Event emit_last(World& world, std::uint32_t slot, ConnectionEventType type, bool listed) {
    ConnectionRecord& record = records_[slot];
    record.stage = ConnectionStage::gone;
    const Event event = emit(world, slot, type, listed || type != ConnectionEventType::delete_);
    std::erase(world.members[record.member].connections, slot);
    records_.release(slot);
    return event;
  }

  static constexpr std::uint64_t last_hashes = 64;

  Pool<ConnectionRecord> records_;
  ConnectionViews views_;
  std::uint64_t accounts_made_ = 0;
  std::uint64_t hashes_made_ = 0;
};

}  // namespace bankhook::inline BANKHOOK_ABI::sandbox
