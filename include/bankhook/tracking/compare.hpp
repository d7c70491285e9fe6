// SPDX-License-Identifier: MIT
// The differences between two trackers, in the terms of the domain.
#pragma once

#include <bankhook/events/bank_connections_update_v2.hpp>
#include <bankhook/events/initial_transaction_update.hpp>
#include <bankhook/reflect/equality.hpp>
#include <bankhook/reflect/fields.hpp>
#include <bankhook/reflect/wire_names.hpp>
#include <bankhook/tracking/changes.hpp>
#include <bankhook/tracking/differences.hpp>
#include <bankhook/tracking/store/sort.hpp>
#include <bankhook/tracking/store/store.hpp>
#include <bankhook/tracking/tracked.hpp>

#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI::tracking::detail {

/// The counts and the programme of a member. If only one side has them, each of them differs.
template <class = void>
inline void add_differences(const TrackedMember& before, const TrackedMember& after, Changes& changes) {
  const std::string_view id = after.customer.id;
  detail::add_differences(before.customer, after.customer, id, {}, changes);
  if (before.membership && after.membership) {
    return detail::add_differences(*before.membership, *after.membership, id, {}, changes);
  }
  if (!before.membership && !after.membership) return;
  reflect::for_each_field<Membership>([&]<std::size_t I>() {
    const auto value = [](const nullable<Membership>& side) {
      return side ? change_value(reflect::field<I>(*side)) : ChangeValue();
    };
    changes.add({kind_of_field<Membership, I>,
                 id,
                 {},
                 reflect::wire_name<Membership, I>.view(),
                 value(before.membership),
                 value(after.membership)});
    return true;
  });
}

/// How its state differs, if a kind of its own says it.
template <class = void>
inline std::optional<ChangeKind> kind_of_state(const TrackedConnection& before, const TrackedConnection& after) {
  if (reflect::equal(before.state, after.state)) return std::nullopt;
  if (after.is_deleted()) return ChangeKind::connection_removed;
  if (after.is_unlisted()) return ChangeKind::connection_unlisted;
  if (!before.is_listed()) return ChangeKind::connection_listed_again;
  return std::nullopt;
}

template <class = void>
inline void add_differences(const TrackedConnection& before, const TrackedConnection& after, Changes& changes) {
  const std::string_view id = after.connection.id;
  const std::string_view member = after.member_id;
  if (before.member_id != member)
    changes.add({ChangeKind::connection_moved, id, member, customer_id, before.member_id, member});
  const std::optional<ChangeKind> kind = kind_of_state(before, after);
  if (kind) changes.add({*kind, id, member});
  const bool same_event = reflect::equal(before.event_type, after.event_type);
  if (!same_event || (!kind && !reflect::equal(before.state, after.state))) {
    // An eventType that is not listed leaves the state as it was: then the states say what differs.
    changes.add({ChangeKind::connection_event_received, id, member, field_name<&BankConnectionsUpdateV2::event_type>,
                 same_event ? change_value(before.state) : change_value(before.event_type),
                 same_event ? change_value(after.state) : change_value(after.event_type)});
  }
  add_changes(before.connection, after.connection, member, changes);
}

template <class = void>
inline void add_differences(const TrackedTransaction& before, const TrackedTransaction& after, Changes& changes) {
  const std::string_view id = after.initial_transaction.id;
  const std::string_view member = after.customer.id;
  if (before.customer.id != member)
    changes.add({ChangeKind::transaction_moved, id, member, customer_id, before.customer.id, member});
  detail::add_differences(before.initial_transaction, after.initial_transaction, id, member, changes);
  if (before.event_type != after.event_type) {
    changes.add({ChangeKind::transaction_event_received, id, member, field_name<&InitialTransactionUpdate::event_type>,
                 before.event_type.text(), after.event_type.text()});
  }
}

template <class = void>
inline void add_only(const TrackedMember& one, bool is_after, Changes& changes) {
  changes.add({is_after ? ChangeKind::member_added : ChangeKind::member_missing, one.customer.id});
}
template <class = void>
inline void add_only(const TrackedConnection& one, bool is_after, Changes& changes) {
  changes.add({is_after ? ChangeKind::connection_added : ChangeKind::connection_missing, one.connection.id, one.member_id});
}
template <class = void>
inline void add_only(const TrackedTransaction& one, bool is_after, Changes& changes) {
  const ChangeValue status = change_value(one.initial_transaction.status);
  changes.add({is_after ? ChangeKind::transaction_added : ChangeKind::transaction_missing, one.initial_transaction.id,
               one.customer.id, field_name<&InitialTransaction::status>, is_after ? ChangeValue() : status,
               is_after ? status : ChangeValue()});
}

/// The differences between the records of two tables, in the order of their ids. Only what differs is sorted.
/// @param read `read(store, number)` gives a record as queries do
template <class Table, class Read>
void add_differences(const Store& before, const Store& after, Table Store::* table, Read read, Changes& changes) {
  struct Differing {
    std::string_view id;
    RecordId before = no_record, after = no_record;
    bool operator<(const Differing& other) const { return id < other.id; }
  };
  std::vector<Differing> differing;
  Changes found;
  for (RecordId number = 0; number < (before.*table).size(); ++number) {
    const std::string_view id = (before.*table).id(number);
    const RecordId counterpart = (after.*table).find(id);
    found.clear();
    if (counterpart != no_record) add_differences(read(before, number), read(after, counterpart), found);
    if (counterpart == no_record || !found.empty()) differing.push_back({id, number, counterpart});
  }
  for (RecordId number = 0; number < (after.*table).size(); ++number) {
    const std::string_view id = (after.*table).id(number);
    if ((before.*table).find(id) == no_record) differing.push_back({id, no_record, number});
  }
  sort(differing);
  for (const Differing& one : differing) {
    if (one.after == no_record) add_only(read(before, one.before), false, changes);
    else if (one.before == no_record) add_only(read(after, one.after), true, changes);
    else add_differences(read(before, one.before), read(after, one.after), changes);
  }
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking::detail

namespace bankhook::inline BANKHOOK_ABI::tracking {

/// What is different in `after`: members first, then connections, then transactions, each in the order of their ids.
template <std::same_as<Store> S>
[[nodiscard]] Changes compare(const S& before, const S& after) {
  Changes changes;
  const auto member = [](const S& store, RecordId number) { return store.read_member(number); };
  const auto connection = [](const S& store, RecordId number) { return store.read_connection(number); };
  const auto transaction = [](const S& store, RecordId number) { return store.read_transaction(number); };
  detail::add_differences(before, after, &Store::members, member, changes);
  detail::add_differences(before, after, &Store::connections, connection, changes);
  detail::add_differences(before, after, &Store::transactions, transaction, changes);
  return changes;
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking
