// SPDX-License-Identifier: MIT
// The three tables of a tracker and the chains between them: a member's connections and a member's transactions.
#pragma once

#include <bankhook/reflect/owned.hpp>
#include <bankhook/tracking/store/encoded.hpp>
#include <bankhook/tracking/store/hash.hpp>
#include <bankhook/tracking/store/table.hpp>
#include <bankhook/tracking/tracked.hpp>

#include <cstddef>
#include <optional>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI::tracking {

/// What is stored of a member.
struct MemberRecord {
  Customer customer{};
  nullable<Membership> membership{};
  /// The connection whose event was the last one to be applied with everything that it said.
  nullable<std::string_view> last_connection{};
};
/// What is stored of a connection and of a transaction: everything but the member, which is a number.
struct ConnectionRecord {
  Connection connection{};
  nullable<OpenEnum<ConnectionEventType>> event_type{};
  nullable<OpenEnum<ConnectionState>> state{};  ///< what its own events reported
  /// Whether it is missing from the list that counts: the last one that was applied; for a deleted connection, that of its
  /// delete.
  bool is_unlisted = false;
  std::string_view seen{};  ///< the hashes of its last events that changed something
};
struct TransactionRecord {
  InitialTransaction initial_transaction{};
  OpenEnum<TransactionStatus> event_type{};
  std::string_view seen{};  ///< the hashes of the earlier events
};

[[nodiscard]] inline std::string_view id_of(const Owned<MemberRecord>& member) { return member->customer.id; }
[[nodiscard]] inline std::string_view id_of(const Owned<ConnectionRecord>& one) { return one->connection.id; }
[[nodiscard]] inline std::string_view id_of(const Encoded<TransactionRecord>& one) { return one.first_text(); }

/// Where a member's chains start.
struct MemberLinks {
  RecordId first_connection = no_record;  ///< of those that are not gone: neither deleted nor unlisted
  RecordId first_gone = no_record;        ///< of the others: a long history has many of them, and no event walks them
  RecordId first_transaction = no_record;
};
/// The member, and the neighbours in its chain.
struct ChainLinks {
  RecordId member = no_record;
  RecordId previous = no_record;
  RecordId next = no_record;
};

using Members = Table<Owned<MemberRecord>, MemberLinks>;
using Connections = Table<Owned<ConnectionRecord>, ChainLinks>;
/// Most of what a tracker has, and without arrays: encoded, it takes a third of the bytes.
using Transactions = Table<Encoded<TransactionRecord>, ChainLinks>;

/// Calls `f(number)` for each link of the chain that starts at `first`.
template <class Table, class F>
void for_each_in_chain(const Table& table, RecordId first, F&& f) {
  for (RecordId number = first; number != no_record; number = table.links(number).next) f(number);
}

/// Plain data with chains that are kept whole: whoever adds or moves a record does it here.
struct Store {
  Members members{};
  Connections connections{};
  Transactions transactions{};

  template <class = void>
  RecordId add_connection(IdHash hash, const ConnectionRecord& record, RecordId member) {
    return link_connection(connections.add(hash, record), member, is_gone(record));
  }
  template <class = void>
  void replace_connection(RecordId number, const ConnectionRecord& record, RecordId member) {
    connections.replace(number, record);
    MemberLinks& before = members.links(connections.links(number).member);
    unlink(connections, number, before.first_connection == number ? before.first_connection : before.first_gone);
    link_connection(number, member, is_gone(record));
  }
  template <class = void>
  RecordId add_transaction(IdHash hash, const TransactionRecord& record, RecordId member) {
    return link_transaction(transactions.add(hash, record), member);
  }
  template <class = void>
  void replace_transaction(RecordId number, const TransactionRecord& record, RecordId member) {
    transactions.replace(number, record);
    const RecordId before = transactions.links(number).member;
    if (before == member) return;
    unlink(transactions, number, members.links(before).first_transaction);
    link_transaction(number, member);
  }
  [[nodiscard]] static constexpr bool is_gone(const ConnectionRecord& record) {
    return record.is_unlisted || record.state == ConnectionState::deleted;
  }
  [[nodiscard]] static constexpr nullable<OpenEnum<TrackedState>> state_of(const ConnectionRecord& record) {
    const auto state = record.state ? record.state->known() : std::nullopt;
    if (record.is_unlisted && state != ConnectionState::deleted) return OpenEnum(TrackedState::unlisted);
    if (!state) return std::nullopt;
    switch (*state) {
      case ConnectionState::created: return OpenEnum(TrackedState::created);
      case ConnectionState::updated: return OpenEnum(TrackedState::updated);
      case ConnectionState::deleted: break;
    }
    return OpenEnum(TrackedState::deleted);
  }

  /// Puts a record that is in no chain at the start of one of its member's.
  RecordId link_connection(RecordId number, RecordId member, bool is_gone) {
    MemberLinks& links = members.links(member);
    return link(connections, number, member, is_gone ? links.first_gone : links.first_connection);
  }
  RecordId link_transaction(RecordId number, RecordId member) {
    return link(transactions, number, member, members.links(member).first_transaction);
  }

  /// What the queries give back.
  template <class = void>
  [[nodiscard]] TrackedMember read_member(RecordId number) const {
    const MemberRecord& record = members.read(number);
    return {record.customer, record.membership};
  }
  template <class = void>
  [[nodiscard]] TrackedConnection read_connection(RecordId number) const {
    const ConnectionRecord& record = connections.read(number);
    return {record.connection, record.event_type, state_of(record), members.id(connections.links(number).member)};
  }
  template <class = void>
  [[nodiscard]] TrackedTransaction read_transaction(RecordId number) const {
    const TransactionRecord record = transactions.read(number);
    return {record.initial_transaction, record.event_type, members.read(transactions.links(number).member).customer};
  }

  /// Lets go of everything that was replaced since the last call.
  template <class = void>
  void release_replaced() {
    members.release_replaced();
    connections.release_replaced();
    transactions.release_replaced();
  }

  [[nodiscard]] std::size_t capacity() const {
    return members.capacity() + connections.capacity() + transactions.capacity();
  }

 private:
  template <class Table>
  static RecordId link(Table& table, RecordId number, RecordId member, RecordId& first) {
    table.links(number) = {member, no_record, first};
    if (first != no_record) table.links(first).previous = number;
    return first = number;
  }
  /// `first` is where its chain starts, if the record is the first one.
  template <class Table>
  static void unlink(Table& table, RecordId number, RecordId& first) {
    const ChainLinks links = table.links(number);
    if (links.previous != no_record) table.links(links.previous).next = links.next;
    else first = links.next;
    if (links.next != no_record) table.links(links.next).previous = links.previous;
  }
};

}  // namespace bankhook::inline BANKHOOK_ABI::tracking
