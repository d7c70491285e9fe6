// SPDX-License-Identifier: MIT
// 6.2: a bank_connections_update_v2 against what is tracked: what it says of its own connection, and of the others.
#pragma once

#include <bankhook/domain/connection_lifecycle.hpp>
#include <bankhook/events/bank_connections_update_v2.hpp>
#include <bankhook/events/rules/check.hpp>
#include <bankhook/tracking/differences.hpp>
#include <bankhook/tracking/judged_transaction.hpp>
#include <bankhook/tracking/judgement.hpp>
#include <bankhook/tracking/options.hpp>
#include <bankhook/tracking/store/picture.hpp>
#include <bankhook/tracking/store/seen.hpp>
#include <bankhook/tracking/store/store.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace bankhook::tracking::detail {

/// What the lifecycle's states are called that an eventType leads to, whatever came before.
[[nodiscard]] constexpr ConnectionState state_after(ConnectionEventType type) {
  switch (type) {
    case ConnectionEventType::create: return ConnectionState::created;
    case ConnectionEventType::update: return ConnectionState::updated;
    case ConnectionEventType::delete_: break;
  }
  return ConnectionState::deleted;
}

/// The event's own connection as it is after the event.
inline void set_own_record(const ConnectionRecord& held, const TrackerOptions& options, EventHash hash,
                           JudgedBank& judged) {
  ConnectionRecord& own = judged.connections.front().record;
  const auto type = judged.event.event_type.known();
  own.event_type = judged.event.event_type;
  judged.seen = Seen(hash, held.seen);
  own.state = held.state;
  if (type) own.state = state_after(*type);
  const bool may_be_unlisted = type == ConnectionEventType::delete_ || options.unlist;
  own.is_unlisted = type != ConnectionEventType::create && may_be_unlisted && !judged.own_is_listed;
}

/// 6.2: what the event's own connection means to the lifecycle. Of an update the document says only that created or updated
/// accounts come as one, "with connection.accounts populated"; for anything else, including accounts that are gone, it
/// rests on an assumed rule. A delete that still lists its connection may report something else, because the document does
/// not show which triggers yield a delete: then nothing is known.
[[nodiscard]] inline Judgement judge_next_of(const ConnectionRecord& held, const JudgedBank& judged) {
  const BankConnectionsUpdateV2& event = judged.event;
  const auto trigger = event.event_type.known();
  if (!held.state && !held.event_type) return judge_first(connection_lifecycle, trigger, RuleId::create_comes_first);
  const std::optional<ConnectionState> from = held.state ? held.state->known() : std::nullopt;
  const std::span<const Account> accounts = event.connection.accounts;
  const bool is_account_update = !accounts.empty() && !reflect::equal(held.connection.accounts, accounts);
  if (trigger == ConnectionEventType::update && from != ConnectionState::deleted && !is_account_update) {
    return led_by(RuleId::other_changes_come_as_update);
  }
  const Judgement judgement = judge_next(connection_lifecycle, from, trigger);
  const bool is_doubtful = trigger == ConnectionEventType::delete_ && judged.own_is_listed;
  return is_doubtful ? worse(judgement, {Verdict::unspecified, judgement.reason}) : judgement;
}

inline void compare_member(JudgedBank& judged) {
  Changes& changes = judged.outcome.changes;
  if (judged.member == no_record) changes.add({ChangeKind::member_added, judged.event.customer.id});
  else add_changes(judged.known_member, judged.member_record(), changes);
}

/// Judges a connection that is listed beside the event's own, with the rule that this rests on. A connection that its own
/// delete left out stays away; one whose delete still listed it is back if another event lists it, too.
[[nodiscard]] inline Judgement judge_listed(const Store& store, JudgedConnection& listed, JudgedBank& judged) {
  if (listed.number == no_record) {
    add_changes_of_new(listed.record.connection, judged.event.customer.id, true, judged.outcome.changes);
    listed.changes = true;
    return {Verdict::specified, {}};
  }
  const ConnectionRecord& held = store.connections.read(listed.number);
  const bool is_deleted = held.state == ConnectionState::deleted;
  if (is_deleted && held.is_unlisted) return {Verdict::specified, {}};
  listed.record.event_type = held.event_type;
  listed.record.state = is_deleted ? nullable<OpenEnum<ConnectionState>>() : held.state;
  listed.record.seen = held.seen;
  compare(store, held, listed, judged);
  if (!listed.changes) return {Verdict::specified, {}};
  if (is_deleted || !reflect::equal(held.connection, listed.record.connection))
    return broken(RuleId::changes_have_their_own_event);
  return led_by(RuleId::unlisted_connection_is_gone);
}

/// Everything that the event says about the member and its other connections.
[[nodiscard]] inline Judgement judge_others(const Store& store, const TrackerOptions& options, JudgedBank& judged) {
  Judgement judgement{Verdict::specified, {}};
  for (std::size_t i = 1; i < judged.connections.size(); ++i) {
    judgement = worse(judgement, judge_listed(store, judged.connections[i], judged));
  }
  if (!options.unlist) return judgement;
  for (JudgedConnection& gone : missing(store, judged)) {
    gone.record.is_unlisted = true;
    judged.outcome.changes.add({ChangeKind::connection_unlisted, gone.record.connection.id, judged.event.customer.id});
    judged.connections.push_back(gone);
    judgement = worse(judgement, led_by(RuleId::unlisted_connection_is_gone));
  }
  return judgement;
}

/// The order of events comes first; but a connection that is no longer listed deserves more notice than an ordinary step.
[[nodiscard]] inline Judgement with_others(const Judgement& of_own, const Judgement& of_others) {
  const bool unlists = of_others.verdict == Verdict::assumed && of_own.verdict == Verdict::assumed;
  return unlists ? of_others : worse(of_own, of_others);
}

/// The event is the first one of its connection, which was not even listed before.
[[nodiscard]] inline Judgement judge_new(const Store& store, const TrackerOptions& options, EventHash hash,
                                         JudgedBank& judged) {
  JudgedConnection& own = judged.connections.front();
  const auto trigger = judged.event.event_type.known();
  const std::string_view member = judged.event.customer.id;
  Changes& changes = judged.outcome.changes;
  set_own_record({}, options, hash, judged);
  own.changes = true;
  compare_member(judged);
  add_changes_of_new(own.record.connection, member, trigger != ConnectionEventType::create, changes);
  if (own.record.state == ConnectionState::deleted) {
    changes.add({ChangeKind::connection_removed, own.record.connection.id, member});
  } else if (own.record.is_unlisted) {
    changes.add({ChangeKind::connection_unlisted, own.record.connection.id, member});
  }
  const Judgement by_lifecycle = judge_first(connection_lifecycle, trigger, RuleId::create_comes_first);
  return with_others(by_lifecycle, judge_others(store, options, judged));
}

/// What is known of the event's own connection decides whether its list and counts are applied. An event with news of that
/// connection is taken to be newer than everything tracked (assumed), and so is one that follows another of the same
/// connection. Any other is a repeat or late, and one that follows a delete may be: their lists and counts are applied only
/// if the list is up to date. News of an unlisted connection are applied, too, since the list that it was missing from may
/// have been a late one; nothing is known about them then.
[[nodiscard]] inline Judgement judge_held(const Store& store, const TrackerOptions& options, EventHash hash,
                                          JudgedBank& judged) {
  Outcome& outcome = judged.outcome;
  JudgedConnection& own = judged.connections.front();
  const ConnectionRecord& held = store.connections.read(own.number);
  outcome.seen_before = Seen::contains(held.seen, hash);
  set_own_record(held, options, hash, judged);
  const bool was_gone = Store::is_gone(held);
  const bool is_gone = Store::is_gone(own.record);
  const bool is_moved = store.connections.links(own.number).member != judged.member;
  const bool differs = is_moved || !reflect::equal(held.connection, own.record.connection);
  const Judgement by_lifecycle = judge_next_of(held, judged);
  if (judged.event.event_type == ConnectionEventType::create && !options.accept_late) {
    outcome.repeat = !differs && was_gone == is_gone && reflect::equal(held.event_type, own.record.event_type);
    outcome.accepted = outcome.repeat;
    return outcome.repeat ? Judgement() : not_taken(by_lifecycle);
  }
  const bool was_deleted = held.state == ConnectionState::deleted;
  const bool is_news = was_gone ? !was_deleted && differs : differs || is_gone || follows_its_own(judged);
  const bool is_current = (is_news && !was_gone) || is_up_to_date(store, judged);
  judged.others_hold = is_news || is_current;
  if (judged.others_hold || judged.member == no_record) compare_member(judged);
  compare(store, held, own, judged);
  Judgement judgement = by_lifecycle;
  if (judged.others_hold) judgement = with_others(judgement, judge_others(store, options, judged));
  if (!is_current) judgement = worse(judgement, broken(RuleId::changes_have_their_own_event));
  outcome.repeat = outcome.changes.empty();
  return outcome.repeat ? Judgement() : judgement;
}

}  // namespace bankhook::tracking::detail

namespace bankhook::tracking {

/// What `event` means for `store`, which stays as it is.
[[nodiscard]] inline JudgedBank judge(const Store& store, const BankConnectionsUpdateV2& event,
                                      const TrackerOptions& options, Workbench& bench) {
  bench.clear();
  JudgedBank judged{event, bench.connections, id_hash(event.customer.id)};
  judged.outcome.findings = check(event);
  if (!detail::has_real_dates(event)) {
    conclude_unreal(judged.outcome);
    return judged;
  }
  judged.member = store.members.find(judged.member_hash, event.customer.id);
  if (judged.member != no_record) judged.known_member = store.members.read(judged.member);
  detail::collect(store, judged);
  const EventHash hash = detail::hash_of(judged);
  const bool is_new = judged.connections.front().number == no_record;
  conclude(judged.outcome,
           is_new ? detail::judge_new(store, options, hash, judged) : detail::judge_held(store, options, hash, judged));
  return judged;
}

/// Takes what was judged, accepted and no repeat, into the same store.
inline void take(Store& store, JudgedBank& judged) {
  RecordId member = judged.member;
  const MemberRecord record = judged.member_record();
  if (member == no_record) member = store.members.add(judged.member_hash, record);
  else if (!reflect::equal(judged.known_member, record)) store.members.replace(member, record);
  JudgedConnection& own = judged.connections.front();
  own.record.seen = judged.seen.text();
  own.changes = own.changes || judged.others_hold;
  for (const JudgedConnection& one : judged.connections) {
    if (!one.changes) continue;
    if (one.number == no_record) store.add_connection(one.hash, one.record, member);
    else store.replace_connection(one.number, one.record, member);
  }
}

}  // namespace bankhook::tracking
