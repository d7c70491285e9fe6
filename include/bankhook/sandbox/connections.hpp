// SPDX-License-Identifier: MIT
// The operations on bank connections (spec 6.2): each changes a record and gives the event that the service would send.
#pragma once

#include <bankhook/domain/connection_lifecycle.hpp>
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
    return emit(world, handle.slot, Type::create, true);
  }

  /// 6.2, rule 2: accounts are created for the connection.
  Result create_accounts(World& world, std::uint32_t slot) {
    ConnectionRecord& record = records_[slot];
    if (const auto refusal = refusal_of(world, record, Type::update, Type::update)) return std::unexpected(*refusal);
    if (record.accounts.size() >= world.options.accounts) return std::unexpected(SandboxError::connection_has_max_accounts);
    add_accounts(world, record);
    return emit(world, slot, Type::update, true);
  }

  /// 6.2, rule 2: an account of the connection is updated: a hash comes to be known, or another one.
  Result update_accounts(World& world, std::uint32_t slot) {
    ConnectionRecord& record = records_[slot];
    if (const auto refusal = refusal_of(world, record, Type::update, Type::update)) return std::unexpected(*refusal);
    if (record.accounts.empty()) return std::unexpected(SandboxError::connection_has_no_accounts);
    const auto count = static_cast<std::uint32_t>(record.accounts.size());
    give_hash(world, record.accounts[world.random.below(count)], true);
    return emit(world, slot, Type::update, true);
  }

  /// 6.2: the connection is desynchronised. The specification does not show what that means, or whether it then has an
  /// errorCode (7): that is a choice.
  Result desynchronise(World& world, std::uint32_t slot) {
    ConnectionRecord& record = records_[slot];
    const SandboxChoices& chosen = world.options.choices;
    if (const auto refusal = refusal_of(world, record, chosen.desynchronise_event_type, Type::update))
      return std::unexpected(*refusal);
    if (record.is_desynchronised) return std::unexpected(SandboxError::connection_is_desynchronised);
    record.is_desynchronised = true;
    const auto error = static_cast<std::uint8_t>(world.random.below(std::size(provider_errors)));
    if (chosen.error_of_desynchronised == SandboxChoices::ErrorOfDesynchronised::set) record.error = error;
    if (chosen.accounts_of_desynchronised == SandboxChoices::AccountsAfterwards::none) record.accounts.clear();
    return emit(world, slot, chosen.desynchronise_event_type, true);
  }

  /// 6.2: the connection is resynchronised. That its error goes is assumed: 7 has both null when there is no
  /// error.
  Result resynchronise(World& world, std::uint32_t slot) {
    ConnectionRecord& record = records_[slot];
    const SandboxChoices& chosen = world.options.choices;
    if (const auto refusal = refusal_of(world, record, chosen.resynchronise_event_type, Type::update))
      return std::unexpected(*refusal);
    if (!record.is_desynchronised) return std::unexpected(SandboxError::connection_is_synchronised);
    synchronise(world, record);
    return emit(world, slot, chosen.resynchronise_event_type, true);
  }

  /// 6.2: the connection is deleted, be it disabled.
  Result remove(World& world, std::uint32_t slot) {
    ConnectionRecord& record = records_[slot];
    const SandboxChoices& chosen = world.options.choices;
    const auto refusal = refusal_of(world, record, chosen.delete_event_type, Type::delete_);
    if (refusal && refusal != SandboxError::connection_is_disabled) return std::unexpected(*refusal);
    if (chosen.accounts_of_deleted == SandboxChoices::AccountsAfterwards::none) record.accounts.clear();
    record.is_disabled = false;
    return emit_last(world, slot, chosen.delete_event_type,
                     chosen.deleted_connection == SandboxChoices::DeletedConnection::in_its_event);
  }

  /// 6.2: the connection is disabled. What may happen to it then is not shown: where it stays it can be deleted, and
  /// whether it comes back is a choice.
  Result disable(World& world, std::uint32_t slot) {
    ConnectionRecord& record = records_[slot];
    const SandboxChoices& chosen = world.options.choices;
    if (const auto refusal = refusal_of(world, record, chosen.disable_event_type, Type::delete_))
      return std::unexpected(*refusal);
    if (chosen.accounts_of_deleted == SandboxChoices::AccountsAfterwards::none) record.accounts.clear();
    const bool stays = chosen.disabled_connection == SandboxChoices::DisabledConnection::stays;
    record.is_disabled = stays || chosen.disabled_connection_returns == SandboxChoices::Returns::sometimes;
    if (stays) return emit(world, slot, chosen.disable_event_type, true);
    return emit_last(world, slot, chosen.disable_event_type,
                     chosen.disabled_connection == SandboxChoices::DisabledConnection::in_its_event);
  }

  /// A disabled connection comes back, synchronised, which the specification does not mention.
  Result enable(World& world, std::uint32_t slot) {
    ConnectionRecord& record = records_[slot];
    const SandboxChoices& chosen = world.options.choices;
    if (record.is_gone()) return std::unexpected(SandboxError::connection_is_gone);
    if (!record.is_disabled) return std::unexpected(SandboxError::connection_is_not_disabled);
    if (chosen.disabled_connection_returns == SandboxChoices::Returns::never)
      return std::unexpected(SandboxError::connection_never_returns);
    record.is_disabled = false;
    record.is_listed = true;
    synchronise(world, record);
    return emit(world, slot, chosen.enable_event_type, true);
  }

  [[nodiscard]] const Pool<ConnectionRecord>& records() const { return records_; }

 private:
  using Type = ConnectionEventType;

  /// The table is asked, unless the event's type rests on a choice of one's own, which the table need not know.
  [[nodiscard]] static std::optional<SandboxError> refusal_of(const World& world, const ConnectionRecord& record, Type type,
                                                              Type by_default) {
    if (record.is_gone()) return SandboxError::connection_is_gone;
    if (record.is_disabled) return SandboxError::connection_is_disabled;
    const bool is_off_table = record.is_desynchronised && world.options.choices.desynchronise_event_type != Type::update;
    const auto* const row = world.options.connection_lifecycle.step(record.state, trigger_of(type)).transition;
    if (type != by_default || is_off_table || (row != nullptr && row->is_expected())) return std::nullopt;
    return SandboxError::lifecycle_excludes_it;
  }

  static void synchronise(World& world, ConnectionRecord& record) {
    record.is_desynchronised = false;
    record.error.reset();
    const SandboxChoices::ConsentAfterwards choice = world.options.choices.consent_of_resynchronised;
    if (choice == SandboxChoices::ConsentAfterwards::renewed) record.give_consent(world, false);
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

  /// 2.3: one in eight accounts whose hash comes to be known is a joint one: it gets a hash that was given lately, be it to
  /// another member. A hash that changes becomes one that no account had.
  void give_hash(World& world, AccountRecord& account, bool known) {
    Random& random = world.random;
    const bool changes = account.has_hash;
    account.has_hash = known || !random.one_in(10);
    if (!account.has_hash) return;
    const auto remembered = static_cast<std::uint32_t>(std::min<std::uint64_t>(hashes_made_, last_hashes));
    const bool is_joint = !changes && remembered > 0 && random.one_in(8);
    account.hash = world.ids.make_hash(is_joint ? hashes_made_ - 1 - random.below(remembered) : hashes_made_++);
  }

  static void move(const World& world, ConnectionRecord& record, ConnectionTrigger trigger) {
    const auto step = world.options.connection_lifecycle.step(record.state, trigger);
    if (step.to) record.state = step.to;
  }

  [[nodiscard]] Event emit(World& world, std::uint32_t slot, Type type, bool listed) {
    ConnectionRecord& record = records_[slot];
    move(world, record, trigger_of(type));
    if (listed) move(world, record, ConnectionTrigger::listed);
    const MemberRecord& member = world.members[record.member];
    views_.begin(records_, member.connections);
    Event event{.event_type = type,
                .customer = {.id = member.id.view(), .external_id = member.external_id},
                .shopping_hub_id = world.programmes[member.programme].id.view(),
                .shopping_hub_external_id = world.programmes[member.programme].external_id};
    for (const std::uint32_t each : member.connections) {
      if (each == slot ? !listed : !records_[each].is_listed) continue;
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
  /// Its place is free afterwards, unless it can come back.
  [[nodiscard]] Event emit_last(World& world, std::uint32_t slot, Type type, bool listed) {
    ConnectionRecord& record = records_[slot];
    record.is_listed = false;
    const Event event = emit(world, slot, type, listed || type != Type::delete_);
    move(world, record, ConnectionTrigger::not_listed);
    if (!record.is_gone()) return event;
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
