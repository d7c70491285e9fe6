// SPDX-License-Identifier: MIT
// What is stored of one member, each record in a block of memory of its own, and as what queries give it back.
#pragma once

#include <bankhook/base/optional.hpp>
#include <bankhook/domain/connection.hpp>
#include <bankhook/domain/connection_lifecycle.hpp>
#include <bankhook/domain/customer.hpp>
#include <bankhook/domain/initial_transaction.hpp>
#include <bankhook/reflect/meaning.hpp>
#include <bankhook/reflect/owned.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/tracking/digest.hpp>
#include <bankhook/tracking/encoded.hpp>
#include <bankhook/tracking/records.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook { inline namespace BANKHOOK_ABI {

/// What only bank-connection events say of a member (2.1, 6.2): its counts and its programme.
struct Membership {
  static constexpr std::string_view section = "6.2";
  static constexpr std::string_view meaning =
      "What only bank-connection events say of a member: its counts and its programme";
  static constexpr Meaning meanings[] = {
      {"connections_on", "Count of the member's active bank connections, as last reported"},
      {"connections_off", "Count of the member's bank connections in error, as last reported"},
      {"shopping_hub_id", "Programme id in the service"},
      {"shopping_hub_external_id", "Programme id in the consumer's system"},
  };

  std::uint64_t connections_on{};
  std::uint64_t connections_off{};
  std::string_view shopping_hub_id{};
  std::string_view shopping_hub_external_id{};
};

/// A member as a tracker stores it. Views live until the tracker changes.
struct TrackedMember {
  static constexpr std::string_view section = "2.1";
  static constexpr std::string_view meaning = "A member as a tracker stores it";
  static constexpr Meaning meanings[] = {
      {"customer", "The ids of the member"},
      {"membership", "Its counts and its programme; null until a bank-connection event of the member was accepted"},
  };

  Customer customer{};
  nullable<Membership> membership{};
};

/// A bank connection as a tracker stores it. Views live until the tracker changes.
struct TrackedConnection {
  static constexpr std::string_view section = "2.2";
  static constexpr std::string_view meaning = "A bank connection as a tracker stores it";
  static constexpr Meaning meanings[] = {
      {"connection", "The connection as it was last reported"},
      {"event_type", "Type of its last accepted event; null while it is only listed among those of its member"},
      {"state",
       "Its state: listed, created, updated, deleted or unlisted; null only where a table of your own leaves it before "
       "the first one"},
      {"member_id", "Id of the member whose connection it is"},
  };

  Connection connection{};
  nullable<OpenEnum<ConnectionEventType>> event_type{};
  nullable<OpenEnum<ConnectionState>> state{};
  std::string_view member_id{};

  /// Whether its delete has come.
  [[nodiscard]] constexpr bool is_deleted() const { return state == ConnectionState::deleted; }
  /// Whether the last list that counted, or its own event's but for a create's, does not have it, without a delete since.
  [[nodiscard]] constexpr bool is_unlisted() const { return state == ConnectionState::unlisted; }
  /// Whether it is one of the member's connections now: neither deleted nor unlisted.
  [[nodiscard]] constexpr bool is_listed() const { return !is_deleted() && !is_unlisted(); }
  /// 7: whether it has an errorCode or an errorMessage.
  [[nodiscard]] constexpr bool is_in_error() const { return connection.error_code || connection.error_message; }
};

/// An initial transaction as a tracker stores it. Views live until the tracker changes.
struct TrackedTransaction {
  static constexpr std::string_view section = "2.4";
  static constexpr std::string_view meaning = "An initial transaction as a tracker stores it";
  static constexpr Meaning meanings[] = {
      {"initial_transaction", "The initial transaction as its last accepted event had it"},
      {"state",
       "Its state by the lifecycle: created, validated or rejected; null if only statuses that are not listed have come"},
      {"customer", "The member, with its current ids"},
  };

  InitialTransaction initial_transaction{};
  nullable<OpenEnum<TransactionStatus>> state{};
  Customer customer{};
};

}}  // namespace bankhook::BANKHOOK_ABI

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace tracking {

struct MemberRecord {
  Customer customer{};
  nullable<Membership> membership{};
  /// The connection whose event was the last one to be applied with everything that it said.
  nullable<std::string_view> last_connection{};
};
struct ConnectionRecord {
  Connection connection{};
  nullable<OpenEnum<ConnectionEventType>> event_type{};  ///< of its last accepted event; null: none of its own has come
  nullable<OpenEnum<ConnectionState>> state{};
  std::string_view seen{};  ///< digests of its last accepted events

  /// Where its next step starts.
  [[nodiscard]] std::optional<ConnectionState> place() const { return state ? state->known() : std::nullopt; }
  /// Whether it is one of the member's connections now.
  [[nodiscard]] bool is_live() const { return state != ConnectionState::deleted && state != ConnectionState::unlisted; }
};
struct TransactionRecord {
  InitialTransaction initial_transaction{};
  nullable<OpenEnum<TransactionStatus>> state{};
  std::string_view seen{};
};

[[nodiscard]] inline std::string_view id_of(const Account& one) { return one.id; }
[[nodiscard]] inline std::string_view id_of(const Owned<ConnectionRecord>& one) { return one->connection.id; }
[[nodiscard]] inline std::string_view id_of(const Encoded<TransactionRecord>& one) { return one.first<std::string_view>(); }

/// Plain data. Live connections and the others are apart: a long history has many of the others, and no event walks them.
struct Member {
  /// Its ids and what else there is of it are apart: a transaction's event may change the ids, and then copies these only.
  Encoded<Customer> customer{};
  Encoded<MemberRecord> rest{};  ///< without ids
  Records<Encoded<TransactionRecord>> transactions{};
  Records<Owned<ConnectionRecord>> live{};
  Records<Owned<ConnectionRecord>> gone{};

  [[nodiscard]] const Owned<ConnectionRecord>* find_connection(const IdKey& key) const {
    const auto* const found = live.find(key);
    return found != nullptr ? found : gone.find(key);
  }
  [[nodiscard]] MemberRecord record() const {
    const auto [_, membership, last_connection] = *rest;
    return {*customer, membership, last_connection};
  }
  void put(const MemberRecord& one) {
    Encoded ids(one.customer);  // first: if memory runs out, neither changes
    rest = Encoded(MemberRecord{{}, one.membership, one.last_connection});
    customer = std::move(ids);
  }
  void put(const ConnectionRecord& one) {
    const bool is_live = one.is_live();
    Owned stored(one);
    const IdKey key(id_of(stored));  // in the block, whoever owns that
    (is_live ? live : gone).put(key, std::move(stored));
    (is_live ? gone : live).remove(key);  // afterwards: if memory runs out, it is where it was
  }
  void put(const IdKey& key, const TransactionRecord& one) { transactions.put(key, Encoded(one)); }
  /// Its connections in the order of their ids, those that are deleted or unlisted, too.
  [[nodiscard]] std::vector<const Owned<ConnectionRecord>*> connections_in_order() const {
    std::vector<const Owned<ConnectionRecord>*> all = live.in_order();
    for (const auto* const one : gone.in_order()) all.push_back(one);
    sort(all, [](const auto* one) { return id_of(*one); });
    return all;
  }
  /// Forgets what is not wanted, see `Tracker::forget_unwanted`. Whether anything is left.
  bool keep(const auto& is_wanted) {
    const std::string_view id = customer.first<std::string_view>();
    live.remove_if([&](const auto& one) { return !is_wanted.connection(id_of(one), id, false); });
    gone.remove_if([&](const auto& one) { return !is_wanted.connection(id_of(one), id, true); });
    transactions.remove_if([&](const auto& one) { return !is_wanted.transaction(id_of(one)); });
    return !live.empty() || !gone.empty() || !transactions.empty();
  }
  /// Bytes that it has allocated, about. Looks at everything that is tracked.
  [[nodiscard]] std::size_t size() const {
    return customer.size() + rest.size() + live.memory() + gone.memory() + transactions.memory();
  }

  /// What queries give back; views this member.
  [[nodiscard]] TrackedMember shown() const { return {*customer, (*rest).membership}; }
  [[nodiscard]] TrackedConnection shown(const ConnectionRecord& one) const {
    return {one.connection, one.event_type, one.state, customer.first<std::string_view>()};
  }
  [[nodiscard]] TrackedTransaction shown(const TransactionRecord& one) const {
    return {one.initial_transaction, one.state, *customer};
  }
  /// The same of a record that was looked for; empty for nullptr.
  [[nodiscard]] auto shown_or_nothing(const auto* stored) const {
    return stored == nullptr ? std::nullopt : std::optional(shown(**stored));
  }
  /// The same of some of its records, after what is in `out`.
  template <class Stored, class Shown>
  void show(const std::vector<const Stored*>& records, std::vector<Shown>& out) const {
    for (const Stored* const one : records) out.push_back(shown(**one));
  }
};

[[nodiscard]] inline std::string_view id_of(const Member& one) { return one.customer.first<std::string_view>(); }

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::tracking
