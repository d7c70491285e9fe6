// SPDX-License-Identifier: MIT
// Seeded streams of events about few keys, so that everything meets everything: late, repeated, missing, unknown, moved.
#pragma once

#include <bankhook/events/any_event.hpp>
#include <bankhook/reflect/owned.hpp>

#include <tracking/stories.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::test {

/// Makes one event at a time; its views live until the next one. `members` names whom the events are about.
class RandomEvents {
 public:
  RandomEvents(std::uint64_t seed, std::span<const std::string_view> members) : random_(seed), members_(members) {}

  [[nodiscard]] AnyEvent next() {
    if (one_in(40)) return UnknownEvent{"points_update", R"({"event":"points_update"})"};
    if (one_in(2)) return next_transaction();
    return next_bank();
  }

 private:
  std::size_t below(std::size_t limit) { return random_() % limit; }
  bool one_in(std::size_t count) { return below(count) == 0; }
  template <class T, std::size_t Count>
  const T& pick(const std::array<T, Count>& from) {
    return from[below(Count)];
  }

  /// Keys stay with their member, but for one in thirty.
  std::size_t next_field() {
    member_ = below(members_.size());
    return one_in(30) ? below(members_.size()) : member_;
  }
  std::string_view id_of(std::string_view prefix, std::size_t member, std::size_t number) {
    std::string id(prefix);
    id.append(members_[member]) += static_cast<char>('a' + number);
    return *texts_.emplace_back(std::string_view(id));
  }
  Customer customer(std::size_t member) {
    return {members_[member], one_in(20) ? std::string_view("another") : std::string_view("external")};
  }

  AnyEvent next_transaction() {
    texts_.clear();
    const std::size_t owner = next_field();
    constexpr std::array statuses{TransactionStatus::created, TransactionStatus::created, TransactionStatus::validated,
                                  TransactionStatus::rejected};
    InitialTransactionUpdate event = transaction(id_of("it-", owner, below(3)), pick(statuses));
    event.customer = customer(member_);
    if (one_in(10)) event.initial_transaction.amount = Decimal(static_cast<std::int64_t>(below(3)), 2);
    if (one_in(10)) event.initial_transaction.transaction_id = "tr-1";
    if (one_in(20)) event.event_type = TransactionStatus::validated;
    if (one_in(20)) event.initial_transaction.status = OpenEnum<TransactionStatus>::of("released");
    return event;
  }

  Connection next_connection(std::size_t member, std::size_t number) {
    Connection made = connection(id_of("conn-", member, number));
    if (one_in(4)) made.error_code = pick(std::array<std::string_view, 2>{"1", "2"});
    if (one_in(4)) made.error_message = "message";
    if (one_in(6)) made.bank = "Another";
    if (one_in(6)) made.consent_expires_at = *LocalTimestamp::parse("2027-03-01 09:30:00.0000");
    auto& accounts = accounts_.emplace_back();
    for (std::size_t count = below(4); count > 0; --count) {
      accounts.push_back({pick(std::array<std::string_view, 3>{"acc-1", "acc-2", "acc-3"}), std::nullopt});
      if (one_in(2)) accounts.back().account_hash = pick(std::array<std::string_view, 2>{"hash-1", "hash-2"});
    }
    made.accounts = accounts;
    return made;
  }

  AnyEvent next_bank() {
    texts_.clear();
    accounts_.clear();
    accounts_.reserve(16);
    listed_.clear();
    const std::size_t owner = next_field();
    for (std::size_t number = 0; number < 3; ++number) {
      if (!one_in(4)) listed_.push_back(next_connection(owner, number));
    }
    if (one_in(20) && !listed_.empty()) listed_.push_back(next_connection(owner, 0));
    const Connection own = one_in(8) || listed_.empty() ? next_connection(owner, below(3)) : listed_[below(listed_.size())];
    constexpr std::array types{ConnectionEventType::create, ConnectionEventType::update, ConnectionEventType::update,
                               ConnectionEventType::delete_};
    BankConnectionsUpdateV2 event = bank(pick(types), own, listed_);
    const auto [id, external_id] = customer(member_);
    event.customer.id = id;
    event.customer.external_id = external_id;
    if (one_in(20)) event.event_type = OpenEnum<ConnectionEventType>::of("pause");
    return event;
  }

  std::mt19937_64 random_;
  std::span<const std::string_view> members_;
  std::size_t member_ = 0;
  std::vector<Owned<std::string_view>> texts_;
  std::vector<std::vector<Account>> accounts_;
  std::vector<Connection> listed_;
};

}  // namespace bankhook::test
