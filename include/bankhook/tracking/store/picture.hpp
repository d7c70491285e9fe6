// SPDX-License-Identifier: MIT
// 2.1 and 6.2: a bank event as the member's whole picture: its own connection, the others it lists, the missing ones.
#pragma once

#include <bankhook/domain/connection_lifecycle.hpp>
#include <bankhook/events/bank_connections_update_v2.hpp>
#include <bankhook/tracking/differences.hpp>
#include <bankhook/tracking/outcome.hpp>
#include <bankhook/tracking/store/seen.hpp>
#include <bankhook/tracking/store/sort.hpp>
#include <bankhook/tracking/store/store.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI::tracking {

/// One connection in its state after the event.
struct EvaluatedConnection {
  ConnectionRecord record{};
  IdHash hash = 0;
  RecordId number = no_record;  ///< where it is tracked
  bool changes = false;
  bool repeats = false;  ///< an earlier one in the event has its id
};

/// What bank events are evaluated in, one after the other: its memory is kept. It holds nothing between two events, so that
/// a copy has nothing to take over.
struct Workbench {
  Workbench() = default;
  Workbench(const Workbench&) noexcept {}
  Workbench& operator=(const Workbench&) noexcept { return *this; }
  ~Workbench() = default;

  std::vector<EvaluatedConnection> connections{};  ///< the event's own, the listed ones, those that are listed no more

  [[nodiscard]] std::size_t capacity() const { return connections.capacity() * sizeof(EvaluatedConnection); }
  void clear() { connections.clear(); }
};

/// An event, where its member is tracked, and what it means. The records view the event and the store.
struct EvaluatedBank {
  const BankConnectionsUpdateV2& event;
  std::vector<EvaluatedConnection>& connections;
  IdHash member_hash;
  RecordId member = no_record;
  MemberRecord known_member{};
  bool own_is_listed = false;  ///< whether the event lists its own connection
  bool others_hold = true;     ///< whether what it says of the member and its other connections is applied
  Seen seen{};                 ///< of the event's own connection, with this event
  Outcome outcome{};

  /// The member after the event. A new one has its ids, whatever else is applied.
  [[nodiscard]] MemberRecord member_record() const {
    const std::string_view own = connections.front().record.connection.id;
    const ConnectedCustomer& customer = event.customer;
    if (!others_hold && member == no_record) return {.customer = {customer.id, customer.external_id}};
    if (!others_hold) {
      MemberRecord record = known_member;
      if (record.last_connection == own) record.last_connection.reset();
      return record;
    }
    return {{customer.id, customer.external_id},
            Membership{customer.connections_on, customer.connections_off, event.shopping_hub_id,
                       event.shopping_hub_external_id},
            own};
  }
};

}  // namespace bankhook::inline BANKHOOK_ABI::tracking

namespace bankhook::inline BANKHOOK_ABI::tracking::detail {

/// Most members have no more connections than this, and for them nothing is sorted.
inline constexpr std::size_t inline_capacity = 8;

/// Of connections with one id, the first one stays.
template <class = void>
inline void keep_first_of_each(std::vector<EvaluatedConnection>& connections) {
  const auto is_same = [](const EvaluatedConnection& a, const EvaluatedConnection& b) {
    return a.hash == b.hash && a.record.connection.id == b.record.connection.id;
  };
  bool any = false;
  if (connections.size() <= inline_capacity) {
    for (auto one = connections.begin(); one != connections.end(); ++one) {
      one->repeats = std::any_of(connections.begin(), one, [&](const auto& other) { return is_same(other, *one); });
      any = any || one->repeats;
    }
  } else {
    std::vector<Position> sorted;
    sorted.reserve(connections.size());
    for (const EvaluatedConnection& one : connections) sorted.push_back({one.record.connection.id, sorted.size()});
    sort(sorted);
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      EvaluatedConnection& one = connections[sorted[i].at];
      one.repeats = is_same(connections[sorted[i - 1].at], one);
      any = any || one.repeats;
    }
  }
  if (any) std::erase_if(connections, [](const EvaluatedConnection& one) { return one.repeats; });
}

/// The event's connection and the listed ones, each id once. The event's own wins over its entry in the list, and of two
/// entries the first one (assumed: the specification does not mention two entries with one id).
template <class = void>
inline void collect(const Store& store, EvaluatedBank& evaluated) {
  const auto add = [&](const Connection& connection) {
    const IdHash hash = id_hash(connection.id);
    evaluated.connections.push_back({.record = {connection}, .hash = hash});
  };
  evaluated.connections.reserve(evaluated.event.customer.connections.size() + 1);
  add(evaluated.event.connection);
  for (const Connection& connection : evaluated.event.customer.connections) {
    if (connection.id != evaluated.event.connection.id) add(connection);
    else evaluated.own_is_listed = true;
  }
  keep_first_of_each(evaluated.connections);
  for (EvaluatedConnection& one : evaluated.connections) {
    one.number = store.connections.find(one.hash, one.record.connection.id);
  }
}

/// Everything that is taken from the event: of two entries with one id, only the one that counts.
template <class = void>
[[nodiscard]] inline EventHash hash_of(const EvaluatedBank& evaluated) {
  const BankConnectionsUpdateV2& event = evaluated.event;
  std::uint64_t lane = absorb(evaluated.member_hash, evaluated.own_is_listed ? 1 : 0);
  lane = absorb_value(lane, event.event_type);
  lane = absorb_value(lane, event.customer.external_id);
  lane = absorb(absorb(lane, event.customer.connections_on), event.customer.connections_off);
  lane = absorb_value(absorb_value(lane, event.shopping_hub_id), event.shopping_hub_external_id);
  for (const EvaluatedConnection& one : evaluated.connections) {
    lane = absorb_from<1>(absorb(lane, one.hash), one.record.connection);
  }
  return tracking::hash_of(lane);
}

/// Adds the changes of a tracked connection: whether it is added or removed, then its fields.
template <class = void>
inline void compare(const Store& store, const ConnectionRecord& held, EvaluatedConnection& one, EvaluatedBank& evaluated) {
  Changes& changes = evaluated.outcome.changes;
  const std::size_t changes_before = changes.size();
  const std::string_view member = evaluated.event.customer.id;
  const ConnectionRecord& next = one.record;
  const std::string_view id = next.connection.id;
  if (const RecordId owner = store.connections.links(one.number).member; owner != evaluated.member) {
    changes.add({ChangeKind::connection_moved, id, member, customer_id, store.members.id(owner), member});
  }
  const bool was_deleted = held.state == ConnectionState::deleted;
  const bool is_deleted = next.state == ConnectionState::deleted;
  if (!was_deleted && is_deleted) changes.add({ChangeKind::connection_removed, id, member});
  else if (Store::is_gone(held) && !Store::is_gone(next)) {
    const bool by_its_own = was_deleted && !reflect::equal(held.event_type, next.event_type);
    changes.add({by_its_own ? ChangeKind::connection_added : ChangeKind::connection_listed_again, id, member});
  } else if (!Store::is_gone(held) && Store::is_gone(next)) changes.add({ChangeKind::connection_unlisted, id, member});
  if (!reflect::equal(held.event_type, next.event_type)) {
    add_difference(ChangeKind::connection_event_received, id, member, field_name<&BankConnectionsUpdateV2::event_type>,
                   held.event_type, next.event_type, changes);
  }
  add_changes(held.connection, next.connection, member, changes);
  one.changes = changes.size() != changes_before;
}

/// Which tracked connections an event names.
class Named {
 public:
  explicit Named(const EvaluatedBank& evaluated) : evaluated_(evaluated) {
    if (evaluated.connections.size() <= inline_capacity) return;
    for (const EvaluatedConnection& one : evaluated.connections) sorted_.push_back(one.number);
    sort(sorted_);
  }
  [[nodiscard]] bool operator()(RecordId number) const {
    if (!sorted_.empty()) return std::binary_search(sorted_.begin(), sorted_.end(), number);
    const auto& connections = evaluated_.connections;
    return std::any_of(connections.begin(), connections.end(),
                       [number](const EvaluatedConnection& one) { return one.number == number; });
  }

 private:
  const EvaluatedBank& evaluated_;
  std::vector<RecordId> sorted_{};
};

/// The first connection of the event's member that is neither deleted nor unlisted.
template <class = void>
[[nodiscard]] inline RecordId first_connection(const Store& store, const EvaluatedBank& evaluated) {
  return evaluated.member == no_record ? no_record : store.members.links(evaluated.member).first_connection;
}

/// The ids and numbers of the member's connections that the event does not name and that are neither deleted nor unlisted,
/// in the order of their ids.
template <class = void>
[[nodiscard]] inline std::vector<Position> missing(const Store& store, const EvaluatedBank& evaluated) {
  std::vector<Position> found;
  const Named is_named(evaluated);
  for_each_in_chain(store.connections, first_connection(store, evaluated), [&](RecordId number) {
    if (!is_named(number)) found.push_back({store.connections.id(number), number});
  });
  sort(found);
  return found;
}

/// Whether there is any such connection. Looks at no more than one connection beyond those that the event names, so that a
/// small event that changes nothing, sent again and again, does not walk a long list.
template <class = void>
[[nodiscard]] inline bool lacks_any(const Store& store, const EvaluatedBank& evaluated) {
  const Named is_named(evaluated);
  RecordId number = first_connection(store, evaluated);
  while (number != no_record && is_named(number)) number = store.connections.links(number).next;
  return number != no_record;
}

/// Whether the event is newer than everything tracked of the member although it contains nothing new about its own
/// connection: the last event that was applied was about the same connection, so nothing newer has come since.
template <class = void>
[[nodiscard]] inline bool follows_its_own(const EvaluatedBank& evaluated) {
  return evaluated.known_member.last_connection == evaluated.event.connection.id;
}

/// Whether the list can be the current one: it has every other tracked connection in exactly its tracked state, and none
/// that its own delete left out. An event that is older than what is tracked rarely has such a list; a redelivered one has
/// it only if nothing else of the member has changed meanwhile.
template <class = void>
[[nodiscard]] inline bool is_up_to_date(const Store& store, EvaluatedBank& evaluated) {
  for (std::size_t i = 1; i < evaluated.connections.size(); ++i) {
    const EvaluatedConnection& one = evaluated.connections[i];
    if (one.number == no_record) continue;
    if (store.connections.links(one.number).member != evaluated.member) return false;
    const ConnectionRecord& held = store.connections.read(one.number);
    if (held.is_unlisted && held.state == ConnectionState::deleted) return false;
    if (!reflect::equal(held.connection, one.record.connection)) return false;
  }
  return !lacks_any(store, evaluated);
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking::detail
