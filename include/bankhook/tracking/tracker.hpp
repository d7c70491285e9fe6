// SPDX-License-Identifier: MIT
// Tracker: tracks every member, bank connection and initial transaction through the events that a consumer receives.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/tracking/compare.hpp>
#include <bankhook/tracking/evaluated_bank.hpp>
#include <bankhook/tracking/evaluated_transaction.hpp>
#include <bankhook/tracking/merge.hpp>
#include <bankhook/tracking/options.hpp>
#include <bankhook/tracking/outcome.hpp>
#include <bankhook/tracking/queries.hpp>
#include <bankhook/tracking/snapshot.hpp>
#include <bankhook/tracking/store/store.hpp>
#include <bankhook/tracking/tracked.hpp>

#include <concepts>
#include <cstddef>
#include <expected>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI {
class Tracker;
}

namespace bankhook::inline BANKHOOK_ABI::tracking {

template <class IsWanted>
void forget_unwanted(Tracker& tracker, const IsWanted& is_wanted);

}  // namespace bankhook::inline BANKHOOK_ABI::tracking

namespace bankhook::inline BANKHOOK_ABI {

/// Tracks every member, bank connection and initial transaction through their events. Events carry no id, time or sequence
/// number, so each is evaluated against what is tracked about its key: an initial transaction's id, a connection's id.
/// - An event is a repeat if it contains nothing new about its key; a connection that flaps from A to B and back to A is
///   three changes. `Outcome::seen_before` reports an exact redelivery; it is only information.
/// - A `create` or `created` of a key that is known, from an event of its own or from a list, is late or a repeat. It is
///   not applied and changes nothing else, unless `TrackerOptions::accept_late` asks for it.
/// - A bank-connection event is the member's whole picture, because `customer.connections` are "all connections of the
///   member" (2.1). It is applied in full if it contains something new about its own connection: what it lists is taken,
///   and a tracked connection that it does not list becomes unlisted (assumed). It may be old if it contains nothing new
///   and another connection's event came since the last one of its own, or if it brings back a connection that was gone:
///   then the list and the counts are applied only if the list has every connection in its tracked state.
/// - A late event that contains something new about its own key cannot be distinguished from a new one, and is applied. If
/// it
///   reports changes of other connections that their own events have not reported, it is `unspecified`. The member's next
///   event that comes in order with something new corrects its connections and counts.
///
/// No event is an error; std::bad_alloc is thrown if memory runs out, and the tracker may then have a part of that event.
/// Values are compared as `==` does (`19.9` repeats `19.90`) and kept as they were written. Not for use by two threads at
/// once, but for reading by many; a moved-from tracker may only be assigned or destroyed.
///
/// Functions are templates where much would be compiled for those who never call them; there is nothing to choose.
class Tracker {
 public:
  explicit Tracker(TrackerOptions options = {}) : options_(options) {}

  /// What `apply` would answer, and changes nothing. The outcome views the event and this tracker.
  [[nodiscard]] Outcome peek(const InitialTransactionUpdate& event) const {
    return tracking::evaluate(store_, event, options_).outcome;
  }
  [[nodiscard]] Outcome peek(const BankConnectionsUpdateV2& event) const {
    tracking::Workbench bench;
    return tracking::evaluate(store_, event, options_, bench).outcome;
  }
  /// It concerns no key that is followed.
  [[nodiscard]] Outcome peek(const UnknownEvent& event) const {
    return {.verdict = Verdict::unspecified, .reason = &rule_of(RuleId::event_is_listed), .findings = check(event)};
  }
  /// Of no other type: an event that has no function here must not become an AnyEvent again, and again.
  template <std::same_as<AnyEvent> Any>
  [[nodiscard]] Outcome peek(const Any& event) const {
    return std::visit([this](const auto& known) { return this->peek(known); }, event);
  }

  /// Applies `event` and answers what that meant. An event that was made by hand with a date that does not exist, such as
  /// that of `Connection{}`, is not accepted; texts are UTF-8 without a check, as in all that is parsed. The outcome views
  /// the event and this tracker until the next change; the tracker itself views nothing of the event.
  Outcome apply(const InitialTransactionUpdate& event) {
    store_.release_replaced();
    return take(tracking::evaluate(store_, event, options_));
  }
  Outcome apply(const BankConnectionsUpdateV2& event) {
    store_.release_replaced();
    return take(tracking::evaluate(store_, event, options_, bench_));
  }
  Outcome apply(const UnknownEvent& event) {
    store_.release_replaced();
    return peek(event);
  }
  template <std::same_as<AnyEvent> Any>
  Outcome apply(const Any& event) {
    return std::visit([this](const auto& known) { return this->apply(known); }, event);
  }
  [[nodiscard]] const TrackerOptions& options() const { return options_; }
  /// From the next event on.
  void set_options(const TrackerOptions& options) { options_ = options; }

  [[nodiscard]] std::size_t member_count() const { return store_.members.size(); }
  /// Deleted and unlisted ones, too.
  [[nodiscard]] std::size_t connection_count() const { return store_.connections.size(); }
  [[nodiscard]] std::size_t transaction_count() const { return store_.transactions.size(); }

  /// By id; views live until the tracker changes.
  [[nodiscard]] std::optional<TrackedMember> member(std::string_view id) const BANKHOOK_LIFETIMEBOUND {
    return tracking::find_member(store_, id);
  }
  [[nodiscard]] std::optional<TrackedTransaction> transaction(std::string_view id) const BANKHOOK_LIFETIMEBOUND {
    return tracking::find_transaction(store_, id);
  }
  [[nodiscard]] std::optional<TrackedConnection> connection(std::string_view id) const BANKHOOK_LIFETIMEBOUND {
    return tracking::find_connection(store_, id);
  }

  /// All, each made when it is visited, in unspecified order. The range views this tracker until it changes.
  template <class = void>
  [[nodiscard]] auto members() const BANKHOOK_LIFETIMEBOUND {
    return tracking::all_members(store_);
  }
  template <class = void>
  [[nodiscard]] auto transactions() const BANKHOOK_LIFETIMEBOUND {
    return tracking::all_transactions(store_);
  }
  template <class = void>
  [[nodiscard]] auto connections() const BANKHOOK_LIFETIMEBOUND {
    return tracking::all_connections(store_);
  }
  /// Those with this status.
  template <class = void>
  [[nodiscard]] auto transactions(TransactionStatus status) const BANKHOOK_LIFETIMEBOUND {
    return transactions() | std::views::filter([status](const TrackedTransaction& held) {
             return held.initial_transaction.status == status;
           });
  }

  /// Of one member, in the order of their ids, deleted and unlisted ones, too; empty for a member that is not tracked.
  template <class = void>
  [[nodiscard]] std::vector<TrackedConnection> connections_of(std::string_view member_id) const BANKHOOK_LIFETIMEBOUND {
    return tracking::connections_of(store_, member_id);
  }
  /// Of one member, in the order of their creation time (2.4 date), then of their ids.
  template <class = void>
  [[nodiscard]] std::vector<TrackedTransaction> transactions_of(std::string_view member_id) const BANKHOOK_LIFETIMEBOUND {
    return tracking::transactions_of(store_, member_id);
  }
  /// The accounts of a member's connections that are neither deleted nor unlisted, connection by connection.
  template <class = void>
  [[nodiscard]] std::vector<Account> accounts_of(std::string_view member_id) const BANKHOOK_LIFETIMEBOUND {
    return tracking::accounts_of(store_, member_id);
  }

  /// 7: connections with an errorCode or an errorMessage, neither deleted nor unlisted. In the order of their ids.
  template <class = void>
  [[nodiscard]] std::vector<TrackedConnection> in_error() const BANKHOOK_LIFETIMEBOUND {
    return tracking::in_error(store_);
  }
  /// 6.2: connections whose accounts are still to come: without accounts, neither deleted nor unlisted. In the order of
  /// their ids.
  template <class = void>
  [[nodiscard]] std::vector<TrackedConnection> awaiting_accounts() const BANKHOOK_LIFETIMEBOUND {
    return tracking::awaiting_accounts(store_);
  }
  /// Connections, neither deleted nor unlisted, whose consent ends before `when`, the earliest first. Both are on a clock
  /// of which 2.2 names no zone, and none is added.
  template <class = void>
  [[nodiscard]] std::vector<TrackedConnection> consents_ending_before(const LocalTimestamp& when) const
      BANKHOOK_LIFETIMEBOUND {
    return tracking::consents_ending_before(store_, when);
  }

  /// The state and the options as lines of JSON, one a member, so that versions of this library with other fields can read
  /// them, too. Equal trackers give equal bytes. `restore` gives back what was written, but rejects a text that is not
  /// UTF-8, which only an event that was made by hand can have.
  template <class = void>
  [[nodiscard]] std::string snapshot() const {
    return tracking::write_snapshot(store_, options_);
  }
  /// A tracker with the state and the options in `bytes`, which may be any bytes and are not needed afterwards. Nothing is
  /// half restored. An option that the snapshot does not have gets its default.
  template <class = void>
  [[nodiscard]] static std::expected<Tracker, SnapshotError> restore(std::string_view bytes) {
    auto restored = tracking::read_snapshot(bytes);
    if (!restored) return std::unexpected(restored.error());
    Tracker tracker(restored->options);
    tracker.store_ = std::move(restored->store);
    return tracker;
  }
  /// The same with these options instead of those in the snapshot.
  template <class = void>
  [[nodiscard]] static std::expected<Tracker, SnapshotError> restore(std::string_view bytes,
                                                                     const TrackerOptions& options) {
    auto tracker = restore(bytes);
    if (tracker) tracker->set_options(options);
    return tracker;
  }

  /// Adds all that `other` holds, as if its events had come here. An error where the two hold a key in common; nothing
  /// has changed then.
  template <class = void>
  [[nodiscard]] std::expected<void, MergeError> merge(const Tracker& other) {
    store_.release_replaced();
    return tracking::merge(store_, other.store_);
  }

  /// What is different in `other`: `before` is the value here, `after` the one there. What only `other` has is added, what
  /// only this tracker has is missing. Members come first, then connections, then transactions, each in the order of
  /// their ids; so the order does not depend on that of the events. Empty exactly if the members, connections and
  /// transactions that both give back are equal, by value: equal trackers have no differences. Options, and what a tracker
  /// remembers of earlier events, are not compared. Linear but for the sorting of what differs. The changes view both
  /// trackers until either changes. `truth.diff(held)` is what a consumer got wrong.
  template <class = void>
  [[nodiscard]] Changes diff(const Tracker& other) const BANKHOOK_LIFETIMEBOUND {
    return tracking::compare(store_, other.store_);
  }

  /// Bytes of memory that the tracker has allocated. Looks at everything that is tracked.
  [[nodiscard]] std::size_t memory() const { return store_.capacity() + bench_.capacity(); }

  /// The same options and the same state, as it was written; in which order its parts came does not count.
  template <std::same_as<Tracker> T>
  friend bool operator==(const T& left, const T& right) {
    return reflect::equal(left.options_, right.options_) && tracking::same_state(left.store_, right.store_);
  }

 private:
  template <class IsWanted>
  friend void tracking::forget_unwanted(Tracker& tracker, const IsWanted& is_wanted);

  template <class Evaluated>
  Outcome take(Evaluated evaluated) {
    if (evaluated.outcome.accepted && !evaluated.outcome.repeat) tracking::take(store_, evaluated);
    return std::move(evaluated.outcome);
  }

  tracking::Store store_;
  TrackerOptions options_;
  tracking::Workbench bench_;
};

}  // namespace bankhook::inline BANKHOOK_ABI
