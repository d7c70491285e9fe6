// SPDX-License-Identifier: MIT
// Tracker: tracks every member, bank connection and initial transaction through the events that a consumer receives.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/tracking/differences.hpp>
#include <bankhook/tracking/digest.hpp>
#include <bankhook/tracking/member.hpp>
#include <bankhook/tracking/member_state.hpp>
#include <bankhook/tracking/outcome.hpp>
#include <bankhook/tracking/records.hpp>
#include <bankhook/tracking/snapshot.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook { inline namespace BANKHOOK_ABI {

/// Tracks every member, bank connection and initial transaction through their events: a map of the states of members, each
/// moved by the tables of its options. Events carry no id, time or sequence number, so each is evaluated against what is
/// tracked about its key: the id of a transaction or connection, within its member (`ids_are_per_member`).
/// - An event is a repeat if it contains nothing new about its key. One that was accepted before and would change something
///   again is `unspecified`.
/// - A `create` or `created` of a key that had an event of its own with a listed value is late or a repeat, and changes
///   nothing: rows of the table say never. That of a connection which only lists have named is its first event.
/// - A bank-connection event is the member's whole picture, because `customer.connections` are "all connections of the
///   member" (2.1). If it reports its own connection otherwise than it is tracked, what it lists is taken, too, and a
///   tracked connection that it does not list becomes unlisted; one that is deleted stays so. If it does not report its own
///   connection otherwise, it may be old, unless its connection is the one whose list was the last to be taken and no later
///   list of that connection was left out. It may be old, too, if it brings back a connection that was deleted. The list
///   and the counts of an event that may be old are taken only if the list has every other connection just as tracked (an
///   unlisted one may be there, too). Those of the `create` of a connection that only lists have named are taken if its
///   list lacks nothing that is tracked.
/// - A late event that contains something new about its own key cannot be distinguished from a new one, and is applied.
///   What it takes away or changes of other connections makes it `unspecified`. The member's next event that comes in
///   order, and whose list is taken, corrects what that list says of connections, and the counts; a connection that is
///   deleted, and a transaction, need an event of their own.
///
/// No event is an error; std::bad_alloc is thrown if memory runs out, and the tracker may then have a part of that event.
/// Values are compared as `==` does (`19.9` repeats `19.90`) and kept as they were written. Not for use by two threads at
/// once, but for reading by many.
class Tracker {
 public:
  explicit Tracker(const TrackerOptions& options = {}) : options_(options) {}

  /// What `apply` would answer, and changes nothing.
  [[nodiscard]] Outcome peek(const std::convertible_to<AnyEvent> auto& event) const;
  /// Applies `event` and answers what that meant. An event that was made by hand with a date that does not exist, such as
  /// that of `Connection{}`, is not accepted; texts are UTF-8 without a check, as in all that is parsed. Neither the
  /// outcome nor the tracker views the event.
  Outcome apply(const std::convertible_to<AnyEvent> auto& event);
  [[nodiscard]] const TrackerOptions& options() const { return options_; }
  void set_options(const TrackerOptions& options) { options_ = options; }  ///< from the next event on

  [[nodiscard]] std::size_t member_count() const { return members_.size(); }
  /// Deleted and unlisted ones, too.
  [[nodiscard]] std::size_t connection_count() const {
    return total([](const auto& one) { return one.live.size() + one.gone.size(); });
  }
  [[nodiscard]] std::size_t transaction_count() const {
    return total([](const auto& one) { return one.transactions.size(); });
  }

  /// By the member's id, and the id within that member; views live until the tracker changes.
  [[nodiscard]] std::optional<TrackedMember> member(std::string_view id) const BANKHOOK_LIFETIMEBOUND {
    const auto* const found = members_.find(id);
    return found == nullptr ? std::nullopt : std::optional(found->shown());
  }
  [[nodiscard]] std::optional<TrackedConnection> connection(std::string_view member_id,
                                                            std::string_view id) const BANKHOOK_LIFETIMEBOUND {
    const auto* const found = members_.find(member_id);
    return found == nullptr ? std::nullopt : found->shown_or_nothing(found->find_connection(id));
  }
  [[nodiscard]] std::optional<TrackedTransaction> transaction(std::string_view member_id,
                                                              std::string_view id) const BANKHOOK_LIFETIMEBOUND {
    const auto* const found = members_.find(member_id);
    return found == nullptr ? std::nullopt : found->shown_or_nothing(found->transactions.find(id));
  }

  /// Calls `f` with each connection, deleted and unlisted ones, too, in no order. `f` must not change the tracker.
  void for_each_connection(auto f) const {
    members_.for_each([&](const auto& member) {
      for (const auto* const records : {&member.live, &member.gone})
        records->for_each([&](const auto& one) { f(member.shown(*one)); });
    });
  }
  /// The same with each transaction.
  void for_each_transaction(auto f) const {
    members_.for_each(
        [&](const auto& member) { member.transactions.for_each([&](const auto& one) { f(member.shown(*one)); }); });
  }

  /// All members, in the order of their ids.
  [[nodiscard]] std::vector<TrackedMember> members() const BANKHOOK_LIFETIMEBOUND {
    std::vector<TrackedMember> all;
    for (const auto* const one : members_.in_order()) all.push_back(one->shown());
    return all;
  }
  /// All connections, deleted and unlisted ones, too, member by member, in the order of their ids.
  [[nodiscard]] std::vector<TrackedConnection> connections() const BANKHOOK_LIFETIMEBOUND {
    std::vector<TrackedConnection> all;
    for (const auto* const one : members_.in_order()) one->show(one->connections_in_order(), all);
    return all;
  }
  /// All transactions, member by member, in the order of their ids.
  [[nodiscard]] std::vector<TrackedTransaction> transactions() const BANKHOOK_LIFETIMEBOUND {
    std::vector<TrackedTransaction> all;
    for (const auto* const one : members_.in_order()) one->show(one->transactions.in_order(), all);
    return all;
  }

  /// Of one member, in the order of their ids, deleted and unlisted ones, too; empty for a member that is not tracked.
  [[nodiscard]] std::vector<TrackedConnection> connections_of(std::string_view member_id) const BANKHOOK_LIFETIMEBOUND {
    std::vector<TrackedConnection> all;
    if (const auto* const found = members_.find(member_id)) found->show(found->connections_in_order(), all);
    return all;
  }
  /// Of one member, in the order of their creation time (2.4 date), then of their ids.
  [[nodiscard]] std::vector<TrackedTransaction> transactions_of(std::string_view member_id) const BANKHOOK_LIFETIMEBOUND {
    std::vector<TrackedTransaction> all;
    if (const auto* const found = members_.find(member_id)) found->show(found->transactions.in_order(), all);
    detail::tracking::sort(all, [](const TrackedTransaction& one) {
      return std::pair(one.initial_transaction.date, one.initial_transaction.id);
    });
    return all;
  }
  /// The accounts of a member's connections that are neither deleted nor unlisted, connection by connection.
  [[nodiscard]] std::vector<Account> accounts_of(std::string_view member_id) const BANKHOOK_LIFETIMEBOUND {
    std::vector<Account> accounts;
    for (const TrackedConnection& one : connections_of(member_id)) {
      if (!one.is_listed()) continue;
      for (const Account& account : one.connection.accounts) accounts.push_back(account);
    }
    return accounts;
  }

  /// 7: connections with an errorCode or an errorMessage, neither deleted nor unlisted. In the order of their ids.
  [[nodiscard]] std::vector<TrackedConnection> in_error() const BANKHOOK_LIFETIMEBOUND {
    return listed_that([](const TrackedConnection& one) { return one.is_in_error(); });
  }
  /// 6.2: connections whose accounts are still to come: without accounts, neither deleted nor unlisted. In the order of
  /// their ids.
  [[nodiscard]] std::vector<TrackedConnection> awaiting_accounts() const BANKHOOK_LIFETIMEBOUND {
    return listed_that([](const TrackedConnection& one) { return one.connection.accounts.empty(); });
  }
  /// Connections, neither deleted nor unlisted, whose consent ends before `when`, the earliest first. Both are on a clock
  /// of which 2.2 names no zone, and none is added.
  [[nodiscard]] std::vector<TrackedConnection> consents_ending_before(const LocalTimestamp& when) const
      BANKHOOK_LIFETIMEBOUND {
    auto found = listed_that([&](const TrackedConnection& one) {
      return one.connection.consent_expires_at && *one.connection.consent_expires_at < when;
    });
    detail::tracking::sort(found, [](const TrackedConnection& one) {
      return std::pair(*one.connection.consent_expires_at, one.connection.id);
    });
    return found;
  }

  /// The state and the options but for the tables, as lines of JSON: one for each member, connection and transaction, in
  /// the order of their ids. Equal trackers give equal bytes. `restore` gives back what was written, but rejects a text
  /// that is not UTF-8, which only an event that was made by hand can have.
  template <class = void>
  [[nodiscard]] std::string snapshot() const {
    return detail::tracking::write_snapshot(options_, members_.in_order());
  }
  /// A tracker with the state in `bytes`, which may be any bytes and are not needed afterwards. Nothing is half restored.
  /// The tables are those of `options`, the other choices those of the snapshot.
  template <class = void>
  [[nodiscard]] static std::expected<Tracker, SnapshotError> restore(TransientBytes bytes, TrackerOptions options = {}) {
    Tracker tracker(options);
    auto& members = tracker.members_;
    const auto read = detail::tracking::read_snapshot(bytes, tracker.options_, [&members](const auto& record) {
      const detail::tracking::IdKey id(record.customer.id);
      if (members.find(id) != nullptr) return static_cast<detail::tracking::Member*>(nullptr);
      detail::tracking::Member member;
      member.put(record);
      return &members.put(id, std::move(member));
    });
    if (!read) return std::unexpected(read.error());
    return tracker;
  }

  /// Adds all that `other` holds, as if its events had come here. An error where the two hold a member in common; nothing
  /// has changed then.
  [[nodiscard]] std::expected<void, MergeError> merge(const Tracker& other) {
    bool is_shared = false;
    other.members_.for_each([&](const auto& one) { is_shared = is_shared || members_.find(id_of(one)) != nullptr; });
    if (is_shared) return std::unexpected(MergeError::member_in_both);
    members_.reserve(members_.size() + other.members_.size());
    other.members_.for_each([&](const auto& one) { members_.put(id_of(one), one); });
    return {};
  }

  /// What is different in `other`: `before` is the value here, `after` the one there. What only `other` has is added, what
  /// only this tracker has is missing. Member by member in the order of their ids: the member, its connections, its
  /// transactions; so the order does not depend on that of the events. Empty exactly if the members, connections and
  /// transactions that both give back are equal, by value, but for the state of a transaction whose
  /// status is not listed: equal trackers have no differences. Options, and what a tracker
  /// remembers of earlier events, are not compared. `truth.diff(held)` is what a consumer got wrong.
  [[nodiscard]] Changes diff(const std::same_as<Tracker> auto& other) const {
    Changes changes;
    detail::tracking::pair_by_id(members_.in_order(), other.members_.in_order(), [&](const auto* left, const auto* right) {
      detail::tracking::add_changes(left, right, changes);
    });
    changes.own_texts();
    return changes;
  }

  /// Forgets members, connections and transactions whose events are over, so that following an endless stream takes bounded
  /// memory, as if they had never been tracked. `is_wanted` says what stays: `member(id)`, `connection(id, member_id,
  /// is_gone)`, `transaction(id)`; a member of whom anything stays does, too. It must not use the tracker.
  void forget_unwanted(const auto& is_wanted) {
    members_.remove_if([&](auto& one) { return !one.keep(is_wanted) && !is_wanted.member(id_of(one)); });
  }

  /// Bytes of memory that the tracker has allocated, about. Looks at everything that is tracked.
  [[nodiscard]] std::size_t memory() const { return members_.memory(); }

  /// The same choices and the same state, as it was written; in which order its parts came does not count.
  template <std::same_as<Tracker> T>
  friend bool operator==(const T& left, const T& right) {
    return left.member_count() == right.member_count() && left.snapshot() == right.snapshot();
  }

 private:
  [[nodiscard]] std::size_t total(auto f) const {
    std::size_t sum = 0;
    members_.for_each([&](const auto& one) { sum += f(one); });
    return sum;
  }
  [[nodiscard]] std::vector<TrackedConnection> listed_that(auto predicate) const {
    std::vector<TrackedConnection> found;
    for_each_connection([&](const TrackedConnection& one) {
      if (one.is_listed() && predicate(one)) found.push_back(one);
    });
    detail::tracking::sort(found, [](const TrackedConnection& one) { return std::pair(one.connection.id, one.member_id); });
    return found;
  }

  detail::tracking::Records<detail::tracking::Member> members_;
  TrackerOptions options_;
};

BANKHOOK_ENTRY Outcome Tracker::peek(const std::convertible_to<AnyEvent> auto& event) const {
  return detail::tracking::visit_known(event, [this](const auto& known) {
    const detail::tracking::IdKey id(known.customer.id);
    members_.prefetch(id);
    return detail::tracking::plan_for(known, options_, [&] { return members_.find(id); }).outcome;
  });
}
BANKHOOK_ENTRY Outcome Tracker::apply(const std::convertible_to<AnyEvent> auto& event) {
  return detail::tracking::visit_known(event, [this](const auto& known) {
    const detail::tracking::IdKey id(known.customer.id);
    detail::tracking::Member* member = nullptr;
    members_.prefetch(id);
    auto plan = detail::tracking::plan_for(known, options_, [&] { return member = members_.find(id); });
    if (plan.outcome.accepted && member != nullptr) detail::tracking::take(*member, plan);
    else if (plan.outcome.accepted) members_.put(id, detail::tracking::member_made_by(plan));
    return std::move(plan.outcome);
  });
}

BANKHOOK_ONCE(Outcome Tracker::peek(const AnyEvent&) const);
BANKHOOK_ONCE(Outcome Tracker::peek(const BankConnectionsUpdateV2&) const);
BANKHOOK_ONCE(Outcome Tracker::peek(const InitialTransactionUpdate&) const);
BANKHOOK_ONCE(Outcome Tracker::apply(const AnyEvent&));
BANKHOOK_ONCE(Outcome Tracker::apply(const BankConnectionsUpdateV2&));
BANKHOOK_ONCE(Outcome Tracker::apply(const InitialTransactionUpdate&));

}}  // namespace bankhook::BANKHOOK_ABI
