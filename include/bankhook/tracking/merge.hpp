// SPDX-License-Identifier: MIT
// Two trackers' state as one: equality, and the union of disjoint members for those who follow in parallel.
#pragma once

#include <bankhook/tracking/store/store.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string_view>
#include <vector>

namespace bankhook {

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

}  // namespace bankhook

namespace bankhook::tracking::detail {

/// The numbers of a table.
template <class Table>
[[nodiscard]] RecordId end_of(const Table& table) {
  return static_cast<RecordId>(table.size());
}

template <class Table>
[[nodiscard]] bool share_an_id(const Table& left, const Table& right) {
  for (RecordId number = 0; number < end_of(right); ++number) {
    if (left.find(right.id_of(number)) != no_record) return true;
  }
  return false;
}

/// Adds record `number` of `from` to `into`, in no chain.
template <class Table>
RecordId add_copy(Table& into, const Table& from, RecordId number) {
  return into.add_packed(id_hash(from.id_of(number)), from.encoded(number), {});
}

/// Whether both hold the same records; `is_same(left number, right number)` looks at what is not in their bytes.
template <class Table, class IsSame>
[[nodiscard]] bool same_records(const Table& left, const Table& right, IsSame&& is_same) {
  if (left.size() != right.size()) return false;
  for (RecordId number = 0; number < end_of(left); ++number) {
    const RecordId other = right.find(left.id_of(number));
    if (other == no_record || left.encoded(number) != right.encoded(other) || !is_same(number, other)) return false;
  }
  return true;
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
  for (RecordId number = 0; number < end_of(from.members); ++number) {
    const std::string_view id = from.members.id_of(number);
    RecordId member = is_wanted.member(id) ? add_copy(into.members, from.members, number) : no_record;
    const auto owner = [&] { return member != no_record ? member : member = add_copy(into.members, from.members, number); };
    const auto add_connections = [&](RecordId first, bool is_gone) {
      for_each_in_chain(from.connections, first, [&](RecordId one) {
        if (!is_wanted.connection(from.connections.id_of(one), id, is_gone)) return;
        into.link_connection(add_copy(into.connections, from.connections, one), owner(), is_gone);
      });
    };
    const MemberLinks& links = from.members.links(number);
    add_connections(links.first_connection, false);
    add_connections(links.first_gone, true);
    for_each_in_chain(from.transactions, links.first_transaction, [&](RecordId one) {
      if (!is_wanted.transaction(from.transactions.id_of(one))) return;
      into.link_transaction(add_copy(into.transactions, from.transactions, one), owner());
    });
  }
}

}  // namespace bankhook::tracking::detail

namespace bankhook::tracking {

/// The same state, as it was written: the order of what came does not matter, the spelling of an amount does.
[[nodiscard]] inline bool same_state(const Store& left, const Store& right) {
  const auto of_one_member = [&](const auto& left_table, const auto& right_table) {
    return [&](RecordId one, RecordId other) {
      return left.members.id_of(left_table.links(one).member) == right.members.id_of(right_table.links(other).member);
    };
  };
  return detail::same_records(left.members, right.members, [](RecordId, RecordId) { return true; }) &&
         detail::same_records(left.connections, right.connections, of_one_member(left.connections, right.connections)) &&
         detail::same_records(left.transactions, right.transactions, of_one_member(left.transactions, right.transactions));
}

/// Adds all that `from` holds to `into`. Where a key is in both, nothing changes.
[[nodiscard]] inline std::expected<void, MergeError> merge(Store& into, const Store& from) {
  if (detail::share_an_id(into.members, from.members)) return std::unexpected(MergeError::member_in_both);
  if (detail::share_an_id(into.connections, from.connections)) return std::unexpected(MergeError::connection_in_both);
  if (detail::share_an_id(into.transactions, from.transactions)) return std::unexpected(MergeError::transaction_in_both);
  into.members.reserve_more(from.members.size());
  into.connections.reserve_more(from.connections.size());
  into.transactions.reserve_more(from.transactions.size());
  detail::add_copies(into, from, detail::WantAll());
  return {};
}

}  // namespace bankhook::tracking
