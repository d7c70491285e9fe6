// SPDX-License-Identifier: MIT
// The three tables of a tracker and the chains between them: a member's connections and a member's transactions.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/compiler.hpp>
#include <bankhook/tracking/store/decode.hpp>
#include <bankhook/tracking/store/index.hpp>
#include <bankhook/tracking/store/seen.hpp>
#include <bankhook/tracking/store/table.hpp>
#include <bankhook/tracking/tracked.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace bankhook::tracking {

/// Whether the list that counts has a connection: the last one that was applied; for a deleted connection, that of its
/// delete.
enum class Listing : std::uint8_t { listed, unlisted };

/// What is encoded of a member. `last_connection` is the tag of the connection whose event was the last one to be applied
/// with everything that it said, plus one; 0 is none.
struct MemberRecord {
  static constexpr std::array<std::string_view, 1> fields_added_later{"last_connection"};

  Customer customer{};
  nullable<Membership> membership{};
  std::uint64_t last_connection{};
};
/// What is encoded of a connection and of a transaction: everything but the member, which is a number. Snapshots name the
/// fields: a new field that cannot be null is listed in `fields_added_later` of its struct (`NamedUnpacker`), so that
/// snapshots without it can be read, too.
struct ConnectionRecord {
  static constexpr std::array<std::string_view, 2> fields_added_later{"listing", "seen"};

  Connection connection{};
  nullable<OpenEnum<ConnectionEventType>> event_type{};
  nullable<OpenEnum<ConnectionState>> state{};  ///< what its own events reported
  Listing listing{};
  std::string_view seen{};  ///< the hashes of its last events that changed something
};
struct TransactionRecord {
  static constexpr std::array<std::string_view, 1> fields_added_later{"seen"};

  InitialTransaction initial_transaction{};
  OpenEnum<TransactionStatus> event_type{};
  std::string_view seen{};  ///< the hashes of the earlier events
};

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

using Members = Table<MemberRecord, MemberLinks>;
using Connections = Table<ConnectionRecord, ChainLinks>;
using Transactions = Table<TransactionRecord, ChainLinks>;

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

  RecordId add_connection(IdHash tag, const ConnectionRecord& record, RecordId member) {
    return link_connection(connections.add(tag, record, {}), member, is_gone(record));
  }
  void replace_connection(RecordId number, const ConnectionRecord& record, RecordId member) {
    connections.replace(number, record);
    MemberLinks& before = members.links(connections.links(number).member);
    unlink(connections, number, before.first_connection == number ? before.first_connection : before.first_gone);
    link_connection(number, member, is_gone(record));
  }
  RecordId add_transaction(IdHash tag, const TransactionRecord& record, RecordId member) {
    return link_transaction(transactions.add(tag, record, {}), member);
  }
  void replace_transaction(RecordId number, const TransactionRecord& record, RecordId member) {
    transactions.replace(number, record);
    const RecordId before = transactions.links(number).member;
    if (before == member) return;
    unlink(transactions, number, members.links(before).first_transaction);
    link_transaction(number, member);
  }
  [[nodiscard]] static constexpr bool is_unlisted(const ConnectionRecord& record) {
    return record.listing == Listing::unlisted;
  }
  [[nodiscard]] static constexpr bool is_gone(const ConnectionRecord& record) {
    return is_unlisted(record) || record.state == ConnectionState::deleted;
  }
  [[nodiscard]] static constexpr nullable<OpenEnum<TrackedState>> state_of(const ConnectionRecord& record) {
    const auto state = record.state ? record.state->known() : std::nullopt;
    if (is_unlisted(record) && state != ConnectionState::deleted) return OpenEnum(TrackedState::unlisted);
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
  [[nodiscard]] TrackedMember read_member(RecordId number) const {
    const MemberRecord record = members.read(number);
    return {record.customer, record.membership};
  }
  /// Its ids alone, which its record starts with.
  [[nodiscard]] Customer customer_of(RecordId member) const {
    Reader in(members.encoded(member));
    Customer customer;
    if (!decode(in, customer, nullptr)) base::fail_without_memory();
    return customer;
  }
  [[nodiscard]] TrackedConnection read_connection(RecordId number, Arena& arena) const {
    const ConnectionRecord record = connections.read(number, &arena);
    return {record.connection, record.event_type, state_of(record), members.id_of(connections.links(number).member)};
  }
  [[nodiscard]] TrackedTransaction read_transaction(RecordId number) const {
    const TransactionRecord record = transactions.read(number);
    return {record.initial_transaction, record.event_type, customer_of(transactions.links(number).member)};
  }

  /// Lets go of everything that was replaced since the last call.
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

}  // namespace bankhook::tracking
