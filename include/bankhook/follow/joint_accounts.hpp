// SPDX-License-Identifier: MIT
// JointAccounts (spec 2.3): accounts that share a hash are one real account, and its transactions are counted once.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/domain/account.hpp>
#include <bankhook/domain/connection.hpp>
#include <bankhook/domain/customer.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/follow/digest.hpp>
#include <bankhook/follow/distinct.hpp>
#include <bankhook/follow/index.hpp>
#include <bankhook/follow/sort.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace bankhook {

/// "Accounts that share the same accountHash are the same real bank account" (2.3). A null hash matches nothing, not even
/// another null. Of an account that is added more than once the last hash counts, and a null says nothing of one that
/// was known (assumed: the document does not say that a hash changes). Owns all that it holds.
class JointAccounts {
 public:
  JointAccounts() = default;
  /// Of accounts, connections, customers or events; any range of what `add` takes.
  template <std::ranges::input_range Range>
    requires(!std::is_same_v<std::remove_cvref_t<Range>, JointAccounts>)
  explicit JointAccounts(Range&& range) {
    for (const auto& one : range) add(one);
  }

  void add(const Account& account) {
    const follow::Number number = find_or_add(account.id);
    if (account.account_hash) join(number, *account.account_hash);
  }
  /// All accounts of a connection, of a customer's connections, or of an event, its own connection last.
  void add(const Connection& connection) {
    for (const Account& account : connection.accounts) add(account);
  }
  void add(const ConnectedCustomer& customer) {
    for (const Connection& connection : customer.connections) add(connection);
  }
  void add(const BankConnectionsUpdateV2& event) {
    add(event.customer);
    add(event.connection);
  }
  /// It names no bank account.
  void add(const InitialTransactionUpdate&) {}
  void add(const UnknownEvent&) {}
  /// Of no other type: an event that has no function here must not become an AnyEvent again, and again.
  template <std::same_as<AnyEvent> Any>
  void add(const Any& event) {
    std::visit([this](const auto& known) { this->add(known); }, event);
  }

  /// How many account ids are known.
  [[nodiscard]] std::size_t size() const { return accounts_.size(); }

  /// All accounts with the hash that counts, in the order in which they came. The views live until an account is added.
  [[nodiscard]] std::vector<Account> accounts() const BANKHOOK_LIFETIMEBOUND {
    std::vector<Account> all;
    for (const auto& [id, group] : accounts_) {
      all.push_back({id, std::nullopt});
      if (group != follow::no_number) all.back().account_hash = groups_[group].hash;
    }
    return all;
  }

  /// The id that stands for the real account: the first, in the order of their bytes, of all that share its hash, in
  /// whatever order they came. An account that is not known, or whose hash is not, stands for itself. The view lives
  /// as long as the argument and until an account is added.
  [[nodiscard]] std::string_view canonical(std::string_view account_id BANKHOOK_LIFETIMEBOUND) const
      BANKHOOK_LIFETIMEBOUND {
    const follow::Number number = find(account_id);
    return number == follow::no_number ? account_id : std::string_view(accounts_[canonical_number(number)].id);
  }

  /// Whether two ids are one real account.
  [[nodiscard]] bool same(std::string_view one, std::string_view other) const { return canonical(one) == canonical(other); }

  /// The joint accounts: each group of two or more ids that are one real account, ids and groups in the order of their
  /// bytes. The views live until an account is added.
  [[nodiscard]] std::vector<std::vector<std::string_view>> groups() const BANKHOOK_LIFETIMEBOUND {
    std::vector<std::vector<std::string_view>> all;
    for (const Group& group : groups_) {
      if (group.accounts.size() < 2) continue;
      auto& ids = all.emplace_back();
      for (const follow::Number number : group.accounts) ids.push_back(accounts_[number].id);
    }
    follow::sort(all);
    return all;
  }

  /// The positions of the rows that stay, in order: of rows of one real account with an equal key, the first one.
  /// @param rows any range, such as transactions of the `all_transactions` data (2.3).
  /// @param bank_account_id gives a row's account id as text.
  /// @param key what makes two rows the same transaction besides the account; the document does not say. Any value with
  ///   `==` and a hash, or a tuple of them. It is kept to the end, so it may view a row only if the rows stay in place.
  template <std::ranges::input_range Rows, class BankAccountId, class Key>
  [[nodiscard]] std::vector<std::size_t> deduplicate(Rows&& rows, BankAccountId bank_account_id, Key key) const {
    using Row = std::ranges::range_reference_t<Rows>;
    std::vector<std::size_t> kept;
    follow::Distinct<std::decay_t<std::invoke_result_t<Key&, Row>>> seen;
    std::size_t position = 0;
    for (auto&& row : rows) {
      const auto& id = std::invoke(bank_account_id, row);
      if (seen.insert(canonical(id), std::invoke(key, row))) kept.push_back(position);
      ++position;
    }
    return kept;
  }

 private:
  struct Known {
    std::string id;
    follow::Number group = follow::no_number;
  };
  struct Group {
    std::string hash;
    std::vector<follow::Number> accounts;  ///< in the order of their ids
  };

  [[nodiscard]] follow::Number find(std::string_view id) const {
    return index_.find(follow::tag_of(id), [&](follow::Number number) { return accounts_[number].id == id; });
  }
  [[nodiscard]] follow::Number canonical_number(follow::Number number) const {
    const follow::Number group = accounts_[number].group;
    return group == follow::no_number ? number : groups_[group].accounts.front();
  }

  follow::Number find_or_add(std::string_view id) {
    if (const follow::Number number = find(id); number != follow::no_number) return number;
    const auto number = static_cast<follow::Number>(accounts_.size());
    accounts_.push_back({std::string(id)});
    index_.insert(follow::tag_of(id), number);
    return number;
  }

  void join(follow::Number account, std::string_view hash) {
    const follow::Tag tag = follow::tag_of(hash);
    follow::Number group = hash_index_.find(tag, [&](follow::Number number) { return groups_[number].hash == hash; });
    if (group == follow::no_number) {
      group = static_cast<follow::Number>(groups_.size());
      groups_.push_back({std::string(hash), {}});
      hash_index_.insert(tag, group);
    }
    follow::Number& held = accounts_[account].group;
    if (held == group) return;
    if (held != follow::no_number) std::erase(groups_[held].accounts, account);
    held = group;
    auto& members = groups_[group].accounts;
    const auto by_id = [this](follow::Number number) -> const std::string& { return accounts_[number].id; };
    members.insert(std::ranges::lower_bound(members, accounts_[account].id, {}, by_id), account);
  }

  std::vector<Known> accounts_;
  std::vector<Group> groups_;
  follow::Index index_;       ///< of accounts by id
  follow::Index hash_index_;  ///< of groups by hash
};

}  // namespace bankhook
