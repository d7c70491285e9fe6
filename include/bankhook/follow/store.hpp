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

/// What is packed of a connection and of a transaction: everything but the member, which is a number.
struct ConnectionRecord {
  Connection connection{};
  nullable<OpenEnum<ConnectionEventType>> event_type{};
  nullable<OpenEnum<ConnectionState>> state{};
};
struct TransactionRecord {
  InitialTransaction initial_transaction{};
  OpenEnum<TransactionStatus> event_type{};
};

/// The begins of a member's chains.
struct MemberLinks {
  Number first_connection = no_number;
  Number first_transaction = no_number;
};
/// The member, and the next one of the same member.
struct ChainLinks {
  Number member = no_number;
  Number next = no_number;
  bool is_gone = false;  ///< a connection that is deleted: known here, because a long history has many of them
};

using Members = Table<HeldMember, MemberLinks>;
using Connections = Table<ConnectionRecord, ChainLinks>;
using Transactions = Table<TransactionRecord, ChainLinks>;

/// Calls `f(number)` for each link of the chain that begins at `first`.
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
    const Number number = connections.add(tag, record, {});
    connections.links(number).is_gone = is_gone(record);
    return link(connections, number, member, members.links(member).first_connection);
  }
  void replace_connection(Number number, const ConnectionRecord& record) {
    connections.replace(number, record);
    connections.links(number).is_gone = is_gone(record);
  }
  Number add_transaction(Tag tag, const TransactionRecord& record, Number member) {
    return link(transactions, transactions.add(tag, record, {}), member, members.links(member).first_transaction);
  }
  [[nodiscard]] static constexpr bool is_gone(const ConnectionRecord& record) {
    return record.state == ConnectionState::deleted;
  }
  /// Puts an added record at the begin of its member's chain.
  template <class Table>
  static Number link(Table& table, Number number, Number member, Number& first) {
    table.links(number) = {member, first, table.links(number).is_gone};
    first = number;
    return number;
  }

  void move_connection(Number number, Number member) {
    unlink(connections, number, members.links(connections.links(number).member).first_connection);
    link(connections, number, member, members.links(member).first_connection);
  }
  void move_transaction(Number number, Number member) {
    unlink(transactions, number, members.links(transactions.links(number).member).first_transaction);
    link(transactions, number, member, members.links(member).first_transaction);
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
  static void unlink(Table& table, Number number, Number& first) {
    Number* at = &first;
    while (*at != number) at = &table.links(*at).next;
    *at = table.links(number).next;
  }
};

}  // namespace bankhook::follow
