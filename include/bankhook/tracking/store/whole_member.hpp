// SPDX-License-Identifier: MIT
// A member with its connections and transactions, as one value: what is written, read, merged and compared.
#pragma once

#include <bankhook/base/optional.hpp>
#include <bankhook/tracking/store/hash.hpp>
#include <bankhook/tracking/store/sort.hpp>
#include <bankhook/tracking/store/store.hpp>

#include <concepts>
#include <span>
#include <string_view>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI::tracking {

/// A transaction in a snapshot. Its place id has a name of its own here, because the wire name of that field is up to the
/// user (2.4, Note), and a snapshot can be restored under any name.
struct WholeTransaction {
  InitialTransaction initial_transaction{};
  maybe_absent<std::string_view> place{};
  OpenEnum<TransactionStatus> event_type{};
  std::string_view seen{};
};

/// Everything that is stored of a member; connections and transactions in the order of their ids.
struct WholeMember {
  Customer customer{};
  nullable<Membership> membership{};
  nullable<std::string_view> last_connection{};
  std::span<const ConnectionRecord> connections{};
  std::span<const WholeTransaction> transactions{};
};

/// Puts members together, one after the other. A template of the only store that there is, so that its codec is compiled
/// only for those who store a tracker or compare two.
template <std::same_as<Store> S>
class WholeMembers {
 public:
  explicit WholeMembers(const S& store) : store_(store) {}

  /// Valid until the next one is put together, or the store changes.
  [[nodiscard]] WholeMember operator()(RecordId number) {
    connections_.clear();
    transactions_.clear();
    const MemberLinks& links = store_.members.links(number);
    for (const RecordId first : {links.first_connection, links.first_gone}) {
      for_each_in_chain(store_.connections, first,
                        [&](RecordId one) { connections_.push_back(store_.connections.read(one)); });
    }
    for_each_in_chain(store_.transactions, links.first_transaction, [&](RecordId one) {
      const TransactionRecord record = store_.transactions.read(one);
      transactions_.push_back(
          {record.initial_transaction, record.initial_transaction.place_id, record.event_type, record.seen});
      transactions_.back().initial_transaction.place_id.reset();
    });
    sort(connections_, ByConnectionId());
    sort(transactions_, [](const WholeTransaction& a, const WholeTransaction& b) {
      return a.initial_transaction.id < b.initial_transaction.id;
    });
    const MemberRecord& member = store_.members.read(number);
    return {member.customer, member.membership, member.last_connection, connections_, transactions_};
  }

 private:
  const S& store_;
  std::vector<ConnectionRecord> connections_{};
  std::vector<WholeTransaction> transactions_{};
};

/// Adds a member with all that it has. False if one of its ids is there already; a part of it may have been added then.
template <class = void>
[[nodiscard]] bool add(Store& store, const WholeMember& whole) {
  const IdHash hash = id_hash(whole.customer.id);
  if (store.members.find(hash, whole.customer.id) != no_record) return false;
  const RecordId member = store.members.add(hash, MemberRecord{whole.customer, whole.membership, whole.last_connection});
  for (const ConnectionRecord& record : whole.connections) {
    const IdHash own = id_hash(record.connection.id);
    if (store.connections.find(own, record.connection.id) != no_record) return false;
    store.add_connection(own, record, member);
  }
  for (const WholeTransaction& one : whole.transactions) {
    TransactionRecord record{one.initial_transaction, one.event_type, one.seen};
    record.initial_transaction.place_id = one.place;
    const IdHash own = id_hash(record.initial_transaction.id);
    if (store.transactions.find(own, record.initial_transaction.id) != no_record) return false;
    store.add_transaction(own, record, member);
  }
  return true;
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking
