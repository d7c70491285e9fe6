// SPDX-License-Identifier: MIT
// 2.1 and 6.2: a bank event as its member's whole picture: its own connection, the others that it lists, the missing ones.
#pragma once

#include <bankhook/domain/connection_lifecycle.hpp>
#include <bankhook/events/bank_connections_update_v2.hpp>
#include <bankhook/tracking/differences.hpp>
#include <bankhook/tracking/digest.hpp>
#include <bankhook/tracking/member.hpp>
#include <bankhook/tracking/outcome.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI::tracking {

/// One connection in its state after the event, and what is tracked of it (nullptr: nothing).
struct PlannedConnection {
  ConnectionRecord record{};
  const ConnectionRecord* held = nullptr;
  bool changes = false;
};

/// What a bank event means, and the connections afterwards. The records view the event and the member.
struct BankPlan {
  explicit BankPlan(const BankConnectionsUpdateV2& event) : digest(digest_of(event)) {}

  std::vector<PlannedConnection> connections{};  ///< the event's own, the listed ones, those that are listed no more
  MemberRecord member{};                         ///< after the event
  bool own_is_listed = false;
  bool entries_agree = true;  ///< each connection is listed once, and the event's own with the same content
  bool takes_list = true;     ///< whether what it says of the member and its other connections is applied
  bool member_changes = false;
  Digest digest;
  Outcome outcome{};
};

}  // namespace bankhook::inline BANKHOOK_ABI::tracking

namespace bankhook::inline BANKHOOK_ABI::tracking::detail {

/// The event's connection and the listed ones, each id once. The event's own wins over its entry in the list, and of two
/// entries the first one (assumed: the specification does not mention two entries with one id).
inline void collect(const Member* member, const BankConnectionsUpdateV2& event, BankPlan& plan) {
  const std::span<const Connection> listed = event.customer.connections;
  std::vector<Position> firsts = by_id(listed);
  std::sort(firsts.begin(), firsts.end(), [](const Position& a, const Position& b) { return a.at < b.at; });
  plan.entries_agree = firsts.size() == listed.size();
  plan.connections.reserve(firsts.size() + 1);
  const auto add = [&](const Connection& connection) {
    const auto* const stored = member == nullptr ? nullptr : member->find_connection(connection.id);
    const ConnectionRecord* const held = stored == nullptr ? nullptr : &**stored;
    plan.connections.push_back({.record = {.connection = connection}, .held = held});
  };
  add(event.connection);
  for (const Position& one : firsts) {
    if (one.id != event.connection.id) {
      add(listed[one.at]);
    } else {
      plan.own_is_listed = true;
      plan.entries_agree &= reflect::equal(listed[one.at], event.connection);
    }
  }
}

/// Whether the event does not name a connection that is tracked as one of the member's.
[[nodiscard]] inline bool lacks_any(const Member& member, const BankPlan& plan) {
  std::size_t named = 0;
  for (const PlannedConnection& one : plan.connections) named += one.held != nullptr && one.held->is_live();
  return named != member.live.size();
}

/// Whether the list can be the current one: it lacks nothing, has every other tracked connection just as tracked, unlisted
/// ones, too, and none that is deleted. An event that is older than what is tracked rarely has such a list; a redelivered
/// one has it only if nothing else of the member has changed meanwhile.
[[nodiscard]] inline bool is_up_to_date(const Member& member, const BankPlan& plan) {
  for (std::size_t i = 1; i < plan.connections.size(); ++i) {
    const auto& [record, held, _] = plan.connections[i];
    if (held == nullptr) continue;
    if (held->state == ConnectionState::deleted || !reflect::equal(held->connection, record.connection)) return false;
  }
  return !lacks_any(member, plan);
}

/// The connections that the event does not name, in the order of their ids: those that are tracked as the member's and, if
/// a table moves them, those that are not.
[[nodiscard]] inline std::vector<const ConnectionRecord*> missing(const Member& member, const BankPlan& plan,
                                                                  bool moves_gone) {
  std::vector<std::string_view> named;
  for (const PlannedConnection& one : plan.connections) named.push_back(one.record.connection.id);
  std::sort(named.begin(), named.end());
  std::vector<const ConnectionRecord*> found;
  const auto add = [&](const Owned<ConnectionRecord>& one) {
    if (!std::binary_search(named.begin(), named.end(), id_of(one))) found.push_back(&*one);
  };
  member.live.for_each(add);
  if (moves_gone) member.gone.for_each(add);
  std::sort(found.begin(), found.end(), [](const auto* a, const auto* b) { return a->connection.id < b->connection.id; });
  return found;
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking::detail
