// SPDX-License-Identifier: MIT
// JointAccounts (spec 2.3): accounts that share a hash are one real account, and its transactions are counted once.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/domain/account.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/text/characters.hpp>
#include <bankhook/tracking/digest.hpp>
#include <bankhook/tracking/records.hpp>

#include <algorithm>  // and the concepts of ranges, without the rest of <ranges>
#include <compare>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace bankhook { inline namespace BANKHOOK_ABI {

/// An account, a connection, a customer's connections, an event, or any event; whatever has accounts in its fields.
template <class T>
concept MayHoldAccounts = (std::same_as<T, Account> || !std::is_base_of_v<Account, T>) &&
                          (detail::reflect::contains<Account, T> || detail::is_one_of<AnyEvent, T>);

/// Which account ids are one real account: "Accounts that share the same accountHash are the same real bank account" (2.3).
/// Assumed, because the specification does not say: a null hash matches nothing, not even another null, and neither does an
/// empty or blank one, of which nothing can be seen; if an account is added more than once, its last hash counts, but one
/// that matches nothing does not replace it; the `bankAccountId` of the `all_transactions` data is the `id` of an Account.
///
/// Owns everything that it stores. Ids and hashes are found by keyed hashes: whoever chooses them cannot make a search
/// long.
class JointAccounts {
  // Most functions are templates, so that a unit that does not call them does not compile them: `&JointAccounts::key<>`.
 public:
  JointAccounts() = default;
  /// Of accounts, connections, customers or events; any range of what `add` takes.
  template <std::ranges::input_range Range>
    requires(!std::is_same_v<std::remove_cvref_t<Range>, JointAccounts>)
  explicit JointAccounts(Range&& range) {
    for (const auto& one : range) add(one);
  }

  /// Adds an account.
  template <class = void>
  void add(const Account& account) {
    add_accounts(account);
  }
  /// Adds all accounts in a connection, in a customer's connections or in an event, its own connection last; there may be
  /// none.
  void add(const MayHoldAccounts auto& value) { add_accounts(value); }

  /// How many account ids are known.
  [[nodiscard]] std::size_t size() const { return accounts_.size(); }

  /// All accounts with the hash that counts, in the order of their ids. The views live until an account is added.
  template <class = void>
  [[nodiscard]] std::vector<Account> accounts() const BANKHOOK_LIFETIMEBOUND {
    std::vector<Account> all;
    for (const Known* const known : accounts_.in_order()) {
      all.push_back({known->id, std::nullopt});
      if (!known->hash.empty()) all.back().account_hash = known->hash;
    }
    return all;
  }

  /// The id that stands for the real account: the first, in the order of their bytes, of all that share its hash, in
  /// whatever order they came. It changes when an account is added that comes before it: store `key` instead. An account
  /// that is not known, or whose hash is not, stands for itself. The view lives as long as the argument and until
  /// an account is added.
  template <class = void>
  [[nodiscard]] std::string_view canonical(std::string_view account_id BANKHOOK_LIFETIMEBOUND) const
      BANKHOOK_LIFETIMEBOUND {
    const Group* const group = find(account_id).second;
    return group == nullptr ? account_id : std::string_view(*group->ids.begin());
  }
  template <detail::TemporaryText S>
  detail::keep_it_in_a_variable_because_it_is_gone_before_what_views_it canonical(S&& account_id) const;

  /// A text that stands for the real account, to store with its transactions: `hash:` and its hash or, if none is known,
  /// `account:` and the id. Adding other accounts never changes it; only a new hash for this very account does, its first
  /// or another one.
  template <class = void>
  [[nodiscard]] std::string key(std::string_view account_id) const {
    const Group* const group = find(account_id).second;
    return group == nullptr ? "account:" + std::string(account_id) : "hash:" + group->hash;
  }

  /// Whether two ids are one real account.
  template <class = void>
  [[nodiscard]] bool same(std::string_view one, std::string_view other) const {
    return canonical(one) == canonical(other);
  }

  /// The joint accounts: each group of two or more ids that are one real account, ids and groups in the order of their
  /// bytes. The views live until an account is added.
  template <class = void>
  [[nodiscard]] std::vector<std::vector<std::string_view>> groups() const BANKHOOK_LIFETIMEBOUND {
    std::vector<std::vector<std::string_view>> all;
    for (const Known* const known : accounts_.in_order()) {
      const Group* const group = find(known->id).second;
      if (group != nullptr && group->ids.size() > 1 && *group->ids.begin() == known->id)
        all.emplace_back(group->ids.begin(), group->ids.end());
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
    constexpr bool is_ordered = std::three_way_comparable<Value, std::weak_ordering>;
    static_assert(is_ordered, "give a key that has an order without gaps: no floating-point number");
    struct Row {
      const Group* group;
      Value key;
      const void* account;
      std::size_t position;

      auto operator<=>(const Row&) const = default;
    };
    std::vector<Row> shared;
    std::vector<bool> stays;
    for (auto&& row : rows) {
      const auto& id = std::apply(bank_account_id, std::forward_as_tuple(row));
      const auto [account, group] = find(id);
      const bool is_shared = group != nullptr && group->ids.size() > 1;
      if (is_shared) shared.push_back({group, std::apply(key, std::forward_as_tuple(row)), account, stays.size()});
      stays.push_back(!is_shared);
    }
    std::vector<std::size_t> firsts;  // of equal rows: where each occurrence comes first
    std::sort(shared.begin(), shared.end());
    for (auto row = shared.begin(); row != shared.end(); firsts.clear()) {
      std::size_t occurrence = 0;
      const auto first = row;
      for (; row != shared.end() && row->group == first->group && row->key == first->key; ++row, ++occurrence) {
        if (row != first && row->account != std::prev(row)->account) occurrence = 0;
        if (occurrence == firsts.size()) firsts.push_back(row->position);
        else firsts[occurrence] = (std::min)(firsts[occurrence], row->position);
      }
      for (const std::size_t position : firsts) stays[position] = true;
    }
    std::vector<std::size_t> kept;
    for (std::size_t position = 0; position < stays.size(); ++position) {
      if (stays[position]) kept.push_back(position);
    }
    return kept;
  }

 private:
  struct Known {
    std::string id;
    std::string hash;  ///< the one that counts, or an empty text

    friend std::string_view id_of(const Known& known) { return known.id; }
  };
  /// Ids that share a hash: never a blank one, never no id.
  struct Group {
    std::string hash;
    std::set<std::string, std::less<>> ids;

    friend std::string_view id_of(const Group& group) { return group.hash; }
  };

  /// What is known of an account, and its group; null for what is not known. `id` is a text or an optional value of it.
  template <class Id>
  [[nodiscard]] std::pair<const Known*, const Group*> find(const Id& id) const {
    if constexpr (std::is_convertible_v<const Id&, std::string_view>) {
      const Known* const known = accounts_.find(std::string_view(id));
      return {known, known == nullptr ? nullptr : groups_.find(detail::tracking::IdKey(known->hash))};
    } else {
      return id ? find(*id) : std::pair<const Known*, const Group*>();
    }
  }

  /// Adds `value` if it is an account, otherwise all accounts in it.
  template <class T>
  void add_accounts(const T& value) {
    if constexpr (std::same_as<T, Account>) {
      const detail::tracking::IdKey key(value.id);
      Known* known = accounts_.find(key);
      if (known == nullptr) known = &accounts_.put(key, {std::string(value.id), {}});
      const std::string_view hash = value.account_hash.value_or("");
      if (detail::text::shows_nothing(hash) || hash == known->hash) return;
      const detail::tracking::IdKey before(known->hash), now(hash);
      if (Group* const left = groups_.find(before); left != nullptr) {
        left->ids.erase(known->id);
        if (left->ids.empty()) groups_.remove(before);
      }
      known->hash = hash;
      Group* group = groups_.find(now);
      if (group == nullptr) group = &groups_.put(now, {known->hash, {}});
      group->ids.insert(known->id);
    } else if constexpr (detail::reflect::HasParts<T>) {
      detail::reflect::for_each_part(value, [this](const auto& part) { return this->add_accounts(part), true; });
    }
  }

  detail::tracking::Records<Known> accounts_;
  detail::tracking::Records<Group> groups_;
};

}}  // namespace bankhook::BANKHOOK_ABI
