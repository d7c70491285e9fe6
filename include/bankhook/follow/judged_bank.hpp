// SPDX-License-Identifier: MIT
// 6.2: a bank_connections_update_v2 against what is held: the connection of the event, then the member's whole picture.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/domain/connection_lifecycle.hpp>
#include <bankhook/events/bank_connections_update_v2.hpp>
#include <bankhook/events/check.hpp>
#include <bankhook/follow/differences.hpp>
#include <bankhook/follow/judged_transaction.hpp>
#include <bankhook/follow/judgement.hpp>
#include <bankhook/follow/outcome.hpp>
#include <bankhook/follow/sort.hpp>
#include <bankhook/follow/store.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace bankhook::follow {

/// One connection as it is once the event is taken.
struct JudgedConnection {
  ConnectionRecord record{};
  Tag tag = 0;
  Number number = no_number;  ///< where it is held
  bool changes = false;
};

/// An event, where its member is held, and what it means. The records view the event, the store and `arena`.
struct JudgedBank {
  const BankConnectionsUpdateV2& event;
  Tag member_tag;
  Number member = no_number;
  bool member_changes = false;
  std::vector<JudgedConnection> connections{};  ///< the event's own, the listed ones, those that are listed no more
  Outcome outcome{};
  Arena arena{};

  [[nodiscard]] HeldMember held_member() const {
    const ConnectedCustomer& customer = event.customer;
    return {{customer.id, customer.external_id},
            Membership{customer.connections_on, customer.connections_off, event.shopping_hub_id,
                       event.shopping_hub_external_id}};
  }
};

}  // namespace bankhook::follow

namespace bankhook::follow::detail {

/// What the lifecycle's states are called that an eventType leads to, whatever came before.
[[nodiscard]] constexpr ConnectionState state_behind(ConnectionEventType type) {
  switch (type) {
    case ConnectionEventType::create: return ConnectionState::created;
    case ConnectionEventType::update: return ConnectionState::updated;
    case ConnectionEventType::delete_: break;
  }
  return ConnectionState::deleted;
}

/// The event's connection and the listed ones, each id once. The event's own wins over its entry in the list, and of two
/// entries the first one (assumed: the specification knows no two of them).
inline void collect(const Store& store, JudgedBank& judged) {
  struct Said {
    const Connection* connection;
    std::size_t order;
  };
  std::vector<Said> said{{&judged.event.connection, 0}};
  said.reserve(judged.event.customer.connections.size() + 1);
  for (const Connection& connection : judged.event.customer.connections) said.push_back({&connection, said.size()});
  sort(said, [](const Said& a, const Said& b) {
    const auto by_id = a.connection->id <=> b.connection->id;
    return by_id != 0 ? by_id < 0 : a.order < b.order;
  });
  remove_repeated(said, [](const Said& a, const Said& b) { return a.connection->id == b.connection->id; });
  sort(said, [](const Said& a, const Said& b) { return a.order < b.order; });
  for (const Said& one : said) {
    const Tag tag = tag_of(one.connection->id);
    judged.connections.push_back({{*one.connection}, tag, store.connections.find(tag, one.connection->id)});
  }
}

/// Where a connection stays what it is, its fields are compared; where it comes (back) or goes, that is the change.
inline void compare(const Store& store, const ConnectionRecord& held, JudgedConnection& one, JudgedBank& judged) {
  Changes& changes = judged.outcome.changes;
  const std::string_view member = judged.event.customer.id;
  const Number owner = store.connections.links(one.number).member;
  const auto& [connection, event_type, state] = one.record;
  if (owner != judged.member) {
    changes.add({ChangeKind::connection_moved, connection.id, member, {}, store.members.id_of(owner), member});
  }
  const bool was_deleted = held.state == ConnectionState::deleted;
  const bool is_deleted = state == ConnectionState::deleted;
  if (was_deleted != is_deleted) {
    changes.add({was_deleted ? ChangeKind::connection_added : ChangeKind::connection_removed, connection.id, member});
  }
  if (!reflect::equal(held.event_type, event_type)) {
    changes.add({ChangeKind::connection_event_received,
                 connection.id,
                 member,
                 {},
                 change_value(held.event_type),
                 change_value(event_type)});
  }
  add_changes(held.connection, connection, member, changes);
}

/// The event's own connection: judged by the lifecycle. Of an update the document says only that changes of the accounts
/// come as one; whatever else it tells of rests on a rule that is assumed.
[[nodiscard]] inline Judgement judge_own(const Store& store, JudgedConnection& own, JudgedBank& judged) {
  const auto trigger = judged.event.event_type.known();
  own.record.event_type = judged.event.event_type;
  if (trigger) own.record.state = state_behind(*trigger);
  if (own.number == no_number) {
    Changes& changes = judged.outcome.changes;
    const std::string_view member = judged.event.customer.id;
    add_changes_of_new(own.record.connection, member, trigger != ConnectionEventType::create, changes);
    if (own.record.state == ConnectionState::deleted) {
      changes.add({ChangeKind::connection_removed, own.record.connection.id, member});
    }
    own.changes = true;
    return judge_first(connection_lifecycle, trigger, RuleId::create_comes_first);
  }
  const ConnectionRecord held = store.connections.read(own.number, &judged.arena);
  if (!trigger) own.record.state = held.state;
  const std::size_t changes_before = judged.outcome.changes.size();
  compare(store, held, own, judged);
  own.changes = judged.outcome.changes.size() != changes_before;
  if (!held.state && !held.event_type) return judge_first(connection_lifecycle, trigger, RuleId::create_comes_first);
  const std::optional<ConnectionState> from = held.state ? held.state->known() : std::nullopt;
  const bool has_same_accounts = reflect::equal(held.connection.accounts, own.record.connection.accounts);
  if (trigger == ConnectionEventType::update && has_same_accounts && from && from != ConnectionState::deleted)
    return led_by(RuleId::other_changes_come_as_update);
  return judge_next(connection_lifecycle, from, trigger);
}

/// A connection that is listed beside the event's own. One that its own delete took away stays away: whether deleted ones
/// are listed is not shown. One that was missing from the list comes back as what it was.
inline void judge_listed(const Store& store, JudgedConnection& listed, JudgedBank& judged) {
  const std::size_t changes_before = judged.outcome.changes.size();
  if (listed.number == no_number) {
    add_changes_of_new(listed.record.connection, judged.event.customer.id, true, judged.outcome.changes);
  } else {
    const ConnectionRecord held = store.connections.read(listed.number, &judged.arena);
    listed.record.event_type = held.event_type;
    listed.record.state = held.state;
    if (held.state == ConnectionState::deleted && held.event_type != OpenEnum(ConnectionEventType::delete_)) {
      listed.record.state.reset();
      if (const auto type = held.event_type ? held.event_type->known() : std::nullopt)
        listed.record.state = state_behind(*type);
    }
    compare(store, held, listed, judged);
  }
  listed.changes = judged.outcome.changes.size() != changes_before;
}

/// The member's connections that the event does not name and that are not deleted, in the order of their ids.
[[nodiscard]] inline std::vector<JudgedConnection> missing(const Store& store, JudgedBank& judged) {
  std::vector<Number> named;
  named.reserve(judged.connections.size());
  for (const JudgedConnection& one : judged.connections) named.push_back(one.number);
  sort(named);
  std::vector<JudgedConnection> found;
  for_each_in_chain(store.connections, store.members.links(judged.member).first_connection, [&](Number number) {
    if (std::binary_search(named.begin(), named.end(), number)) return;
    found.push_back({.record = store.connections.read(number, &judged.arena), .number = number, .changes = true});
  });
  sort(found, [](const JudgedConnection& a, const JudgedConnection& b) {
    return a.record.connection.id < b.record.connection.id;
  });
  return found;
}

/// Those that are held and no longer among "all connections of the member" (2.1): gone (assumed).
inline void judge_missing(const Store& store, JudgedBank& judged) {
  if (judged.member == no_number) return;
  for (JudgedConnection& gone : missing(store, judged)) {
    gone.record.state = ConnectionState::deleted;
    judged.outcome.changes.add({ChangeKind::connection_removed, gone.record.connection.id, judged.event.customer.id});
    judged.connections.push_back(gone);
  }
}

inline void compare_member(const Store& store, JudgedBank& judged) {
  Changes& changes = judged.outcome.changes;
  if (judged.member == no_number) changes.add({ChangeKind::member_added, judged.event.customer.id});
  else add_changes(store.read_member(judged.member), judged.held_member(), changes);
  judged.member_changes = !changes.empty();
}

}  // namespace bankhook::follow::detail

namespace bankhook::follow {

/// What `event` means for `store`, which stays as it is.
[[nodiscard]] inline JudgedBank judge(const Store& store, const BankConnectionsUpdateV2& event, bool take_contradictions) {
  JudgedBank judged{event, tag_of(event.customer.id)};
  judged.outcome.findings = check(event);
  judged.member = store.members.find(judged.member_tag, event.customer.id);
  detail::compare_member(store, judged);
  detail::collect(store, judged);
  const Judgement judgement = detail::judge_own(store, judged.connections.front(), judged);
  for (std::size_t i = 1; i < judged.connections.size(); ++i) detail::judge_listed(store, judged.connections[i], judged);
  detail::judge_missing(store, judged);
  judged.outcome.repeat = judged.outcome.changes.empty();
  conclude(judged.outcome, judged.outcome.repeat ? Judgement() : judgement, take_contradictions);
  return judged;
}

/// Takes what was judged, accepted and no repeat, into the same store.
inline void take(Store& store, const JudgedBank& judged) {
  Number member = judged.member;
  if (member == no_number) member = store.members.add(judged.member_tag, judged.held_member(), {});
  else if (judged.member_changes) store.members.replace(member, judged.held_member());
  for (const JudgedConnection& one : judged.connections) {
    if (!one.changes) continue;
    if (one.number == no_number) store.add_connection(one.tag, one.record, member);
    else store.replace_connection(one.number, one.record, member);
  }
}

}  // namespace bankhook::follow
