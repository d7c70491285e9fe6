// SPDX-License-Identifier: MIT
// The operations on bank connections (spec 6.2): each changes a record and gives the event that the service would send.
#pragma once

#include <bankhook/domain/connection.hpp>
#include <bankhook/domain/connection_lifecycle.hpp>
#include <bankhook/events/bank_connections_update_v2.hpp>
#include <bankhook/reflect/owned.hpp>
#include <bankhook/sandbox/options.hpp>
#include <bankhook/sandbox/world.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <forward_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace sandbox {

/// Section 7: the codes of the data provider are not shown, so these are ours in both forms, and say so: a named code, a
/// numeric one, a message.
inline constexpr std::string_view provider_errors[][3] = {
    {"sandbox_consent_needed", "9001", "The bank asks for a new consent"},
    {"sandbox_wrong_credentials", "9002", "Mot de passe erroné"},
    {"sandbox_bank_unavailable", "9003", "The bank does not answer; try again later"},
    {"sandbox_choice_needed", "9004", "Please choose \"Exemple\" again"},
    {"sandbox_unknown_answer", "9005", "Réponse inconnue :\n\tC:\\exemple"},
};

/// What can be done to a connection.
enum class Operation { create_accounts, update_accounts, desynchronise, resynchronise, remove, disable, enable };

/// Views the world until the next operation.
using ConnectionEvent = std::expected<BankConnectionsUpdateV2, SandboxError>;
using Type = ConnectionEventType;

/// A connection that is made or changed, with room for what it views.
struct Draft : Connection {
  [[nodiscard]] Owned<Connection> finished() {
    accounts = own;
    return Owned<Connection>(*this);
  }

  std::vector<Account> own{accounts.begin(), accounts.end()};
  std::forward_list<std::string> texts{};
};

inline Type type_of(const Choices& chosen, Operation operation) {
  // clang-format off
  const Type types[] = {Type::update, Type::update, chosen.desynchronise_event_type, chosen.resynchronise_event_type,
                        chosen.delete_event_type, chosen.disable_event_type, chosen.enable_event_type};
  // clang-format on
  return types[static_cast<std::size_t>(operation)];
}

/// The table is asked, unless the event's type rests on a choice of one's own, which the table need not know.
inline std::optional<SandboxError> refusal_of(const World& world, const ConnectionRecord& record, Operation operation) {
  using enum Operation;
  using enum SandboxError;
  const Choices& chosen = world.options.choices;
  const std::size_t accounts = record.connection->accounts.size();
  if (record.is_gone()) return connection_is_gone;
  if (operation == enable) {
    if (!record.is_disabled) return connection_is_not_disabled;
    if (chosen.disabled_connection_returns == Choices::Returns::never) return connection_never_returns;
    return std::nullopt;
  }
  if (record.is_disabled) return operation == remove ? std::nullopt : std::optional(connection_is_disabled);
  const Type type = type_of(chosen, operation);
  const bool is_off_table = (record.is_desynchronised && chosen.desynchronise_event_type != Type::update) ||
                            type != type_of(Choices(), operation);
  const bool is_expected = world.options.connection_lifecycle.step(record.state, trigger_of(type)).is_expected();
  if (!is_off_table && !is_expected) return lifecycle_excludes_it;
  if (operation == create_accounts && accounts >= world.options.accounts) return connection_has_max_accounts;
  if (operation == update_accounts && accounts == 0) return connection_has_no_accounts;
  if (operation == desynchronise && record.is_desynchronised) return connection_is_desynchronised;
  if (operation == resynchronise && !record.is_desynchronised) return connection_is_synchronised;
  return std::nullopt;
}

/// 2.2: with the four fraction digits that its form shows; optional, so sometimes left out of a new connection. How long
/// a consent lasts is not shown: the 180 days are synthetic, as ids and names are.
inline void give_consent(World& world, Connection& connection, bool is_new) {
  using namespace std::chrono;
  using Presence = Choices::ConsentPresence;
  const bool rare = world.random.one_in(5) && is_new;
  const nanoseconds fraction(world.random.below(10'000) * 100'000ULL);
  const Presence presence = world.options.choices.consent_presence;
  if (presence == Presence::never || (presence == Presence::often && rare)) return;
  const auto day = floor<days>(world.now);
  const auto second = floor<seconds>(world.now - day);
  if (const auto end = LocalTimestamp::make(day + days(180), second + fraction, 4)) connection.consent_expires_at = *end;
}

/// 2.3: one in eight accounts whose hash comes to be known is a joint one: it gets a hash that was given lately, be it to
/// another member. A hash that changes becomes one that no account had.
inline void give_hash(World& world, Draft& draft, Account& account, bool known) {
  constexpr std::uint64_t last_hashes = 64;
  Random& random = world.random;
  const bool changes = account.account_hash.has_value();
  if (!known && random.one_in(10)) return;
  const std::uint64_t remembered = (std::min)(world.hashes_made, last_hashes);
  const bool is_joint = !changes && remembered > 0 && random.one_in(8);
  account.account_hash = draft.texts.emplace_front(
      world.ids.make_hash(is_joint ? world.hashes_made - 1 - random.below(remembered) : world.hashes_made++));
}

inline void add_accounts(World& world, Draft& draft) {
  const std::uint64_t room = world.options.accounts - draft.own.size();
  for (std::uint32_t count = world.random.between(1, room); count > 0; --count) {
    draft.own.push_back({.id = draft.texts.emplace_front(world.ids.make(Kind::account, world.accounts_made++))});
    give_hash(world, draft, draft.own.back(), false);
  }
}

/// The slot of a connection that is gone is free afterwards.
inline BankConnectionsUpdateV2 emit_connection(World& world, std::size_t slot, Type type, bool listed) {
  using Count = Choices::CountOfConnection;
  ConnectionRecord& record = world.connections[slot];
  MemberRecord& member = world.members[record.member];
  const auto move = [&](ConnectionTrigger trigger) {
    if (const auto to = world.options.connection_lifecycle.step(record.state, trigger).to) record.state = to;
  };
  move(trigger_of(type));
  if (listed) move(ConnectionTrigger::listed);
  if (!record.is_listed) move(ConnectionTrigger::not_listed);
  const auto& [programme, external_programme] = world.programmes[member.programme];
  BankConnectionsUpdateV2 event{.event_type = type,
                                .customer = {.id = member.id, .external_id = member.external_id},
                                .connection = *record.connection,
                                .shopping_hub_id = programme,
                                .shopping_hub_external_id = external_programme};
  world.listed.clear();
  for (const std::size_t each : member.connections) {
    if (each == slot ? !listed : !world.connections[each].is_listed) continue;
    world.listed.push_back(*world.connections[each].connection);
    const Count count = world.connections[each].count(world.options.choices);
    event.customer.connections_on += count == Count::on;
    event.customer.connections_off += count == Count::off;
  }
  event.customer.connections = world.listed;
  if (record.is_gone()) {
    std::erase(member.connections, slot);
    world.connections.release(slot);
  }
  return event;
}

/// 6.2, rule 1: the accounts may not exist yet.
inline ConnectionEvent create_connection(World& world, std::size_t member) {
  const std::size_t slot = world.connections.take();
  const std::string id = world.connections.id_of(slot);
  Draft draft{{.id = id, .bank = world.random.pick(world.banks)}};
  // 2.2 does not show which day it is; the 90 days are synthetic, too.
  draft.transactions_eligible_from_date = std::chrono::floor<std::chrono::days>(world.now) - std::chrono::days(90);
  give_consent(world, draft, true);
  using AtCreation = Choices::AccountsAtCreation;
  const AtCreation at_creation = world.options.choices.accounts_at_creation;
  const bool rare = world.random.one_in(5);
  if (at_creation == AtCreation::some || (at_creation == AtCreation::often_none && rare)) add_accounts(world, draft);
  world.connections[slot] = {.connection = draft.finished(), .member = member};
  world.members[member].connections.push_back(slot);
  return emit_connection(world, slot, Type::create, true);
}

/// 6.2: what becomes of it is shown for accounts only; the rest is a choice or ours.
inline ConnectionEvent change(World& world, std::size_t slot, Operation operation) {
  using Disabled = Choices::DisabledConnection;
  const Choices& chosen = world.options.choices;
  ConnectionRecord& record = world.connections[slot];
  if (const auto refusal = refusal_of(world, record, operation)) return std::unexpected(*refusal);
  Draft draft{*record.connection};
  const bool is_removed = operation == Operation::remove;
  switch (operation) {
    case Operation::create_accounts:  // 6.2, rule 2
      add_accounts(world, draft);
      break;
    case Operation::update_accounts:  // 6.2, rule 2: a hash comes to be known, or another one
      give_hash(world, draft, world.random.pick(draft.own), true);
      break;
    case Operation::desynchronise: {  // whether it then has an errorCode (7) is not shown
      const auto& [named, numeric, message] = world.random.pick(provider_errors);
      record.is_desynchronised = true;
      if (chosen.error_of_desynchronised == Choices::ErrorOfDesynchronised::set) {
        draft.error_code = chosen.error_codes == Choices::ErrorCodes::named ? named : numeric;
        draft.error_message = message;
      }
      if (chosen.accounts_of_desynchronised == Choices::AccountsAfterwards::none) draft.own.clear();
      break;
    }
    case Operation::remove:  // be it disabled
    case Operation::disable:
      if (chosen.accounts_of_deleted == Choices::AccountsAfterwards::none) draft.own.clear();
      record.is_listed = !is_removed && chosen.disabled_connection == Disabled::stays;
      record.is_disabled =
          record.is_listed || (!is_removed && chosen.disabled_connection_returns == Choices::Returns::sometimes);
      break;
    case Operation::resynchronise:
    case Operation::enable:  // it comes back synchronised. That its error goes is assumed: 7 has both null without one
      record.is_desynchronised = record.is_disabled = false;
      record.is_listed = true;
      draft.error_code.reset();
      draft.error_message.reset();
      if (chosen.consent_of_resynchronised == Choices::ConsentAfterwards::renewed) give_consent(world, draft, false);
  }
  record.connection = draft.finished();
  // 2.1 and 6.2: what an update or a create concerns is among all connections of the member, so it is listed even if no
  // longer afterwards.
  const Type type = type_of(chosen, operation);
  const bool in_its_event = is_removed ? chosen.deleted_connection == Choices::DeletedConnection::in_its_event
                                       : chosen.disabled_connection == Disabled::in_its_event;
  return emit_connection(world, slot, type, record.is_listed || in_its_event || type != Type::delete_);
}

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::sandbox
