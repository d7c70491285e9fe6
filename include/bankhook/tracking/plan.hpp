// SPDX-License-Identifier: MIT
// How an event is judged; its plan, and what carries it out; the plan for a transaction (6.3); what is listed (2.1, 6.2).
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/evidence.hpp>
#include <bankhook/domain/connection_lifecycle.hpp>
#include <bankhook/domain/transaction_lifecycle.hpp>
#include <bankhook/events/bank_connections_update_v2.hpp>
#include <bankhook/events/initial_transaction_update.hpp>
#include <bankhook/events/rules/check.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/machine/machine.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/tracking/differences.hpp>
#include <bankhook/tracking/digest.hpp>
#include <bankhook/tracking/member.hpp>
#include <bankhook/tracking/outcome.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace tracking {

BANKHOOK_ONCE(Digest digest_of(const InitialTransactionUpdate&));
BANKHOOK_ONCE(Digest digest_of(const BankConnectionsUpdateV2&));

/// What an event means, and the rule or row that says so.
struct Judgement {
  Verdict verdict = Verdict::specified;
  Reason reason{};
};

/// The judgement of an event that breaks a rule: only a stated rule is contradicted. A value that is not listed is from the
/// future: open, whatever the rule says about the listed ones.
[[nodiscard]] constexpr Judgement broken(RuleId id) {
  const Rule& rule = rule_of(id);
  const bool is_open = id == RuleId::values_are_listed || id == RuleId::event_is_listed;
  return {rule.evidence == Evidence::stated && !is_open ? Verdict::contradicts : Verdict::unspecified, &rule};
}
/// The judgement of an event that comes as an assumed rule requires.
[[nodiscard]] constexpr Judgement led_by(RuleId id) { return {Verdict::assumed, &rule_of(id)}; }

/// Of a step along a row; of the one that has none, see `step_from`.
template <class State, class Trigger>
[[nodiscard]] constexpr Judgement judgement_of(const MachineStep<State, Trigger>& step) {
  if (step.transition == nullptr) return broken(RuleId::unlisted_connection_is_gone);
  return {step.verdict, step.transition};
}

/// That the externalId or the programme of a member changes, which is what others join by: the first of equally bad
/// reasons. With an event that was seen before, they go back.
[[nodiscard]] constexpr Judgement judge_ids(const Outcome& outcome) {
  return outcome.seen_before ? broken(RuleId::members_change) : led_by(RuleId::members_change);
}

/// The worse of two evaluations; the first one if they are equally bad.
[[nodiscard]] constexpr Judgement worse(const Judgement& one, const Judgement& other) {
  return other.verdict > one.verdict ? other : one;
}

/// Fills in the verdict and its reason. What is not applied is no ordinary event, whatever row it meets; and one that was
/// accepted before and would still change something, or changes nothing, is no news, unless the order says that it is. The
/// rules that the event breaks within itself come last.
inline void conclude(Outcome& outcome, Judgement judgement, Order order = Order::unknown) {
  outcome.repeat = outcome.repeat || (outcome.accepted && outcome.changes.empty());
  if (outcome.repeat) judgement = worse(broken(RuleId::event_is_not_repeated), judgement);
  else if (outcome.seen_before && outcome.accepted && order == Order::unknown)
    judgement = worse(judgement, broken(RuleId::event_is_not_repeated));
  for (const BrokenRule found : outcome.findings) judgement = worse(judgement, broken(found.rule));
  outcome.verdict = judgement.verdict;
  outcome.reason = judgement.reason;
  outcome.changes.own_texts();
}

/// The outcome of an event that is not applied because of a rule.
inline void refuse(Outcome& outcome, RuleId rule) {
  outcome.accepted = false;
  conclude(outcome, broken(rule));
}

/// One connection in its state after the event, and what is tracked of it (nullptr: nothing).
struct PlannedConnection {
  ConnectionRecord record{};
  const ConnectionRecord* held = nullptr;
  bool changes = false;  ///< and so is to be stored; the event's own, too, if its digest is new
};

/// What an event means, and what it concerns in its state afterwards; views the event and the member. What is not accepted
/// is not to be taken.
struct Plan {
  Digest digest{};
  Outcome outcome{};
  MemberRecord member{};  ///< after the event; of one of a transaction only the ids
  bool member_changes = false;
  TransactionRecord transaction{};
  IdKey transaction_key{{}, 0};                  ///< views its id
  bool transaction_changes = false;              ///< it or its digests
  std::vector<PlannedConnection> connections{};  ///< the event's own, the listed ones, those that are listed no more
  bool own_is_listed = false;
  bool lists_deleted = false;  ///< one that is tracked as deleted, beside its own
  bool entries_agree = true;   ///< each connection is listed once, and the event's own with the same content
  bool takes_list = true;      ///< whether what it says of the member and its other connections is applied
};

/// What `event` means for `member`, of which nothing is tracked if it is nullptr; it does not change.
BANKHOOK_ENTRY void make_plan(const std::same_as<Member> auto* member, const InitialTransactionUpdate& event,
                              const TrackerOptions& options, Plan& plan) {
  TransactionRecord& next = plan.transaction;
  next.initial_transaction = event.initial_transaction;
  Outcome& outcome = plan.outcome;
  Changes& changes = outcome.changes;
  outcome.findings = check(event);
  if (outcome.findings.contains(RuleId::days_and_times_exist)) return refuse(outcome, RuleId::days_and_times_exist);
  if (event.event_type != event.initial_transaction.status) {
    if (options.status_from == StatusFrom::neither) return refuse(outcome, RuleId::status_equals_event_type);
    if (options.status_from == StatusFrom::event_type) next.initial_transaction.status = event.event_type;
  }
  const InitialTransaction& transaction = next.initial_transaction;
  plan.transaction_key = transaction.id;
  const auto* const stored = member == nullptr ? nullptr : member->transactions.find(plan.transaction_key);
  const TransactionRecord held = stored == nullptr ? TransactionRecord() : **stored;
  outcome.seen_before = contains(held.seen, plan.digest);
  if (stored != nullptr && reflect::equal(held.initial_transaction, transaction)) {
    outcome.repeat = true;
    plan.transaction_changes = !outcome.seen_before;
    if (plan.transaction_changes) next = held;
    return conclude(outcome, {});
  }
  next.state = held.state;
  next.seen = held.seen;
  Judgement judgement = broken(RuleId::values_are_listed);
  if (const auto status = transaction.status.known()) {
    const auto step = options.transactions.step(held.state ? held.state->known() : std::nullopt, trigger_of(*status));
    judgement = judgement_of(step);
    outcome.accepted = step.to.has_value();
    if (!outcome.accepted) return conclude(outcome, judgement);
    next.state = *step.to;
    if (stored != nullptr && !held.initial_transaction.status.is_known())
      judgement = worse(judgement, broken(RuleId::values_follow_listed_ones));
  }
  plan.member.customer = event.customer;
  const Customer known = member == nullptr ? Customer() : *member->customer;
  plan.member_changes = member == nullptr || !reflect::equal(known, event.customer);
  if (plan.member_changes) {
    if (member != nullptr) judgement = worse(judge_ids(outcome), judgement);
    add_changes(member == nullptr ? nullptr : &known, event.customer, changes);
  }
  add_changes(stored == nullptr ? nullptr : &held, next, event.customer.id,
              transaction.status != TransactionStatus::created, changes);
  conclude(outcome, judgement, options.order);
  plan.transaction_changes = !outcome.repeat || !outcome.seen_before;
}

/// Carries out what was planned and accepted, on the same member. What the event is about comes last: while that is as it
/// was, the event is news, and is taken as a whole if it is applied again after memory ran out.
BANKHOOK_ENTRY void take(std::same_as<Member> auto& member, Plan& plan) {
  const bool has_own = !plan.connections.empty();
  if (plan.member_changes && has_own) member.put(plan.member);
  if (plan.member_changes && !has_own) member.customer = Encoded(plan.member.customer);  // the rest may be long
  Seen room;
  if (plan.transaction_changes) {
    plan.transaction.seen = write_seen(plan.digest, plan.transaction.seen, room, 8);
    member.put(plan.transaction_key, plan.transaction);
  }
  for (std::size_t i = plan.connections.size(); i-- > 0;) {
    if (!plan.connections[i].changes) continue;
    ConnectionRecord& record = plan.connections[i].record;
    if (i == 0) record.seen = write_seen(plan.digest, record.seen, room, 16);
    member.put(record);
  }
}

BANKHOOK_ONCE(void make_plan(const Member*, const InitialTransactionUpdate&, const TrackerOptions&, Plan&));
BANKHOOK_ONCE(void take(Member&, Plan&));

/// The event's connection and the listed ones, each id once. The event's own wins over its entry in the list, and of two
/// entries the first one (assumed: the specification does not mention two entries with one id).
inline void collect(const Member* member, const BankConnectionsUpdateV2& event, auto& plan) {
  const std::span<const Connection> listed = event.customer.connections;
  std::vector<const Connection*> firsts = by_id(listed);
  sort(firsts, [](const Connection* one) { return one; });
  plan.entries_agree = firsts.size() == listed.size();
  plan.connections.reserve(firsts.size() + 1);
  const auto add = [&](const Connection& connection) {
    const auto* const stored = member == nullptr ? nullptr : member->find_connection(connection.id);
    const ConnectionRecord* const held = stored == nullptr ? nullptr : &**stored;
    plan.connections.push_back({.record = {.connection = connection}, .held = held});
    return held != nullptr && held->state == ConnectionState::deleted;
  };
  add(event.connection);
  for (const Connection* const one : firsts) {
    if (one->id != event.connection.id) {
      plan.lists_deleted |= add(*one);
    } else {
      plan.own_is_listed = true;
      plan.entries_agree &= reflect::equal(*one, event.connection);
    }
  }
}

/// Whether the event does not name a connection that is tracked as one of the member's.
[[nodiscard]] inline bool lacks_any(const Member& member, const auto& plan) {
  std::size_t named = 0;
  for (const PlannedConnection& one : plan.connections) named += one.held != nullptr && one.held->is_live();
  return named != member.live.size();
}

/// Whether the list can be the current one: it lacks nothing, has every other tracked connection just as tracked, unlisted
/// ones, too, and none that is deleted. An event that is older than what is tracked rarely has such a list; a redelivered
/// one has it only if nothing else of the member has changed meanwhile.
[[nodiscard]] inline bool is_up_to_date(const Member& member, const auto& plan) {
  for (std::size_t i = 1; i < plan.connections.size(); ++i) {
    const auto& [record, held, _] = plan.connections[i];
    if (held != nullptr && !reflect::equal(held->connection, record.connection)) return false;
  }
  return !plan.lists_deleted && !lacks_any(member, plan);
}

/// The connections that the event does not name, in the order of their ids: those that are tracked as the member's and, if
/// a table moves them, those that are not.
[[nodiscard]] inline std::vector<const ConnectionRecord*> missing(const Member& member, const auto& plan, bool moves_gone) {
  std::vector<std::string_view> named;
  for (const PlannedConnection& one : plan.connections) named.push_back(one.record.connection.id);
  sort(named, [](std::string_view id) { return id; });
  std::vector<const ConnectionRecord*> found;
  const auto add = [&](const Owned<ConnectionRecord>& one) {
    if (!std::binary_search(named.begin(), named.end(), id_of(one))) found.push_back(&*one);
  };
  member.live.for_each(add);
  if (moves_gone) member.gone.for_each(add);
  sort(found, [](const auto* one) { return one->connection.id; });
  return found;
}

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::tracking
