// SPDX-License-Identifier: MIT
// The differences between two trackers, in the terms of the domain.
#pragma once

#include <bankhook/events/bank_connections_update_v2.hpp>
#include <bankhook/reflect/equality.hpp>
#include <bankhook/reflect/fields.hpp>
#include <bankhook/reflect/wire_names.hpp>
#include <bankhook/tracking/changes.hpp>
#include <bankhook/tracking/differences.hpp>
#include <bankhook/tracking/member.hpp>
#include <bankhook/tracking/tracked.hpp>

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI::tracking::detail {

/// The counts and the programme of a member. If only one side has them, each of them differs.
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
inline std::optional<ChangeKind> kind_of_state(const TrackedConnection& before, const TrackedConnection& after) {
  if (reflect::equal(before.state, after.state)) return std::nullopt;
  if (after.is_deleted()) return ChangeKind::connection_removed;
  if (after.is_unlisted()) return ChangeKind::connection_unlisted;
  if (!before.is_listed()) return ChangeKind::connection_listed_again;
  return std::nullopt;
}

inline void add_differences(const TrackedConnection& before, const TrackedConnection& after, Changes& changes) {
  const std::string_view id = after.connection.id;
  const std::string_view member = after.member_id;
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

inline void add_differences(const TrackedTransaction& before, const TrackedTransaction& after, Changes& changes) {
  const std::string_view id = after.initial_transaction.id;
  const std::string_view member = after.customer.id;
  detail::add_differences(before.initial_transaction, after.initial_transaction, id, member, changes);
}

inline void add_only(const TrackedMember& one, bool is_after, Changes& changes) {
  changes.add({is_after ? ChangeKind::member_added : ChangeKind::member_missing, one.customer.id});
}
inline void add_only(const TrackedConnection& one, bool is_after, Changes& changes) {
  changes.add({is_after ? ChangeKind::connection_added : ChangeKind::connection_missing, one.connection.id, one.member_id});
}
inline void add_only(const TrackedTransaction& one, bool is_after, Changes& changes) {
  const ChangeValue status = change_value(one.initial_transaction.status);
  changes.add({is_after ? ChangeKind::transaction_added : ChangeKind::transaction_missing, one.initial_transaction.id,
               one.customer.id, field_name<&InitialTransaction::status>, is_after ? ChangeValue() : status,
               is_after ? status : ChangeValue()});
}

/// The differences between what two sides have, in the order of their ids: `show` gives of each what queries give.
template <class Stored, class Show>
void add_differences(const std::vector<const Stored*>& before, const std::vector<const Stored*>& after, Show show,
                     Changes& changes) {
  auto left = before.begin();
  auto right = after.begin();
  while (left != before.end() || right != after.end()) {
    const int order = left == before.end() ? 1 : right == after.end() ? -1 : id_of(**left).compare(id_of(**right));
    if (order < 0) add_only(show(false, **left++), false, changes);
    else if (order > 0) add_only(show(true, **right++), true, changes);
    else add_differences(show(false, **left++), show(true, **right++), changes);
  }
}

/// The differences between two members with one id, of whom one may be missing.
inline void add_differences(const Member* before, const Member* after, Changes& changes) {
  const Member none;
  const Member& left = before == nullptr ? none : *before;
  const Member& right = after == nullptr ? none : *after;
  if (before != nullptr && after != nullptr) add_differences(left.shown(), right.shown(), changes);
  else add_only((before != nullptr ? left : right).shown(), after != nullptr, changes);
  const auto show = [&](bool is_after, const auto& stored) { return (is_after ? right : left).shown(*stored); };
  add_differences(left.connections_in_order(), right.connections_in_order(), show, changes);
  add_differences(left.transactions.in_order(), right.transactions.in_order(), show, changes);
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking::detail
