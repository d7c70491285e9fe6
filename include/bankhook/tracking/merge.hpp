// SPDX-License-Identifier: MIT
// Two trackers' state as one: equality, and the union of disjoint members for those who follow in parallel.
#pragma once

#include <bankhook/events/serialize.hpp>
#include <bankhook/tracking/store/hash.hpp>
#include <bankhook/tracking/store/store.hpp>
#include <bankhook/tracking/store/whole_member.hpp>

#include <concepts>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI {

/// Why two trackers cannot become one. Each of them saw a part of what concerns the key, and neither knows which came last.
enum class MergeError : std::uint8_t {
  member_in_both,
  connection_in_both,
  transaction_in_both,
};

/// The sentence of an error, for people. Static storage.
[[nodiscard]] constexpr std::string_view to_string(MergeError error) {
  switch (error) {
    case MergeError::member_in_both: return "expected trackers of different members, found a member in both";
    case MergeError::connection_in_both: return "expected trackers of different members, found a connection in both";
    case MergeError::transaction_in_both: return "expected trackers of different members, found a transaction in both";
  }
  return "unknown error";
}

}  // namespace bankhook::inline BANKHOOK_ABI

namespace bankhook::inline BANKHOOK_ABI::tracking::detail {

/// Whether the two hold an id in common.
template <class Table>
[[nodiscard]] bool share_an_id(const Table& left, const Table& right) {
  for (RecordId number = 0; number < right.size(); ++number) {
    if (left.find(right.id(number)) != no_record) return true;
  }
  return false;
}

/// Adds a copy of record `number` of `from` to `into`, in no chain.
template <class Table>
RecordId add_copy(Table& into, const Table& from, RecordId number) {
  return into.add(id_hash(from.id(number)), from.read(number));
}

/// Wants every record.
struct WantAll {
  [[nodiscard]] bool member(std::string_view) const { return true; }
  [[nodiscard]] bool connection(std::string_view, std::string_view, bool) const { return true; }
  [[nodiscard]] bool transaction(std::string_view) const { return true; }
};

/// Adds copies of the records of `from` to `into`, which has none of these keys, if `is_wanted` says so: `member(id)`,
/// `connection(id, id of its member, whether it is gone)`, `transaction(id)`. The member of a wanted record is added, too.
template <class IsWanted>
void add_copies(Store& into, const Store& from, const IsWanted& is_wanted) {
  for (RecordId number = 0; number < from.members.size(); ++number) {
    const std::string_view id = from.members.id(number);
    RecordId member = is_wanted.member(id) ? add_copy(into.members, from.members, number) : no_record;
    const auto owner = [&] { return member != no_record ? member : member = add_copy(into.members, from.members, number); };
    const auto add_connections = [&](RecordId first, bool is_gone) {
      for_each_in_chain(from.connections, first, [&](RecordId one) {
        if (!is_wanted.connection(from.connections.id(one), id, is_gone)) return;
        into.link_connection(add_copy(into.connections, from.connections, one), owner(), is_gone);
      });
    };
    const MemberLinks& links = from.members.links(number);
    add_connections(links.first_connection, false);
    add_connections(links.first_gone, true);
    for_each_in_chain(from.transactions, links.first_transaction, [&](RecordId one) {
      if (!is_wanted.transaction(from.transactions.id(one))) return;
      into.link_transaction(add_copy(into.transactions, from.transactions, one), owner());
    });
  }
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking::detail

namespace bankhook::inline BANKHOOK_ABI::tracking {

/// The same state, as it was written: the order of what came does not matter, the spelling of an amount does.
template <std::same_as<Store> S>
[[nodiscard]] bool same_state(const S& left, const S& right) {
  if (left.members.size() != right.members.size()) return false;
  WholeMembers of_left(left);
  WholeMembers of_right(right);
  std::string one;
  std::string other;
  for (RecordId number = 0; number < left.members.size(); ++number) {
    const RecordId counterpart = right.members.find(left.members.id(number));
    if (counterpart == no_record) return false;
    one.clear();
    other.clear();
    serialize_to(of_left(number), one);
    serialize_to(of_right(counterpart), other);
    if (one != other) return false;
  }
  return true;
}

/// Adds all that `from` holds to `into`. Where a key is in both, nothing changes.
template <class = void>
[[nodiscard]] std::expected<void, MergeError> merge(Store& into, const Store& from) {
  if (detail::share_an_id(into.members, from.members)) return std::unexpected(MergeError::member_in_both);
  if (detail::share_an_id(into.connections, from.connections)) return std::unexpected(MergeError::connection_in_both);
  if (detail::share_an_id(into.transactions, from.transactions)) return std::unexpected(MergeError::transaction_in_both);
  detail::add_copies(into, from, detail::WantAll());
  return {};
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking
