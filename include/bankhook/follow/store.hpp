// SPDX-License-Identifier: MIT
// The three tables of a tracker and the chains between them: a member's connections and a member's transactions.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/follow/held.hpp>
#include <bankhook/follow/index.hpp>
#include <bankhook/follow/table.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bankhook::follow {

/// What is packed of a connection and of a transaction: everything but the member, which is a number. Snapshots name the
/// fields: one that is new here and has no null is listed in a `fields_added_later` of its struct (`NamedUnpacker`), so
/// that the snapshots without it are read, too.
struct ConnectionRecord {
  Connection connection{};
  nullable<OpenEnum<ConnectionEventType>> event_type{};
  nullable<OpenEnum<ConnectionState>> state{};
};
struct TransactionRecord {
  InitialTransaction initial_transaction{};
  OpenEnum<TransactionStatus> event_type{};
};

/// Where a member's chains start.
struct MemberLinks {
  Number first_connection = no_number;  ///< of those that are not gone
  Number first_gone = no_number;        ///< of the others: a long history has many of them, and no event walks them
  Number first_transaction = no_number;
};
/// The member, and the neighbours in its chain.
struct ChainLinks {
  Number member = no_number;
  Number previous = no_number;
  Number next = no_number;
};

using Members = Table<HeldMember, MemberLinks>;
using Connections = Table<ConnectionRecord, ChainLinks>;
using Transactions = Table<TransactionRecord, ChainLinks>;

/// Calls `f(number)` for each link of the chain that starts at `first`.
template <class Table, class F>
void for_each_in_chain(const Table& table, Number first, F&& f) {
  for (Number number = first; number != no_number; number = table.links(number).next) f(number);
}

/// Plain data with chains that are kept whole: whoever adds or moves a record does it here.
struct Store {
  Members members{};
  Connections connections{};
  Transactions transactions{};

  Number add_connection(Tag tag, const ConnectionRecord& record, Number member) {
    return link_connection(connections.add(tag, record, {}), member, is_gone(record));
  }
  void replace_connection(Number number, const ConnectionRecord& record, Number member) {
    connections.replace(number, record);
    MemberLinks& before = members.links(connections.links(number).member);
    unlink(connections, number, before.first_connection == number ? before.first_connection : before.first_gone);
    link_connection(number, member, is_gone(record));
  }
  Number add_transaction(Tag tag, const TransactionRecord& record, Number member) {
    return link_transaction(transactions.add(tag, record, {}), member);
  }
  void replace_transaction(Number number, const TransactionRecord& record, Number member) {
    transactions.replace(number, record);
    const Number before = transactions.links(number).member;
    if (before == member) return;
    unlink(transactions, number, members.links(before).first_transaction);
    link_transaction(number, member);
  }
  [[nodiscard]] static constexpr bool is_gone(const ConnectionRecord& record) {
    return record.state == ConnectionState::deleted;
  }

  /// Puts a record that is in no chain at the start of one of its member's.
  Number link_connection(Number number, Number member, bool is_gone) {
    MemberLinks& links = members.links(member);
    return link(connections, number, member, is_gone ? links.first_gone : links.first_connection);
  }
  Number link_transaction(Number number, Number member) {
    return link(transactions, number, member, members.links(member).first_transaction);
  }

  /// What the queries give back.
  [[nodiscard]] HeldMember read_member(Number number) const { return members.read(number); }
  [[nodiscard]] HeldConnection read_connection(Number number, Arena& arena) const {
    const auto [connection, event_type, state] = connections.read(number, &arena);
    return {connection, event_type, state, members.id_of(connections.links(number).member)};
  }
  [[nodiscard]] HeldTransaction read_transaction(Number number) const {
    const auto [transaction, event_type] = transactions.read(number);
    return {transaction, event_type, read_member(transactions.links(number).member).customer};
  }

  /// Lets go of everything that was replaced since the last call.
  void settle() {
    members.settle();
    connections.settle();
    transactions.settle();
  }

  [[nodiscard]] std::size_t capacity() const {
    return members.capacity() + connections.capacity() + transactions.capacity();
  }

 private:
  template <class Table>
  static Number link(Table& table, Number number, Number member, Number& first) {
    table.links(number) = {member, no_number, first};
    if (first != no_number) table.links(first).previous = number;
    return first = number;
  }
  /// `first` is where its chain starts, if the record is the first one.
  template <class Table>
  static void unlink(Table& table, Number number, Number& first) {
    const ChainLinks links = table.links(number);
    if (links.previous != no_number) table.links(links.previous).next = links.next;
    else first = links.next;
    if (links.next != no_number) table.links(links.next).previous = links.previous;
  }
};

}  // namespace bankhook::follow
