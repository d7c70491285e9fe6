// SPDX-License-Identifier: MIT
// 6.2: a bank_connections_update_v2 against what is tracked: what it says of its own connection, and of the others.
#pragma once

#include <bankhook/domain/connection_lifecycle.hpp>
#include <bankhook/events/bank_connections_update_v2.hpp>
#include <bankhook/events/rules/check.hpp>
#include <bankhook/tracking/differences.hpp>
#include <bankhook/tracking/evaluated_transaction.hpp>
#include <bankhook/tracking/evaluation.hpp>
#include <bankhook/tracking/options.hpp>
#include <bankhook/tracking/store/picture.hpp>
#include <bankhook/tracking/store/seen.hpp>
#include <bankhook/tracking/store/store.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI::tracking::detail {

/// What the lifecycle's states are called that an eventType leads to, whatever came before.
[[nodiscard]] constexpr ConnectionState state_after(ConnectionEventType type) {
  switch (type) {
    case ConnectionEventType::create: return ConnectionState::created;
    case ConnectionEventType::update: return ConnectionState::updated;
    case ConnectionEventType::delete_: break;
  }
  return ConnectionState::deleted;
}

/// The state of the event's own connection after the event.
template <class = void>
inline void set_own_record(const ConnectionRecord& held, const TrackerOptions& options, EventHash hash,
                           EvaluatedBank& evaluated) {
  ConnectionRecord& own = evaluated.connections.front().record;
  const auto type = evaluated.event.event_type.known();
  own.event_type = evaluated.event.event_type;
  evaluated.seen = Seen(hash, held.seen);
  own.state = held.state;
  if (type) own.state = state_after(*type);
  const bool may_be_unlisted = type == ConnectionEventType::delete_ || options.unlist;
  own.is_unlisted = type != ConnectionEventType::create && may_be_unlisted && !evaluated.own_is_listed;
}

/// 6.2: what the event's own connection means to the lifecycle. Of an update the specification says only that created or
/// updated accounts come as one, "with connection.accounts populated"; for anything else, including accounts that are
/// gone, it rests on an assumed rule. A delete that still lists its connection may report something else, because the
/// specification does not show which triggers yield a delete: then nothing is known.
template <class = void>
[[nodiscard]] inline Evaluation evaluate_next_of(const ConnectionRecord& held, const EvaluatedBank& evaluated) {
  const BankConnectionsUpdateV2& event = evaluated.event;
  const auto trigger = event.event_type.known();
  if (!held.state && !held.event_type) return evaluate_first(connection_lifecycle, trigger, RuleId::create_comes_first);
  const std::optional<ConnectionState> from = held.state ? held.state->known() : std::nullopt;
  const std::span<const Account> accounts = event.connection.accounts;
  const bool is_account_update = !accounts.empty() && !reflect::equal(held.connection.accounts, accounts);
  if (trigger == ConnectionEventType::update && from != ConnectionState::deleted && !is_account_update) {
    return led_by(RuleId::other_changes_come_as_update);
  }
  const Evaluation evaluation = evaluate_next(connection_lifecycle, from, trigger);
  const bool is_doubtful = trigger == ConnectionEventType::delete_ && evaluated.own_is_listed;
  return is_doubtful ? worse(evaluation, {Verdict::unspecified, evaluation.reason}) : evaluation;
}

template <class = void>
inline void compare_member(EvaluatedBank& evaluated) {
  Changes& changes = evaluated.outcome.changes;
  if (evaluated.member == no_record) changes.add({ChangeKind::member_added, evaluated.event.customer.id});
  else add_changes(evaluated.known_member, evaluated.member_record(), changes);
}

/// Evaluates a connection that is listed beside the event's own, with the rule that this rests on. A connection that its
/// own delete left out stays away; one whose delete still listed it is back if another event lists it, too.
template <class = void>
[[nodiscard]] inline Evaluation evaluate_listed(const Store& store, EvaluatedConnection& listed, EvaluatedBank& evaluated) {
  if (listed.number == no_record) {
    add_changes_of_new(listed.record.connection, evaluated.event.customer.id, true, evaluated.outcome.changes);
    listed.changes = true;
    return {Verdict::specified, {}};
  }
  const ConnectionRecord& held = store.connections.read(listed.number);
  const bool is_deleted = held.state == ConnectionState::deleted;
  if (is_deleted && held.is_unlisted) return {Verdict::specified, {}};
  listed.record.event_type = held.event_type;
  listed.record.state = is_deleted ? nullable<OpenEnum<ConnectionState>>() : held.state;
  listed.record.seen = held.seen;
  compare(store, held, listed, evaluated);
  if (!listed.changes) return {Verdict::specified, {}};
  if (is_deleted || !reflect::equal(held.connection, listed.record.connection))
    return broken(RuleId::changes_have_their_own_event);
  return led_by(RuleId::unlisted_connection_is_gone);
}

/// Everything that the event says about the member and its other connections.
template <class = void>
[[nodiscard]] inline Evaluation evaluate_others(const Store& store, const TrackerOptions& options,
                                                EvaluatedBank& evaluated) {
  Evaluation evaluation{Verdict::specified, {}};
  for (std::size_t i = 1; i < evaluated.connections.size(); ++i) {
    evaluation = worse(evaluation, evaluate_listed(store, evaluated.connections[i], evaluated));
  }
  if (!options.unlist) return evaluation;
  for (const Position& gone : missing(store, evaluated)) {
    const auto number = static_cast<RecordId>(gone.at);
    evaluated.outcome.changes.add({ChangeKind::connection_unlisted, gone.id, evaluated.event.customer.id});
    evaluated.connections.push_back({.record = store.connections.read(number), .number = number, .changes = true});
    evaluated.connections.back().record.is_unlisted = true;
    evaluation = worse(evaluation, led_by(RuleId::unlisted_connection_is_gone));
  }
  return evaluation;
}

/// The order of events comes first; but a connection that is no longer listed deserves more notice than an ordinary step.
template <class = void>
[[nodiscard]] inline Evaluation with_others(const Evaluation& of_own, const Evaluation& of_others) {
  const bool unlists = of_others.verdict == Verdict::assumed && of_own.verdict == Verdict::assumed;
  return unlists ? of_others : worse(of_own, of_others);
}

/// The event is the first one of its connection, which was not even listed before.
template <class = void>
[[nodiscard]] inline Evaluation evaluate_new(const Store& store, const TrackerOptions& options, EventHash hash,
                                             EvaluatedBank& evaluated) {
  EvaluatedConnection& own = evaluated.connections.front();
  const auto trigger = evaluated.event.event_type.known();
  const std::string_view member = evaluated.event.customer.id;
  Changes& changes = evaluated.outcome.changes;
  set_own_record({}, options, hash, evaluated);
  own.changes = true;
  compare_member(evaluated);
  add_changes_of_new(own.record.connection, member, trigger != ConnectionEventType::create, changes);
  if (own.record.state == ConnectionState::deleted) {
    changes.add({ChangeKind::connection_removed, own.record.connection.id, member});
  } else if (own.record.is_unlisted) {
    changes.add({ChangeKind::connection_unlisted, own.record.connection.id, member});
  }
  const Evaluation by_lifecycle = evaluate_first(connection_lifecycle, trigger, RuleId::create_comes_first);
  return with_others(by_lifecycle, evaluate_others(store, options, evaluated));
}

/// What is known of the event's own connection decides whether its list and counts are applied. An event with news of that
/// connection is taken to be newer than everything tracked (assumed), and so is one that follows another of the same
/// connection. Any other is a repeat or late, and one that follows a delete may be: their lists and counts are applied only
/// if the list is up to date. News of an unlisted connection are applied, too, since the list that it was missing from may
/// have been a late one; nothing is known about them then.
template <class = void>
[[nodiscard]] inline Evaluation evaluate_held(const Store& store, const TrackerOptions& options, EventHash hash,
                                              EvaluatedBank& evaluated) {
  Outcome& outcome = evaluated.outcome;
  EvaluatedConnection& own = evaluated.connections.front();
  const ConnectionRecord& held = store.connections.read(own.number);
  outcome.seen_before = Seen::contains(held.seen, hash);
  set_own_record(held, options, hash, evaluated);
  const bool was_gone = Store::is_gone(held);
  const bool is_gone = Store::is_gone(own.record);
  const bool is_moved = store.connections.links(own.number).member != evaluated.member;
  const bool differs = is_moved || !reflect::equal(held.connection, own.record.connection);
  const Evaluation by_lifecycle = evaluate_next_of(held, evaluated);
  if (evaluated.event.event_type == ConnectionEventType::create && !options.accept_late) {
    outcome.repeat = !differs && was_gone == is_gone && reflect::equal(held.event_type, own.record.event_type);
    outcome.accepted = outcome.repeat;
    return outcome.repeat ? Evaluation() : not_taken(by_lifecycle);
  }
  const bool was_deleted = held.state == ConnectionState::deleted;
  const bool is_news = was_gone ? !was_deleted && differs : differs || is_gone || follows_its_own(evaluated);
  const bool is_current = (is_news && !was_gone) || is_up_to_date(store, evaluated);
  evaluated.others_hold = is_news || is_current;
  if (evaluated.others_hold || evaluated.member == no_record) compare_member(evaluated);
  compare(store, held, own, evaluated);
  Evaluation evaluation = by_lifecycle;
  if (evaluated.others_hold) evaluation = with_others(evaluation, evaluate_others(store, options, evaluated));
  if (!is_current) evaluation = worse(evaluation, broken(RuleId::changes_have_their_own_event));
  outcome.repeat = outcome.changes.empty();
  return outcome.repeat ? Evaluation() : evaluation;
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking::detail

namespace bankhook::inline BANKHOOK_ABI::tracking {

/// What `event` means for `store`, which does not change.
template <class = void>
[[nodiscard]] BANKHOOK_ENTRY EvaluatedBank evaluate(const Store& store, const BankConnectionsUpdateV2& event,
                                                    const TrackerOptions& options, Workbench& bench) {
  bench.clear();
  EvaluatedBank evaluated{event, bench.connections, id_hash(event.customer.id)};
  evaluated.outcome.findings = check(event);
  if (!detail::has_real_dates(event)) {
    conclude_unreal(evaluated.outcome);
    return evaluated;
  }
  evaluated.member = store.members.find(evaluated.member_hash, event.customer.id);
  if (evaluated.member != no_record) evaluated.known_member = store.members.read(evaluated.member);
  detail::collect(store, evaluated);
  const EventHash hash = detail::hash_of(evaluated);
  const bool is_new = evaluated.connections.front().number == no_record;
  conclude(evaluated.outcome, is_new ? detail::evaluate_new(store, options, hash, evaluated)
                                     : detail::evaluate_held(store, options, hash, evaluated));
  return evaluated;
}

/// Takes what was evaluated, accepted and is not a repeat, into the same store.
template <class = void>
BANKHOOK_ENTRY void take(Store& store, EvaluatedBank& evaluated) {
  RecordId member = evaluated.member;
  const MemberRecord record = evaluated.member_record();
  if (member == no_record) member = store.members.add(evaluated.member_hash, record);
  else if (!reflect::equal(evaluated.known_member, record)) store.members.replace(member, record);
  EvaluatedConnection& own = evaluated.connections.front();
  own.record.seen = evaluated.seen.text();
  own.changes = own.changes || evaluated.others_hold;
  for (const EvaluatedConnection& one : evaluated.connections) {
    if (!one.changes) continue;
    if (one.number == no_record) store.add_connection(one.hash, one.record, member);
    else store.replace_connection(one.number, one.record, member);
  }
}

BANKHOOK_ONCE(EvaluatedBank evaluate(const Store&, const BankConnectionsUpdateV2&, const TrackerOptions&, Workbench&));
BANKHOOK_ONCE(void take(Store&, EvaluatedBank&));

}  // namespace bankhook::inline BANKHOOK_ABI::tracking
