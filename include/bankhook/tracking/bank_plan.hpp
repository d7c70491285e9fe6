// SPDX-License-Identifier: MIT
// 6.2: the plan for a bank_connections_update_v2, by what is tracked of its member: its own connection, then the others.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/domain/connection_lifecycle.hpp>
#include <bankhook/events/bank_connections_update_v2.hpp>
#include <bankhook/tracking/differences.hpp>
#include <bankhook/tracking/member.hpp>
#include <bankhook/tracking/outcome.hpp>
#include <bankhook/tracking/plan.hpp>

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace tracking {

/// Whether an account is no longer there.
[[nodiscard]] inline bool drops_any(std::span<const Account> before, std::span<const Account> after) {
  bool drops = false;
  pair_by_id(by_id(before), by_id(after), [&](const Account*, const Account* right) { drops |= right == nullptr; });
  return drops;
}

/// 6.2, rule 2: "When bank accounts are then created or updated for that connection, an update event is sent", and nothing
/// else is reported of an update. Accounts were created or updated if all that were there are there, in their order, one of
/// them or another one is new, and none is there twice.
[[nodiscard]] inline Judgement judge_update(const Connection& before, const Connection& after, const Judgement& by_row) {
  const std::span<const Account> accounts = after.accounts;
  std::size_t kept = 0;
  bool is_account_update = false;
  for (const Account& account : accounts) {
    const bool is_next = kept < before.accounts.size() && before.accounts[kept].id == account.id;
    is_account_update |= !is_next || !reflect::equal(before.accounts[kept], account);
    kept += is_next;
  }
  if (kept < before.accounts.size()) {
    if (drops_any(before.accounts, accounts)) return broken(RuleId::accounts_stay);
    is_account_update = false;  // they are reordered
  }
  is_account_update = is_account_update && by_id(accounts).size() == accounts.size();
  Connection others = after;
  others.accounts = before.accounts;
  return is_account_update && reflect::equal(before, others) ? by_row
                                                             : worse(by_row, led_by(RuleId::other_changes_come_as_update));
}

/// Adds the changes of a connection: whether it is added, removed or listed again, then its fields. Only an event of its
/// own that is not a create says that its first event is missing.
inline void compare(auto& one, std::string_view member, Changes& changes) {
  const std::size_t changes_before = changes.size();
  const auto& type = one.record.event_type;
  add_changes(one.held, one.record, member, type && type != ConnectionEventType::create, changes);
  one.changes = changes.size() != changes_before;
}

/// To be taken off a list, and to be on one again, has a rule of its own, but where a table expects it.
[[nodiscard]] inline Judgement judgement_of_list(const MachineStep<ConnectionState, ConnectionTrigger>& step) {
  const bool is_about_unlisted =
      step.to && step.transition != nullptr &&
      (step.to == ConnectionState::unlisted || step.transition->from == ConnectionState::unlisted);
  return is_about_unlisted && step.verdict == Verdict::unspecified ? broken(RuleId::unlisted_connection_is_gone)
                                                                   : judgement_of(step);
}

/// The step of a connection from its stored state. The built-in rows of `unlisted` are about one that had an event of its
/// own. By these, one that lists alone have named steps as if it were `listed`: without a row, for none is followed. Any
/// other row of that state is about both.
[[nodiscard]] inline auto step_from(const TrackerOptions& options, const ConnectionRecord* held,
                                    ConnectionTrigger trigger) {
  const auto from = held == nullptr ? std::nullopt : held->place();
  const auto step = options.connections.step(from, trigger);
  if (held == nullptr || held->event_type || from != ConnectionState::unlisted) return step;
  const auto listed = options.connections.step(ConnectionState::listed, trigger);
  const bool is_same = !listed.to || (listed.to == step.to && listed.verdict == step.verdict);
  if (is_same || *step.transition != *connection_lifecycle.step(from, trigger).transition) return step;
  return decltype(step){Verdict::unspecified, listed.to, nullptr};
}

/// The event's own connection, moved by its eventType and then by whether its own list has it; a create need not list it
/// yet. False if the table says that the event is not applied.
[[nodiscard]] inline bool step_own(const BankConnectionsUpdateV2& event, const TrackerOptions& options, auto& plan,
                                   Judgement& judgement) {
  PlannedConnection& own = plan.connections.front();
  const ConnectionRecord* const held = own.held;
  std::optional<ConnectionState> state = held == nullptr ? std::nullopt : held->place();
  const auto type = event.event_type.known();
  own.record.event_type = event.event_type;
  judgement = broken(RuleId::values_are_listed);
  if (type) {
    const auto step = step_from(options, held, trigger_of(*type));
    judgement = judgement_of(step);
    if (!step.to) return false;
    state = step.to;
    // A create that a table lets through after an event of its own changes accounts as an update does.
    const bool may_change = held != nullptr && type != ConnectionEventType::delete_ &&
                            (type == ConnectionEventType::update || held->event_type);
    if (may_change && step.verdict < Verdict::unspecified)
      judgement = judge_update(held->connection, event.connection, judgement);
    if (held != nullptr && held->event_type && !held->event_type->is_known())
      judgement = worse(judgement, broken(RuleId::values_follow_listed_ones));
  }
  if (plan.own_is_listed || type != ConnectionEventType::create) {
    const auto by = plan.own_is_listed ? ConnectionTrigger::listed : ConnectionTrigger::not_listed;
    const auto by_list = type ? options.connections.step(state, by) : step_from(options, held, by);
    if (by_list.to) state = by_list.to;
    judgement = worse(judgement, judgement_of_list(by_list));
  }
  if (state) own.record.state = *state;
  // The accounts of a deleted connection go with it, but not where a table leaves it.
  if (type == ConnectionEventType::delete_ && own.record.is_live() && held != nullptr &&
      drops_any(held->connection.accounts, event.connection.accounts))
    judgement = worse(judgement, broken(RuleId::accounts_stay));
  return true;
}

/// What is known of the event's own connection decides whether its list and counts are applied. An event with news of that
/// connection is taken to be newer than everything tracked (assumed), and so is one that follows another of the same
/// connection. Any other is a repeat or late: its list and counts are applied only if the list is up to date. News of a
/// connection that was unlisted are applied, too, since the list that it was missing from may have been a late one; then
/// nothing is known about them. If the order is trusted, all of them are.
[[nodiscard]] inline Judgement decide_on_list(const Member& member, const MemberRecord& known,
                                              const TrackerOptions& options, auto& plan) {
  if (options.order == Order::trusted) return {};
  const auto& [record, held, _] = plan.connections.front();
  const bool differs = !reflect::equal(held->connection, record.connection);
  const bool was_live = held->is_live();
  const bool follows_its_own = known.last_connection == record.connection.id;
  const bool is_news =
      was_live ? differs || !record.is_live() || follows_its_own : held->state == ConnectionState::unlisted && differs;
  const bool is_certain = (is_news && was_live) || is_up_to_date(member, plan);
  plan.takes_list = is_news || is_certain;
  return is_certain ? Judgement() : broken(RuleId::changes_have_their_own_event);
}

/// 6.2, rule 1, of a connection that lists alone have named so far: the create is its first event, whenever it comes. Which
/// of list and create is newer is not shown, nor whether a list that lacks it is older. Its own list is taken if it lacks
/// nothing that is tracked. If the order is trusted, the create is newer.
[[nodiscard]] inline Judgement judge_listed_create(const Member& member, const TrackerOptions& options, auto& plan) {
  auto& [record, held, _] = plan.connections.front();
  const bool is_newer = options.order == Order::trusted;
  plan.takes_list = is_newer || !lacks_any(member, plan);
  const Judgement judgement = held->is_live() ? Judgement() : broken(RuleId::unlisted_connection_is_gone);
  if (reflect::equal(held->connection, record.connection)) return judgement;
  if (is_newer) return worse(judgement, led_by(RuleId::create_differs_from_list));
  if (!options.take_create) record.connection = held->connection;
  return worse(judgement, broken(RuleId::create_differs_from_list));
}

/// A connection that is listed beside the event's own. Whatever takes away or changes what is tracked of it has no event of
/// its own, and is no ordinary news.
[[nodiscard]] inline Judgement step_listed(const TrackerOptions& options, std::string_view member, auto& one,
                                           Changes& changes) {
  const ConnectionRecord* const held = one.held;
  const auto step = step_from(options, held, ConnectionTrigger::listed);
  if (!step.to) return judgement_of(step);
  if (held != nullptr) {
    one.record.event_type = held->event_type;
    one.record.seen = held->seen;
  }
  one.record.state = *step.to;
  compare(one, member, changes);
  if (held == nullptr || !one.changes) return judgement_of(step);
  const bool differs = !reflect::equal(held->connection, one.record.connection);
  return differs ? broken(RuleId::changes_have_their_own_event) : judgement_of_list(step);
}

/// Everything that the event says about the other connections.
[[nodiscard]] inline Judgement step_others(const Member* member, const TrackerOptions& options, std::string_view member_id,
                                           auto& plan) {
  Judgement judgement;
  Changes& changes = plan.outcome.changes;
  for (std::size_t i = 1; i < plan.connections.size(); ++i) {
    judgement = worse(judgement, step_listed(options, member_id, plan.connections[i], changes));
  }
  if (member == nullptr) return judgement;
  const auto moves = [&](ConnectionState from) {
    return options.connections.step(from, ConnectionTrigger::not_listed).to.value_or(from) != from;
  };
  const bool moves_gone = !member->gone.empty() && (moves(ConnectionState::unlisted) || moves(ConnectionState::deleted));
  if (!moves_gone && !lacks_any(*member, plan)) return judgement;
  for (const ConnectionRecord* const held : missing(*member, plan, moves_gone)) {
    const auto step = options.connections.step(held->place(), ConnectionTrigger::not_listed);
    PlannedConnection one{.record = *held, .held = held};
    if (step.to) one.record.state = *step.to;
    compare(one, member_id, changes);
    judgement = worse(judgement, judgement_of_list(step));
    if (one.changes) plan.connections.push_back(one);
  }
  return judgement;
}

/// What is stored of the member after the event. A new one has its ids, whatever else is applied.
inline void set_member(bool is_new, const MemberRecord& known, const BankConnectionsUpdateV2& event, auto& plan) {
  const ConnectedCustomer& customer = event.customer;
  plan.member = known;
  if (is_new) plan.member.customer = {customer.id, customer.external_id};
  if (plan.takes_list) {
    plan.member = {{customer.id, customer.external_id},
                   Membership{customer.connections_on, customer.connections_off, event.shopping_hub_id,
                              event.shopping_hub_external_id},
                   event.connection.id};
  } else if (plan.member.last_connection == event.connection.id) {
    plan.member.last_connection.reset();
  }
  plan.member_changes = is_new || !reflect::equal(known, plan.member);
}

/// Whether the externalId or the programme of a member becomes another one. Its counts are those of a list that is
/// complete.
[[nodiscard]] inline bool ids_change(const MemberRecord& before, MemberRecord after) {
  if (before.membership && after.membership) {
    after.membership->connections_on = before.membership->connections_on;
    after.membership->connections_off = before.membership->connections_off;
  }
  return !reflect::equal(before.customer, after.customer) ||
         (before.membership && !reflect::equal(before.membership, after.membership));
}

/// What `event` means for `member`, of which nothing is tracked if it is nullptr; it does not change.
BANKHOOK_ENTRY void make_plan(const std::same_as<Member> auto* member, const BankConnectionsUpdateV2& event,
                              const TrackerOptions& options, Plan& plan) {
  Outcome& outcome = plan.outcome;
  outcome.findings = check(event);
  if (outcome.findings.contains(RuleId::days_and_times_exist)) return refuse(outcome, RuleId::days_and_times_exist);
  collect(member, event, plan);
  PlannedConnection& own = plan.connections.front();
  const ConnectionRecord* const held = own.held;
  if (held != nullptr) own.record.seen = held->seen;
  outcome.seen_before = held != nullptr && contains(held->seen, plan.digest);
  Judgement judgement;
  if (!step_own(event, options, plan, judgement)) {
    // A create again, of a connection that is still as that create had it.
    outcome.repeat = held != nullptr && held->state == ConnectionState::created &&
                     reflect::equal(held->event_type, own.record.event_type) &&
                     reflect::equal(held->connection, own.record.connection);
    outcome.accepted = outcome.repeat;
    if (outcome.repeat) own.record = *held;
    own.changes = !outcome.seen_before;
    return conclude(outcome, outcome.repeat ? Judgement() : judgement);
  }
  if (!plan.entries_agree) judgement = worse(judgement, led_by(RuleId::entries_agree));
  const MemberRecord known = member == nullptr ? MemberRecord() : member->record();
  if (held != nullptr) {
    const bool is_first = !held->event_type && event.event_type == ConnectionEventType::create;
    judgement = worse(
        judgement, is_first ? judge_listed_create(*member, options, plan) : decide_on_list(*member, known, options, plan));
  }
  set_member(member == nullptr, known, event, plan);
  add_changes(member == nullptr ? nullptr : &known, plan.member, outcome.changes);
  compare(own, event.customer.id, outcome.changes);
  if (!own.changes) {
    const auto judge = options.order == Order::trusted ? led_by : broken;
    judgement = worse(judgement, judge(RuleId::event_is_not_repeated));
  }
  own.changes |= !outcome.seen_before;
  if (plan.takes_list) judgement = worse(judgement, step_others(member, options, event.customer.id, plan));
  if (member != nullptr && ids_change(known, plan.member)) judgement = worse(judge_ids(outcome), judgement);
  const auto by_deleted = options.connections.step(ConnectionState::deleted, ConnectionTrigger::listed);
  if (plan.lists_deleted && !by_deleted.to) judgement = worse(judgement_of(by_deleted), judgement);  // before others
  conclude(outcome, judgement, options.order);
  plan.member_changes &= !outcome.repeat;
}

BANKHOOK_ONCE(void make_plan(const Member*, const BankConnectionsUpdateV2&, const TrackerOptions&, Plan&));

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::tracking
