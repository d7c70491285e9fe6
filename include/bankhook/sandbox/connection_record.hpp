// SPDX-License-Identifier: MIT
// A bank connection and its accounts as the sandbox keeps them, and as an event shows them.
#pragma once

#include <bankhook/domain/connection.hpp>
#include <bankhook/domain/connection_lifecycle.hpp>
#include <bankhook/sandbox/pool.hpp>
#include <bankhook/sandbox/world.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI::sandbox {

struct AccountRecord {
  Identifier id;
  AccountHash hash;
  bool has_hash = false;
};

struct ConnectionRecord {
  Identifier id;
  std::uint32_t member = 0;
  std::optional<ConnectionState> state{};  ///< by the events that were sent; empty before the first one
  bool is_listed = false;                  ///< among all connections of its member
  bool is_desynchronised = false;          ///< 3.2 shows no states; these two are ours, beside those of the events
  bool is_disabled = false;
  std::optional<std::uint8_t> error;  ///< index into provider_errors
  std::uint8_t bank = 0;
  std::chrono::year_month_day eligible_from{};
  maybe_absent<LocalTimestamp> consent{};
  std::vector<AccountRecord> accounts;

  /// Makes a new connection of what the slot held before.
  void start(World& world, Handle handle, std::uint32_t of_member) {
    id = world.ids.make(Kind::connection, handle);
    member = of_member;
    state.reset();
    is_listed = true;
    is_desynchronised = is_disabled = false;
    error.reset();
    bank = static_cast<std::uint8_t>(world.random.below(static_cast<std::uint32_t>(world.banks.size())));
    // 2.2 does not show which day it is; the 90 days are synthetic, too.
    eligible_from = std::chrono::floor<std::chrono::days>(world.clock.now()) - std::chrono::days(90);
    accounts.clear();
    give_consent(world, true);
  }

  /// Nothing happens to it any more.
  [[nodiscard]] bool is_gone() const { return !is_listed && !is_disabled; }

  /// 2.2: with the four fraction digits that its form shows; optional, so sometimes left out of a new connection. How long
  /// a consent lasts is not shown: the 180 days are synthetic, as ids and names are.
  void give_consent(World& world, bool is_new) {
    using namespace std::chrono;
    const bool rare = world.random.one_in(5) && is_new;
    const nanoseconds fraction(world.random.below(10'000) * 100'000ULL);
    const SandboxChoices::ConsentPresence presence = world.options.choices.consent_presence;
    consent.reset();
    if (presence == SandboxChoices::ConsentPresence::never || (presence == SandboxChoices::ConsentPresence::often && rare))
      return;
    const auto day = floor<days>(world.clock.now());
    const auto second = floor<seconds>(world.clock.now() - day);
    if (const auto end = LocalTimestamp::make(day + days(180), second + fraction, 4)) consent = *end;
  }

  /// 3.2: which count it belongs to.
  [[nodiscard]] SandboxChoices::CountOfConnection count(const SandboxChoices& chosen) const {
    if (is_disabled || is_gone()) return chosen.count_of_disabled;
    const bool off = chosen.counted_off == SandboxChoices::CountedOff::with_error ? error.has_value() : is_desynchronised;
    if (off) return SandboxChoices::CountOfConnection::off;
    return accounts.empty() ? chosen.count_without_accounts : SandboxChoices::CountOfConnection::on;
  }
};

/// The connections of one event, in memory that is used again for the next.
class ConnectionViews {
 public:
  /// Makes room for these connections and for one of them again, so that no view moves.
  void begin(const Pool<ConnectionRecord>& records, std::span<const std::uint32_t> slots) {
    std::size_t accounts = 0;
    std::size_t most = 0;
    for (const std::uint32_t slot : slots) {
      accounts += records[slot].accounts.size();
      most = std::max(most, records[slot].accounts.size());
    }
    connections_.clear();
    connections_.reserve(slots.size());
    accounts_.clear();
    accounts_.reserve(accounts + most);
  }

  void add(const World& world, const ConnectionRecord& record) { connections_.push_back(view(world, record)); }

  /// The connection as 2.2 has it; valid until `begin`.
  [[nodiscard]] Connection view(const World& world, const ConnectionRecord& record) {
    const std::size_t first = accounts_.size();
    for (const AccountRecord& account : record.accounts) {
      Account& view = accounts_.emplace_back(Account{.id = account.id.view()});
      if (account.has_hash) view.account_hash = account.hash.view();
    }
    Connection view{.id = record.id.view(),
                    .bank = world.banks[record.bank],
                    .transactions_eligible_from_date = record.eligible_from,
                    .consent_expires_at = record.consent,
                    .accounts = std::span<const Account>(accounts_).subspan(first)};
    if (record.error) {
      const ProviderError& error = provider_errors[*record.error];
      view.error_code =
          world.options.choices.error_codes == SandboxChoices::ErrorCodes::named ? error.named : error.numeric;
      view.error_message = error.message;
    }
    return view;
  }

  [[nodiscard]] std::span<const Connection> connections() const { return connections_; }

 private:
  std::vector<Connection> connections_;
  std::vector<Account> accounts_;
};

}  // namespace bankhook::inline BANKHOOK_ABI::sandbox
