// SPDX-License-Identifier: MIT
// Queries of the tracked state: by id, by member, by state, by the end of consents.
#pragma once

#include <bankhook/tracking/store/sort.hpp>
#include <bankhook/tracking/store/store.hpp>
#include <bankhook/tracking/tracked.hpp>

#include <optional>
#include <ranges>
#include <string_view>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI::tracking {

template <class = void>
[[nodiscard]] inline std::optional<TrackedMember> find_member(const Store& store, std::string_view id) {
  const RecordId number = store.members.find(id);
  return number == no_record ? std::nullopt : std::optional(store.read_member(number));
}
template <class = void>
[[nodiscard]] inline std::optional<TrackedTransaction> find_transaction(const Store& store, std::string_view id) {
  const RecordId number = store.transactions.find(id);
  return number == no_record ? std::nullopt : std::optional(store.read_transaction(number));
}
template <class = void>
[[nodiscard]] inline std::optional<TrackedConnection> find_connection(const Store& store, std::string_view id) {
  const RecordId number = store.connections.find(id);
  return number == no_record ? std::nullopt : std::optional(store.read_connection(number));
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking

namespace bankhook::inline BANKHOOK_ABI::tracking::detail {

template <class Table>
[[nodiscard]] auto numbers_of(const Table& table) {
  return std::views::iota(RecordId{0}, static_cast<RecordId>(table.size()));
}

/// The connections that `predicate` holds for.
template <class Predicate>
[[nodiscard]] std::vector<TrackedConnection> connections_that(const Store& store, Predicate predicate) {
  std::vector<TrackedConnection> found;
  for (RecordId number = 0; number < store.connections.size(); ++number) {
    if (const TrackedConnection one = store.read_connection(number); predicate(one)) found.push_back(one);
  }
  return found;
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking::detail

namespace bankhook::inline BANKHOOK_ABI::tracking {

template <class = void>
[[nodiscard]] auto all_members(const Store& store) {
  return detail::numbers_of(store.members) | std::views::transform([&store](RecordId n) { return store.read_member(n); });
}
template <class = void>
[[nodiscard]] auto all_transactions(const Store& store) {
  return detail::numbers_of(store.transactions) |
         std::views::transform([&store](RecordId number) { return store.read_transaction(number); });
}
template <class = void>
[[nodiscard]] auto all_connections(const Store& store) {
  return detail::numbers_of(store.connections) |
         std::views::transform([&store](RecordId number) { return store.read_connection(number); });
}

template <class = void>
[[nodiscard]] std::vector<TrackedConnection> connections_of(const Store& store, std::string_view member_id) {
  std::vector<TrackedConnection> found;
  const RecordId member = store.members.find(member_id);
  if (member == no_record) return found;
  const MemberLinks& links = store.members.links(member);
  for (const RecordId first : {links.first_connection, links.first_gone}) {
    for_each_in_chain(store.connections, first, [&](RecordId number) { found.push_back(store.read_connection(number)); });
  }
  sort(found, ByConnectionId());
  return found;
}

template <class = void>
[[nodiscard]] std::vector<TrackedTransaction> transactions_of(const Store& store, std::string_view member_id) {
  std::vector<TrackedTransaction> found;
  const RecordId member = store.members.find(member_id);
  if (member == no_record) return found;
  for_each_in_chain(store.transactions, store.members.links(member).first_transaction,
                    [&](RecordId number) { found.push_back(store.read_transaction(number)); });
  sort(found, [](const TrackedTransaction& a, const TrackedTransaction& b) {
    const auto by_date = a.initial_transaction.date <=> b.initial_transaction.date;
    return by_date != 0 ? by_date < 0 : a.initial_transaction.id < b.initial_transaction.id;
  });
  return found;
}

template <class = void>
[[nodiscard]] std::vector<Account> accounts_of(const Store& store, std::string_view member_id) {
  std::vector<Account> accounts;
  for (const TrackedConnection& held : connections_of(store, member_id)) {
    if (held.is_listed()) accounts.insert(accounts.end(), held.connection.accounts.begin(), held.connection.accounts.end());
  }
  return accounts;
}

template <class = void>
[[nodiscard]] std::vector<TrackedConnection> awaiting_accounts(const Store& store) {
  auto found = detail::connections_that(
      store, [](const TrackedConnection& held) { return held.is_listed() && held.connection.accounts.empty(); });
  sort(found, ByConnectionId());
  return found;
}

template <class = void>
[[nodiscard]] std::vector<TrackedConnection> in_error(const Store& store) {
  auto found =
      detail::connections_that(store, [](const TrackedConnection& held) { return held.is_listed() && held.is_in_error(); });
  sort(found, ByConnectionId());
  return found;
}

template <class = void>
[[nodiscard]] std::vector<TrackedConnection> consents_ending_before(const Store& store, const LocalTimestamp& when) {
  auto found = detail::connections_that(store, [&](const TrackedConnection& held) {
    return held.is_listed() && held.connection.consent_expires_at && *held.connection.consent_expires_at < when;
  });
  sort(found, [](const TrackedConnection& a, const TrackedConnection& b) {
    const auto by_end = *a.connection.consent_expires_at <=> *b.connection.consent_expires_at;
    return by_end != 0 ? by_end < 0 : a.connection.id < b.connection.id;
  });
  return found;
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking
