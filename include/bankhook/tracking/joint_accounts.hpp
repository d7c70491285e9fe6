// SPDX-License-Identifier: MIT
// JointAccounts (spec 2.3): accounts that share a hash are one real account, and its transactions are counted once.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/domain/account.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/reflect/value_kinds.hpp>

#include <algorithm>  // and the concepts of ranges, without the rest of <ranges>
#include <compare>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI {

/// A connection, a customer's connections, an event, or any event; whatever has accounts in one of its fields.
template <class T>
concept MayHoldAccounts = reflect::contains<Account, T> || detail::is_one_of<AnyEvent, T> || std::same_as<T, AnyEvent>;

/// Which account ids are one real account: "Accounts that share the same accountHash are the same real bank account" (2.3).
/// Assumed, because the specification does not say: a null hash matches nothing, not even another null, and neither does an
/// empty one; if an account is added more than once, its last hash counts, but a null or empty one does not replace it; the
/// `bankAccountId` of the `all_transactions` data is the `id` of an Account.
///
/// Owns everything that it stores. Ordered by id and by hash: whatever ids and hashes are chosen, a search takes
/// logarithmic time.
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
    auto known = hashes_.lower_bound(account.id);
    if (known == hashes_.end() || known->first != account.id) {
      known = hashes_.emplace_hint(known, account.id, std::string());
    }
    if (account.account_hash && !account.account_hash->empty()) join(known->first, known->second, *account.account_hash);
  }
  /// All accounts in a connection, in a customer's connections or in an event, its own connection last; there may be none.
  template <MayHoldAccounts T>
  void add(const T& value) {
    add_parts(value);
  }

  /// How many account ids are known.
  [[nodiscard]] std::size_t size() const { return hashes_.size(); }

  /// All accounts with the hash that counts, in the order of their ids. The views live until an account is added.
  [[nodiscard]] std::vector<Account> accounts() const BANKHOOK_LIFETIMEBOUND {
    std::vector<Account> all;
    for (const auto& [id, hash] : hashes_) {
      all.push_back({id, std::nullopt});
      if (!hash.empty()) all.back().account_hash = hash;
    }
    return all;
  }

  /// The id that stands for the real account: the first, in the order of their bytes, of all that share its hash, in
  /// whatever order they came. It changes when an account is added that comes before it: store `key` instead. An account
  /// that is not known, or whose hash is not, stands for itself. The view lives as long as the argument and until
  /// an account is added.
  [[nodiscard]] std::string_view canonical(std::string_view account_id BANKHOOK_LIFETIMEBOUND) const
      BANKHOOK_LIFETIMEBOUND {
    const auto group = find(account_id).second;
    return group == groups_.end() ? account_id : std::string_view(*group->second.begin());
  }
  template <detail::TemporaryText S>
  std::string_view canonical(S&& account_id) const = delete;

  /// A text that stands for the real account, to store with its transactions: `hash:` and its hash or, if none is known,
  /// `account:` and the id. Adding other accounts never changes it; only a new hash for this very account does, its first
  /// or another one.
  [[nodiscard]] std::string key(std::string_view account_id) const {
    const auto group = find(account_id).second;
    std::string key(group == groups_.end() ? "account:" : "hash:");
    return key += group == groups_.end() ? account_id : std::string_view(group->first);
  }

  /// Whether two ids are one real account.
  [[nodiscard]] bool same(std::string_view one, std::string_view other) const { return canonical(one) == canonical(other); }

  /// The joint accounts: each group of two or more ids that are one real account, ids and groups in the order of their
  /// bytes. The views live until an account is added.
  [[nodiscard]] std::vector<std::vector<std::string_view>> groups() const BANKHOOK_LIFETIMEBOUND {
    std::vector<std::vector<std::string_view>> all;
    for (const auto& [id, hash] : hashes_) {  // a group comes with the first of its ids
      const auto group = hash.empty() ? groups_.end() : groups_.find(hash);
      if (group == groups_.end() || group->second.size() < 2 || *group->second.begin() != id) continue;
      all.emplace_back(group->second.begin(), group->second.end());
    }
    return all;
  }

  /// The positions of the rows that stay, in order. The n-th equal row of one account id is matched with the n-th of each
  /// other id with the same hash, and only the first of these stays. So rows of one account id never drop each other: two
  /// equal purchases are two. Rows of an account that shares its hash with no other stay, and so do rows without an
  /// account.
  /// @param rows any range, such as transactions of the `all_transactions` data (2.3). Pass the rows of all ids together,
  ///   because a call does not know what another one was given.
  /// @param bank_account_id gives a row's account id as text, or as an optional value of it.
  /// @param key what makes two rows equal besides the account; the specification does not say. Any value that `<=>` puts
  ///   in order, or an optional or a tuple of these; amounts as Decimal, since a floating-point number may be none. It is
  ///   kept to the end, so it may view a row only if the rows stay in place.
  template <std::ranges::input_range Rows, class BankAccountId, class Key>
  [[nodiscard]] std::vector<std::size_t> deduplicate(Rows&& rows, BankAccountId bank_account_id, Key key) const {
    using Value = std::decay_t<std::invoke_result_t<Key&, std::ranges::range_reference_t<Rows>>>;
    static_assert(std::three_way_comparable<Value, std::weak_ordering>, "the_key_of_a_row_has_an_order_without_gaps");
    struct Row {
      const void* group;
      Value key;
      const void* account;
      std::size_t position;

      [[nodiscard]] auto equal_ones() const { return std::tie(group, key); }
      bool operator<(const Row& other) const {
        return std::tie(group, key, account, position) < std::tie(other.group, other.key, other.account, other.position);
      }
    };
    std::vector<Row> shared;
    std::vector<std::size_t> kept;
    std::size_t position = 0;
    for (auto&& row : rows) {
      const auto& id = std::apply(bank_account_id, std::forward_as_tuple(row));
      const auto [account, group] = find(text_of(id));
      if (group == groups_.end() || group->second.size() < 2) kept.push_back(position);
      else shared.push_back({&*group, std::apply(key, std::forward_as_tuple(row)), &*account, position});
      ++position;
    }
    std::sort(shared.begin(), shared.end());
    std::vector<std::size_t> firsts;  // of equal rows: where each occurrence comes first
    for (auto row = shared.begin(); row != shared.end(); firsts.clear()) {
      std::size_t occurrence = 0;
      const auto first = row;
      for (; row != shared.end() && row->equal_ones() == first->equal_ones(); ++row, ++occurrence) {
        if (row != first && row->account != std::prev(row)->account) occurrence = 0;
        if (occurrence == firsts.size()) firsts.push_back(row->position);
        else firsts[occurrence] = std::min(firsts[occurrence], row->position);
      }
      kept.insert(kept.end(), firsts.begin(), firsts.end());
    }
    std::sort(kept.begin(), kept.end());
    return kept;
  }

 private:
  /// By hash: the ids that share it. Never an empty hash, never no id.
  using Groups = std::map<std::string, std::set<std::string, std::less<>>, std::less<>>;
  /// By id: the hash that counts, or an empty text.
  using Hashes = std::map<std::string, std::string, std::less<>>;

  /// A row's account, if it has one.
  template <class Id>
  [[nodiscard]] static std::optional<std::string_view> text_of(const Id& id) {
    if constexpr (std::is_convertible_v<const Id&, std::string_view>) return std::string_view(id);
    else return id ? std::optional<std::string_view>(*id) : std::nullopt;
  }

  /// What is known of an account, and its group.
  [[nodiscard]] std::pair<Hashes::const_iterator, Groups::const_iterator> find(
      std::optional<std::string_view> account_id) const {
    const auto known = account_id ? hashes_.find(*account_id) : hashes_.end();
    return {known, known == hashes_.end() || known->second.empty() ? groups_.end() : groups_.find(known->second)};
  }

  template <reflect::HasParts T>
  void add_parts(const T& value) {
    reflect::for_each_part(value, [&]<class Part>(const Part& part) {
      if constexpr (std::same_as<Part, Account>) add(part);
      else if constexpr (reflect::HasParts<Part>) add_parts(part);
      return true;
    });
  }

  /// From now on `hash` counts for the account, and `known` no longer does.
  void join(const std::string& id, std::string& known, std::string_view hash) {
    if (known == hash) return;
    if (const auto left = groups_.find(known); left != groups_.end()) {
      left->second.erase(id);
      if (left->second.empty()) groups_.erase(left);
    }
    known = hash;
    groups_[known].insert(id);
  }

  Hashes hashes_;
  Groups groups_;
};

}  // namespace bankhook::inline BANKHOOK_ABI
