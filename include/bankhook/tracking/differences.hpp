// SPDX-License-Identifier: MIT
// The differences between the tracked state and an event, field by field, as changes of the domain.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/reflect/equality.hpp>
#include <bankhook/reflect/field_path.hpp>
#include <bankhook/reflect/fields.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/reflect/wire_names.hpp>
#include <bankhook/tracking/changes.hpp>
#include <bankhook/tracking/member.hpp>
#include <bankhook/tracking/tracked.hpp>

#include <algorithm>
#include <cstddef>
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

/// The wire name of the field that `Pointer` names.
template <auto Pointer>
inline constexpr std::string_view field_name = reflect::name_of_field<Pointer>.view();

/// What a difference in a field of `T` is called.
template <class T>
inline constexpr ChangeKind kind_of_changes = []() -> ChangeKind {
  static_assert(sizeof(T) == 0, "a_struct_without_a_line_here_is_not_tracked");
  return {};
}();
template <>
inline constexpr ChangeKind kind_of_changes<Customer> = ChangeKind::member_changed;
template <>
inline constexpr ChangeKind kind_of_changes<Membership> = ChangeKind::programme_changed;
template <>
inline constexpr ChangeKind kind_of_changes<Connection> = ChangeKind::connection_changed;
template <>
inline constexpr ChangeKind kind_of_changes<Account> = ChangeKind::account_changed;
template <>
inline constexpr ChangeKind kind_of_changes<InitialTransaction> = ChangeKind::transaction_changed;

/// The same for field `I`, where it has a name of its own.
template <class T, std::size_t I>
inline constexpr ChangeKind kind_of_field = kind_of_changes<T>;
template <>
inline constexpr ChangeKind kind_of_field<Membership, reflect::index_of<&Membership::connections_on>> =
    ChangeKind::counts_changed;
template <>
inline constexpr ChangeKind kind_of_field<Membership, reflect::index_of<&Membership::connections_off>> =
    ChangeKind::counts_changed;
template <>
inline constexpr ChangeKind kind_of_field<Connection, reflect::index_of<&Connection::consent_expires_at>> =
    ChangeKind::consent_moved;
template <>
inline constexpr ChangeKind kind_of_field<InitialTransaction, reflect::index_of<&InitialTransaction::status>> =
    ChangeKind::transaction_status_changed;

/// Errors and accounts are changes of their own.
template <class T, std::size_t I>
inline constexpr bool has_changes_of_its_own = [] {
  if constexpr (std::is_same_v<T, Connection>) {
    return I == reflect::index_of<&Connection::error_code> || I == reflect::index_of<&Connection::error_message> ||
           I == reflect::index_of<&Connection::accounts>;
  }
  return false;
}();

/// A change of a value. Compiled once for each type of value, not for each member.
template <class V>
BANKHOOK_NOINLINE void add_difference(ChangeKind kind, std::string_view id, std::string_view parent_id,
                                      std::string_view field, const V& before, const V& after, Changes& changes) {
  changes.add({kind, id, parent_id, field, change_value(before), change_value(after)});
}

/// A change for each member of `T` that differs.
template <class T>
void add_differences(const T& before, const T& after, std::string_view id, std::string_view parent_id, Changes& changes) {
  reflect::for_each_field<T>([&]<std::size_t I>() {
    if constexpr (!has_changes_of_its_own<T, I>) {
      const auto& left = reflect::field<I>(before);
      const auto& right = reflect::field<I>(after);
      if (!reflect::equal(left, right)) [[unlikely]]
        add_difference(kind_of_field<T, I>, id, parent_id, reflect::wire_name<T, I>.view(), left, right, changes);
    }
    return true;
  });
}

/// errorCode and errorMessage together: "both null when there is no error" (7). If the code differs, it says what happened,
/// else the message does.
inline void add_error(const Connection& before, const Connection& after, std::string_view member, Changes& changes) {
  const bool same_code = reflect::equal(before.error_code, after.error_code);
  const bool same_message = reflect::equal(before.error_message, after.error_message);
  if (same_code && same_message) return;
  const bool was_in_error = before.error_code || before.error_message;
  const bool is_in_error = after.error_code || after.error_message;
  const ChangeKind kind =
      was_in_error ? is_in_error ? ChangeKind::error_changed : ChangeKind::error_cleared : ChangeKind::error_raised;
  if (!same_code)
    add_difference(kind, after.id, member, field_name<&Connection::error_code>, before.error_code, after.error_code,
                   changes);
  if (!same_message)
    add_difference(same_code ? kind : ChangeKind::error_message_changed, after.id, member,
                   field_name<&Connection::error_message>, before.error_message, after.error_message, changes);
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

/// Where the accounts stand, in the order of their ids, each id once: the first one wins.
[[nodiscard]] inline std::vector<Position> by_id(std::span<const Account> accounts) {
  std::vector<Position> sorted;
  sorted.reserve(accounts.size());
  for (const Account& account : accounts) sorted.push_back({account.id, sorted.size()});
  std::sort(sorted.begin(), sorted.end());
  const auto is_same = [](const Position& a, const Position& b) { return a.id == b.id; };
  sorted.erase(std::unique(sorted.begin(), sorted.end(), is_same), sorted.end());
  return sorted;
}

/// Both sides once through, in the order of their ids.
inline void add_accounts(std::span<const Account> before, std::span<const Account> after, std::string_view connection,
                         Changes& changes) {
  if (reflect::equal(before, after)) return;
  const std::size_t changes_before = changes.size();
  const auto left = by_id(before);
  const auto right = by_id(after);
  for (std::size_t l = 0, r = 0; l < left.size() || r < right.size();) {
    if (r == right.size() || (l < left.size() && left[l].id < right[r].id)) {
      changes.add({ChangeKind::account_removed, left[l++].id, connection});
    } else if (l == left.size() || right[r].id < left[l].id) {
      changes.add({ChangeKind::account_added, right[r++].id, connection});
    } else {
      add_differences(before[left[l++].at], after[right[r].at], right[r].id, connection, changes);
      ++r;
    }
  }
  if (changes.size() != changes_before) return;
  changes.add({ChangeKind::accounts_reordered, connection, connection, field_name<&Connection::accounts>});
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking::detail

namespace bankhook::inline BANKHOOK_ABI::tracking {

/// A connection that is tracked and remains.
inline void add_changes(const Connection& before, const Connection& after, std::string_view member, Changes& changes) {
  detail::add_error(before, after, member, changes);
  detail::add_differences(before, after, after.id, member, changes);
  detail::add_accounts(before.accounts, after.accounts, after.id, changes);
}

/// A connection that is new: of what it holds, only its error and its accounts are changes of their own.
inline void add_changes_of_new(const Connection& connection, std::string_view member, bool first_event_missing,
                               Changes& changes) {
  changes.add({.kind = ChangeKind::connection_added,
               .id = connection.id,
               .parent_id = member,
               .first_event_missing = first_event_missing});
  detail::add_error({}, connection, member, changes);
  detail::add_accounts({}, connection.accounts, connection.id, changes);
}

/// A member that is tracked.
inline void add_changes(const MemberRecord& before, const MemberRecord& after, Changes& changes) {
  detail::add_differences(before.customer, after.customer, after.customer.id, {}, changes);
  if (!after.membership) return;
  const Membership none{};
  detail::add_differences(before.membership ? *before.membership : none, *after.membership, after.customer.id, {}, changes);
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking
