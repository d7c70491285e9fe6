// SPDX-License-Identifier: MIT
// MemberState: everything that is tracked of one member, as a value.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/tracking/bank_plan.hpp>
#include <bankhook/tracking/member.hpp>
#include <bankhook/tracking/outcome.hpp>
#include <bankhook/tracking/plan.hpp>
#include <bankhook/tracking/snapshot.hpp>

#include <concepts>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace tracking {

/// The plan for the member that `find` gives, of which nothing is tracked if it is nullptr; it does not change.
/// The event is hashed first, while what will be found comes from memory.
template <class Event, class Find>
[[nodiscard]] Plan plan_for(const Event& event, const TrackerOptions& options, Find find) {
  Plan plan{.digest = digest_of(event)};
  make_plan(find(), event, options, plan);
  return plan;
}

/// A new member, with what was planned and accepted.
[[nodiscard]] Member member_made_by(std::same_as<Plan> auto& plan) {
  Member made;
  take(made, plan);
  return made;
}

/// The outcome that `f` gives for a listed event; any other one concerns no member.
template <class Event, class F>
Outcome visit_known(const Event& event, F f) {
  if constexpr (std::same_as<Event, UnknownEvent>)
    return {.verdict = Verdict::unspecified, .reason = &rule_of(RuleId::event_is_listed), .findings = check(event)};
  else if constexpr (!std::same_as<Event, AnyEvent>) return f(event);
  else return std::visit([&](const auto& one) { return visit_known(one, f); }, event);
}

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::tracking

namespace bankhook { inline namespace BANKHOOK_ABI {

/// Why two trackers cannot become one.
enum class MergeError : std::uint8_t {
  member_in_both,  ///< each of them saw a part of the member's events, and neither knows which came last
};

/// The sentence of an error, for people. Static storage.
[[nodiscard]] constexpr std::string_view to_string(MergeError) {
  return "expected trackers of different members, found a member in both";
}

/// Everything that is tracked of one member: a value, empty until its first event is accepted. A `Tracker` is a map of
/// these; one that was moved from is empty, too. Who works on one member at a time (a store, a stream keyed by members)
/// keeps one alone.
///
/// What queries give back views this state until it changes. Not for use by two threads at once, but for reading by many.
/// std::bad_alloc is thrown if memory runs out: a state that was empty stays so, another one may have a part of the event,
/// and has all of it once it is applied again.
///
///     MemberState state;
///     const Outcome outcome = state.apply(*parse(payload, arena));
class MemberState {
 public:
  explicit MemberState(const TrackerOptions& options = {}) : options_(options) {}

  /// What `apply` would answer, and changes nothing.
  [[nodiscard]] Outcome peek(const std::convertible_to<AnyEvent> auto& event) const;
  /// Applies an event of this member, and answers what that meant. An event of another member is not accepted.
  Outcome apply(const std::convertible_to<AnyEvent> auto& event);
  /// The same, and calls `f` with the kind and the id of each line of `snapshot` that is added or becomes another one, so
  /// that a store can write those only: see `line`. No line is ever removed. `f` must not use the state, which changes
  /// afterwards, and the id is valid during the call.
  template <std::convertible_to<AnyEvent> Event, std::invocable<SnapshotLineKind, std::string_view> F>
  Outcome apply(const Event& event, F f) {
    return detail::tracking::visit_known(event, [&](const auto& known) {
      auto plan = plan_for(known);
      if (!plan.outcome.accepted) return std::move(plan.outcome);
      if (plan.member_changes) f(SnapshotLineKind::member, plan.member.customer.id);
      if (plan.transaction_changes) f(SnapshotLineKind::transaction, plan.transaction.initial_transaction.id);
      for (const auto& one : plan.connections) {
        if (one.changes) f(SnapshotLineKind::connection, one.record.connection.id);
      }
      if (empty())
        member_.push_back(detail::tracking::member_made_by(plan));  // if there is no memory for it, the state stays empty
      else detail::tracking::take(member_.front(), plan);
      return std::move(plan.outcome);
    });
  }

  /// Nothing was accepted yet.
  [[nodiscard]] bool empty() const { return member_.empty(); }
  [[nodiscard]] const TrackerOptions& options() const { return options_; }
  void set_options(const TrackerOptions& options) { options_ = options; }  ///< from the next event on

  /// Its ids, counts and programme; nothing while it is empty.
  [[nodiscard]] std::optional<TrackedMember> member() const BANKHOOK_LIFETIMEBOUND {
    return empty() ? std::nullopt : std::optional(member_.front().shown());
  }
  [[nodiscard]] std::optional<TrackedConnection> connection(std::string_view id) const BANKHOOK_LIFETIMEBOUND {
    return empty() ? std::nullopt : member_.front().shown_or_nothing(member_.front().find_connection(id));
  }
  [[nodiscard]] std::optional<TrackedTransaction> transaction(std::string_view id) const BANKHOOK_LIFETIMEBOUND {
    return empty() ? std::nullopt : member_.front().shown_or_nothing(member_.front().transactions.find(id));
  }

  /// The state and the options but for the tables, as `Tracker::snapshot` writes those of a tracker of this member alone.
  template <class = void>
  [[nodiscard]] std::string snapshot() const {
    return detail::tracking::write_snapshot(options_,
                                            std::vector<const detail::tracking::Member*>(member_.size(), member_.data()));
  }
  /// One line of `snapshot`, without its end; empty if no line is of this kind and id.
  template <class = void>
  [[nodiscard]] std::string line(SnapshotLineKind kind, std::string_view id) const {
    std::string out;
    if (empty()) return out;
    const detail::tracking::Member& one = member_.front();
    const auto* const connection = kind == SnapshotLineKind::connection ? one.find_connection(id) : nullptr;
    const auto* const transaction = kind == SnapshotLineKind::transaction ? one.transactions.find(id) : nullptr;
    const bool is_member = kind == SnapshotLineKind::member && id == id_of(one);
    if (connection != nullptr)
      detail::tracking::write_line(detail::tracking::SnapshotLine{.connection = **connection}, out);
    if (transaction != nullptr) detail::tracking::write_line(detail::tracking::line_of(**transaction), out);
    if (is_member) detail::tracking::write_line(detail::tracking::SnapshotLine{.member = one.record()}, out);
    return out.substr(0, out.find('\n'));
  }
  /// The state in the snapshot of at most one member, which is not needed afterwards. The tables are those of `options`,
  /// the other choices those of the snapshot.
  template <class = void>
  [[nodiscard]] static std::expected<MemberState, SnapshotError> restore(TransientBytes bytes,
                                                                         TrackerOptions options = {}) {
    MemberState state(options);
    const auto read = detail::tracking::read_snapshot(bytes, state.options_, [&state](const auto& record) {
      if (!state.empty()) return static_cast<detail::tracking::Member*>(nullptr);
      state.member_.emplace_back().put(record);
      return &state.member_.front();
    });
    if (!read) return std::unexpected(read.error());
    return state;
  }

 private:
  /// The plan for an event; one of another member is refused.
  [[nodiscard]] detail::tracking::Plan plan_for(const auto& event) const {
    auto plan = detail::tracking::plan_for(event, options_, [this] { return empty() ? nullptr : &member_.front(); });
    if (!empty() && event.customer.id != id_of(member_.front())) {
      plan.outcome = {};
      detail::tracking::refuse(plan.outcome, RuleId::ids_are_per_member);
    }
    return plan;
  }

  TrackerOptions options_;
  std::vector<detail::tracking::Member> member_;  ///< none or one: one that was moved from has none
};

BANKHOOK_ENTRY Outcome MemberState::peek(const std::convertible_to<AnyEvent> auto& event) const {
  return detail::tracking::visit_known(event, [&](const auto& known) { return plan_for(known).outcome; });
}
BANKHOOK_ENTRY Outcome MemberState::apply(const std::convertible_to<AnyEvent> auto& event) {
  return apply(event, [](SnapshotLineKind, std::string_view) {});
}

BANKHOOK_ONCE(Outcome MemberState::peek(const AnyEvent&) const);
BANKHOOK_ONCE(Outcome MemberState::apply(const AnyEvent&));

}}  // namespace bankhook::BANKHOOK_ABI
