// SPDX-License-Identifier: MIT
// The differences between the tracked state and an event, or between two trackers, as changes of the domain.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/reflect/equality.hpp>
#include <bankhook/reflect/fields.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/reflect/wire_names.hpp>
#include <bankhook/tracking/changes.hpp>
#include <bankhook/tracking/member.hpp>
#include <bankhook/tracking/tracked.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI::tracking::detail {

/// The value of a field as a change shows it.
template <class T>
[[nodiscard]] ChangeValue change_value(const T& value) {
  if constexpr (reflect::OptionalValue<T>) return value ? change_value(*value) : ChangeValue();
  else if constexpr (reflect::OpenEnumeration<T>) return value.text();
  else return value;
}

/// What it is that has the fields of `T`.
template <class T>
inline constexpr ChangeSubject subject_of = [] {
  if constexpr (std::is_same_v<T, Customer> || std::is_same_v<T, Membership>) return ChangeSubject::member;
  else if constexpr (std::is_same_v<T, Connection>) return ChangeSubject::connection;
  else if constexpr (std::is_same_v<T, Account>) return ChangeSubject::account;
  else {
    static_assert(std::is_same_v<T, InitialTransaction>, "a_struct_without_a_line_here_is_not_tracked");
    return ChangeSubject::transaction;
  }
}();

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
void add_differences(const T* before, const T* after, std::string_view id, std::string_view parent_id, Changes& changes) {
  reflect::for_each_field<T>([&]<std::size_t I>() {
    using Field = std::remove_cvref_t<decltype(reflect::field<I>(*before))>;
    if constexpr (!reflect::Array<Field>) {
      const Field* const left = before == nullptr ? nullptr : &reflect::field<I>(*before);
      const Field* const right = after == nullptr ? nullptr : &reflect::field<I>(*after);
      const bool is_same = left == nullptr || right == nullptr ? left == right : reflect::equal(*left, *right);
      if (!is_same) [[unlikely]]
        add_difference(subject_of<T>, id, parent_id, reflect::wire_name<T, I>.view(), left, right, changes);
    }
    return true;
  });
}

/// An id and where the one that has it stands.
struct Position {
  std::string_view id;
  std::size_t at = 0;

  bool operator<(const Position& other) const {
    const int by_id = id.compare(other.id);
    return by_id != 0 ? by_id < 0 : at < other.at;
  }
};

/// Where resources stand, in the order of their ids, each id once: the first one wins.
template <class T>
[[nodiscard]] std::vector<Position> by_id(std::span<const T> resources) {
  std::vector<Position> sorted;
  sorted.reserve(resources.size());
  for (const T& one : resources) sorted.push_back({one.id, sorted.size()});
  std::sort(sorted.begin(), sorted.end());
  const auto is_same = [](const Position& a, const Position& b) { return a.id == b.id; };
  sorted.erase(std::unique(sorted.begin(), sorted.end(), is_same), sorted.end());
  return sorted;
}

/// Goes once through two sides in the order of their ids: `f` gets the two with one id, or one of them and nullptr.
template <class T, class Id, class F>
void pair_by_id(const std::vector<T>& before, const std::vector<T>& after, Id id, F f) {
  auto left = before.begin();
  auto right = after.begin();
  while (left != before.end() || right != after.end()) {
    const int order = left == before.end() ? 1 : right == after.end() ? -1 : id(*left).compare(id(*right));
    f(order <= 0 ? &*left++ : nullptr, order >= 0 ? &*right++ : nullptr);
  }
}

/// The accounts that differ, in the order of their ids.
inline void add_accounts(const Connection& before, const Connection& after, std::string_view member, Changes& changes) {
  if (reflect::equal(before.accounts, after.accounts)) return;
  const std::size_t changes_before = changes.size();
  const auto id = [](const Position& one) { return one.id; };
  pair_by_id(by_id(before.accounts), by_id(after.accounts), id, [&](const Position* left, const Position* right) {
    if (right == nullptr) changes.add({ChangeKind::removed, ChangeSubject::account, left->id, after.id});
    else if (left == nullptr) changes.add({ChangeKind::added, ChangeSubject::account, right->id, after.id});
    else add_differences(&before.accounts[left->at], &after.accounts[right->at], right->id, after.id, changes);
  });
  if (changes.size() != changes_before) return;
  changes.add({ChangeKind::reordered, ChangeSubject::connection, after.id, member, field_name<&Connection::accounts>});
}

/// A connection that is tracked and remains.
inline void add_changes(const Connection& before, const Connection& after, std::string_view member, Changes& changes) {
  add_differences(&before, &after, after.id, member, changes);
  add_accounts(before, after, member, changes);
}

/// A connection that is new: of what it holds, only its error and its accounts are changes of their own.
inline void add_changes_of_new(const Connection& connection, std::string_view member, bool first_event_missing,
                               Changes& changes) {
  changes.add({.kind = ChangeKind::added,
               .subject = ChangeSubject::connection,
               .id = connection.id,
               .parent_id = member,
               .first_event_missing = first_event_missing});
  Connection without = connection;
  without.error_code = without.error_message = std::nullopt;
  without.accounts = {};
  add_changes(without, connection, member, changes);
}

/// A member that is tracked: a `TrackedMember`, or its record.
template <class M>
void add_changes(const M& before, const M& after, Changes& changes) {
  const auto address_of = [](const auto& value) { return value ? &*value : nullptr; };
  const std::string_view id = after.customer.id;
  add_differences(&before.customer, &after.customer, id, {}, changes);
  add_differences(address_of(before.membership), address_of(after.membership), id, {}, changes);
}

/// How a connection's state differs, if not only its fields do.
inline std::optional<ChangeKind> kind_of_state(const TrackedConnection& before, const TrackedConnection& after) {
  if (reflect::equal(before.state, after.state)) return std::nullopt;
  if (after.is_deleted()) return ChangeKind::removed;
  if (after.is_unlisted()) return ChangeKind::unlisted;
  return before.is_listed() ? std::nullopt : std::optional(ChangeKind::listed_again);
}

inline void add_changes(const TrackedConnection& before, const TrackedConnection& after, Changes& changes) {
  const std::string_view id = after.connection.id, member = after.member_id;
  const std::optional<ChangeKind> kind = kind_of_state(before, after);
  if (kind) changes.add({*kind, ChangeSubject::connection, id, member});
  const bool same_event = reflect::equal(before.event_type, after.event_type);
  if (!same_event)
    add_difference(ChangeSubject::connection, id, member, field_name<&BankConnectionsUpdateV2::event_type>,
                   &before.event_type, &after.event_type, changes);
  // An eventType that is not listed leaves the state as it was: then the states say what differs.
  else if (!kind && !reflect::equal(before.state, after.state))
    add_difference(ChangeSubject::connection, id, member, field_name<&TrackedConnection::state>, &before.state,
                   &after.state, changes);
  add_changes(before.connection, after.connection, member, changes);
}

inline void add_changes(const TrackedTransaction& before, const TrackedTransaction& after, Changes& changes) {
  const InitialTransaction& one = after.initial_transaction;
  add_differences(&before.initial_transaction, &one, one.id, after.customer.id, changes);
}

inline void add_only(const TrackedMember& one, ChangeKind kind, Changes& changes) {
  changes.add({kind, ChangeSubject::member, one.customer.id});
}
inline void add_only(const TrackedConnection& one, ChangeKind kind, Changes& changes) {
  changes.add({kind, ChangeSubject::connection, one.connection.id, one.member_id});
}
inline void add_only(const TrackedTransaction& one, ChangeKind kind, Changes& changes) {
  Change change{kind, ChangeSubject::transaction, one.initial_transaction.id, one.customer.id,
                field_name<&InitialTransaction::status>};
  (kind == ChangeKind::added ? change.after : change.before) = change_value(one.initial_transaction.status);
  changes.add(change);
}

/// What differs between two members with one id, of whom one may be missing: the member, its connections, its transactions.
inline void add_changes(const Member* before, const Member* after, Changes& changes) {
  const Member none;
  const Member& left = before == nullptr ? none : *before;
  const Member& right = after == nullptr ? none : *after;
  if (before == nullptr) add_only(right.shown(), ChangeKind::added, changes);
  else if (after == nullptr) add_only(left.shown(), ChangeKind::missing, changes);
  else add_changes(left.shown(), right.shown(), changes);
  const auto add = [&](const auto* one, const auto* other) {
    if (one == nullptr) add_only(right.shown(***other), ChangeKind::added, changes);
    else if (other == nullptr) add_only(left.shown(***one), ChangeKind::missing, changes);
    else add_changes(left.shown(***one), right.shown(***other), changes);
  };
  const auto id = [](const auto* one) { return id_of(*one); };
  pair_by_id(left.connections_in_order(), right.connections_in_order(), id, add);
  pair_by_id(left.transactions.in_order(), right.transactions.in_order(), id, add);
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking::detail
