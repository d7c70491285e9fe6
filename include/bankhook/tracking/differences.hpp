// SPDX-License-Identifier: MIT
// The differences between the tracked state and an event, or between two trackers, as changes of the domain.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/members.hpp>
#include <bankhook/reflect/equality.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/reflect/wire_names.hpp>
#include <bankhook/tracking/changes.hpp>
#include <bankhook/tracking/member.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace tracking {

/// The value of a field as a change shows it.
template <class T>
[[nodiscard]] ChangeValue change_value(const T& value) {
  if constexpr (reflect::OptionalValue<T>) return value ? change_value(*value) : ChangeValue();
  else if constexpr (reflect::OpenEnumeration<T>) return value.text();
  else return value;
}

/// A change of a value. Compiled once for each type of value, not for each member.
template <class V>
BANKHOOK_NOINLINE void add_difference(ChangeSubject subject, std::string_view id, std::string_view parent_id,
                                      std::string_view field, const V* before, const V* after, Changes& changes) {
  changes.add({ChangeKind::changed, subject, id, parent_id, field,
               before == nullptr ? ChangeValue() : change_value(*before),
               after == nullptr ? ChangeValue() : change_value(*after)});
}

/// A change for each field of `T` that differs, but for arrays. If only one side has it, each of them differs.
template <class T>
void add_differences(ChangeSubject subject, const T* before, const T* after, std::string_view id,
                     std::string_view parent_id, Changes& changes) {
  reflect::for_each_field<T>([&]<std::size_t At>() {
    using Field = reflect::FieldType<T, At>;
    if constexpr (!reflect::Array<Field>) {
      const Field* const left = before == nullptr ? nullptr : &reflect::field<At>(*before);
      const Field* const right = after == nullptr ? nullptr : &reflect::field<At>(*after);
      const bool is_same = left == nullptr || right == nullptr ? left == right : reflect::equal(*left, *right);
      if (!is_same) [[unlikely]]
        add_difference(subject, id, parent_id, reflect::wire_name<T, At>.view(), left, right, changes);
    }
    return true;
  });
}

/// Resources in the order of their ids, each id once: the first one wins.
template <class T>
[[nodiscard]] std::vector<const T*> by_id(std::span<const T> resources) {
  std::vector<const T*> sorted;
  sorted.reserve(resources.size());
  for (const T& one : resources) sorted.push_back(&one);
  sort(sorted, [](const T* one) { return std::pair(one->id, one); });
  const auto is_same = [](const T* a, const T* b) { return a->id == b->id; };
  sorted.erase(std::unique(sorted.begin(), sorted.end(), is_same), sorted.end());
  return sorted;
}

/// Goes once through two sides in the order of their ids: `f` gets the two with one id, or one of them and nullptr.
template <class T, class F>
void pair_by_id(const std::vector<const T*>& before, const std::vector<const T*>& after, F f) {
  auto left = before.begin();
  auto right = after.begin();
  while (left != before.end() || right != after.end()) {
    const int order = left == before.end() ? 1 : right == after.end() ? -1 : id_of(**left).compare(id_of(**right));
    f(order <= 0 ? *left++ : nullptr, order >= 0 ? *right++ : nullptr);
  }
}

/// The accounts that differ, in the order of their ids.
inline void add_accounts(const Connection& before, const Connection& after, std::string_view member, auto& changes) {
  if (reflect::equal(before.accounts, after.accounts)) return;
  const std::size_t changes_before = changes.size();
  pair_by_id(by_id(before.accounts), by_id(after.accounts), [&](const Account* left, const Account* right) {
    if (left != nullptr && right != nullptr)
      add_differences(ChangeSubject::account, left, right, right->id, after.id, changes);
    else if (left != nullptr) changes.add({ChangeKind::removed, ChangeSubject::account, left->id, after.id});
    else if (right != nullptr) changes.add({ChangeKind::added, ChangeSubject::account, right->id, after.id});
  });
  if (changes.size() != changes_before) return;
  changes.add({ChangeKind::reordered, ChangeSubject::connection, after.id, member, field_name<&Connection::accounts>});
}

/// The fields of a connection.
inline void add_changes(const Connection& before, const Connection& after, std::string_view member, auto& changes) {
  add_differences(ChangeSubject::connection, &before, &after, after.id, member, changes);
  add_accounts(before, after, member, changes);
}

/// A connection in its state; nullptr: it is new, and of what it holds, only its error and its accounts are changes.
inline void add_changes(const ConnectionRecord* before, const ConnectionRecord& after, std::string_view member,
                        bool first_event_missing, auto& changes) {
  const Connection& connection = after.connection;
  const bool is_deleted = after.state == ConnectionState::deleted;
  const auto add = [&](ChangeKind kind, bool is_first = false) {
    changes.add({.kind = kind,
                 .subject = ChangeSubject::connection,
                 .id = connection.id,
                 .parent_id = member,
                 .first_event_missing = is_first && first_event_missing});
  };
  if (before == nullptr) {
    add(ChangeKind::added, true);
    Connection without = connection;
    without.error_code = without.error_message = std::nullopt;
    without.accounts = {};
    add_changes(without, connection, member, changes);
    if (!after.is_live()) add(is_deleted ? ChangeKind::removed : ChangeKind::unlisted);
    return;
  }
  const bool was_deleted = before->state == ConnectionState::deleted;
  const std::size_t changes_before = changes.size();
  if (!was_deleted && is_deleted) add(ChangeKind::removed);
  else if (!is_deleted && (before->is_live() || was_deleted) && !after.is_live()) add(ChangeKind::unlisted);
  else if (!before->is_live() && after.is_live()) add(was_deleted ? ChangeKind::added : ChangeKind::listed_again);
  if (!reflect::equal(before->event_type, after.event_type))
    changes.add({ChangeKind::changed, ChangeSubject::connection, connection.id, member,
                 field_name<&BankConnectionsUpdateV2::event_type>, change_value(before->event_type),
                 change_value(after.event_type), !before->event_type && first_event_missing});
  else if (changes.size() == changes_before && !reflect::equal(before->state, after.state))
    add_difference(ChangeSubject::connection, connection.id, member, field_name<&TrackedConnection::state>, &before->state,
                   &after.state, changes);
  add_changes(before->connection, connection, member, changes);
}

/// A transaction; nullptr: it is new.
inline void add_changes(const TransactionRecord* before, const TransactionRecord& after, std::string_view member,
                        bool first_event_missing, auto& changes) {
  const InitialTransaction& one = after.initial_transaction;
  if (before != nullptr)
    return add_differences(ChangeSubject::transaction, &before->initial_transaction, &one, one.id, member, changes);
  changes.add({.kind = ChangeKind::added,
               .subject = ChangeSubject::transaction,
               .id = one.id,
               .parent_id = member,
               .field = field_name<&InitialTransaction::status>,
               .after = one.status.text(),
               .first_event_missing = first_event_missing});
}

/// The ids of a member; nullptr: it is new.
inline void add_changes(const Customer* before, const Customer& after, auto& changes) {
  if (before == nullptr) changes.add({ChangeKind::added, ChangeSubject::member, after.id});
  else add_differences(ChangeSubject::member, before, &after, after.id, {}, changes);
}

/// A member, its ids, counts and programme; nullptr: it is new.
inline void add_changes(const MemberRecord* before, const MemberRecord& after, auto& changes) {
  const std::string_view id = after.customer.id;
  add_changes(before == nullptr ? nullptr : &before->customer, after.customer, changes);
  if (before == nullptr) return;
  const auto address_of = [](const auto& value) { return value ? &*value : nullptr; };
  add_differences(ChangeSubject::member, address_of(before->membership), address_of(after.membership), id, {}, changes);
}

/// What differs between two members with one id, of whom one may be missing: the member, its connections, its transactions.
inline void add_changes(const Member* before, const Member* after, auto& changes) {
  const Member none;
  const Member& left = before == nullptr ? none : *before;
  const Member& right = after == nullptr ? none : *after;
  const std::string_view member = id_of(after == nullptr ? left : right);
  const MemberRecord known = left.record();
  if (after == nullptr) changes.add({ChangeKind::missing, ChangeSubject::member, member});
  else add_changes(before == nullptr ? nullptr : &known, after->record(), changes);
  pair_by_id(left.connections_in_order(), right.connections_in_order(), [&](const auto* one, const auto* other) {
    if (other == nullptr) changes.add({ChangeKind::missing, ChangeSubject::connection, id_of(*one), member});
    else add_changes(one == nullptr ? nullptr : &**one, **other, member, false, changes);
  });
  pair_by_id(left.transactions.in_order(), right.transactions.in_order(), [&](const auto* one, const auto* other) {
    const TransactionRecord before_it = one == nullptr ? TransactionRecord() : **one;
    if (other == nullptr)
      changes.add({ChangeKind::missing, ChangeSubject::transaction, id_of(*one), member,
                   field_name<&InitialTransaction::status>, before_it.initial_transaction.status.text()});
    else add_changes(one == nullptr ? nullptr : &before_it, **other, member, false, changes);
  });
}

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::tracking
