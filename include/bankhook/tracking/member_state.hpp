// SPDX-License-Identifier: MIT
// MemberState: everything that is tracked of one member, as a value.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/tracking/evaluated_bank.hpp>
#include <bankhook/tracking/evaluated_transaction.hpp>
#include <bankhook/tracking/member.hpp>
#include <bankhook/tracking/options.hpp>
#include <bankhook/tracking/outcome.hpp>
#include <bankhook/tracking/snapshot.hpp>
#include <bankhook/tracking/tracked.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI::tracking {

/// The outcome of an event that concerns no member.
[[nodiscard]] inline Outcome outcome_of(const UnknownEvent& event) {
  return {.verdict = Verdict::unspecified, .reason = &rule_of(RuleId::event_is_listed), .findings = check(event)};
}

/// Takes `event` into `member`, of which nothing is tracked if it is nullptr; then `make` gives the new one.
template <class Event, class Make>
Outcome apply_to(Member* member, const Event& event, const TrackerOptions& options, Make make) {
  auto evaluated = evaluate(static_cast<const Member*>(member), event, options);
  if (evaluated.outcome.accepted) take(member != nullptr ? *member : make(), event, evaluated);
  return std::move(evaluated.outcome);
}

/// Visits what is known of an event; an UnknownEvent has no member.
template <class F>
Outcome visit_known(const AnyEvent& event, F f) {
  return std::visit(
      [&]<class Event>(const Event& known) {
        if constexpr (std::same_as<Event, UnknownEvent>) return outcome_of(known);
        else return f(known);
      },
      event);
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking

namespace bankhook::inline BANKHOOK_ABI {

/// Why two trackers cannot become one.
enum class MergeError : std::uint8_t {
  member_in_both,  ///< each of them saw a part of the member's events, and neither knows which came last
};

/// The sentence of an error, for people. Static storage.
[[nodiscard]] constexpr std::string_view to_string(MergeError) {
  return "expected trackers of different members, found a member in both";
}

/// Everything that is tracked of one member: a value, empty until its first event is accepted. A `Tracker` is a map of
/// these; who works on one member at a time (a store, a stream keyed by members) keeps one alone.
///
/// What queries give back views this state until it changes. Not for use by two threads at once, but for reading by many.
///
///     MemberState state;
///     const Outcome outcome = state.apply(*parse(payload, arena));
class MemberState {
 public:
  explicit MemberState(const TrackerOptions& options = {}) : options_(options) {}

  /// What `apply` would answer, and changes nothing.
  [[nodiscard]] Outcome peek(const AnyEvent& event) const {
    return tracking::visit_known(event, [this](const auto& known) {
      if (is_foreign(known)) return foreign();
      return tracking::evaluate(tracked(), known, options_).outcome;
    });
  }
  /// Applies an event of this member, and answers what that meant. An event of another member is not accepted.
  Outcome apply(const AnyEvent& event) {
    return tracking::visit_known(event, [this](const auto& known) {
      if (is_foreign(known)) return foreign();
      return tracking::apply_to(is_empty_ ? nullptr : &member_, known, options_,
                                [this]() -> tracking::Member& { return is_empty_ = false, member_; });
    });
  }

  /// Nothing was accepted yet.
  [[nodiscard]] bool empty() const { return is_empty_; }
  [[nodiscard]] const TrackerOptions& options() const { return options_; }

  /// Its ids, counts and programme; nothing while it is empty.
  [[nodiscard]] std::optional<TrackedMember> member() const BANKHOOK_LIFETIMEBOUND {
    return is_empty_ ? std::nullopt : std::optional(member_.shown());
  }
  [[nodiscard]] std::optional<TrackedConnection> connection(std::string_view id) const BANKHOOK_LIFETIMEBOUND {
    return member_.shown_or_nothing(member_.find_connection(id));
  }
  [[nodiscard]] std::optional<TrackedTransaction> transaction(std::string_view id) const BANKHOOK_LIFETIMEBOUND {
    return member_.shown_or_nothing(member_.transactions.find(id));
  }

  /// The state and the options but for the tables, as `Tracker::snapshot` writes those of a tracker of this member alone.
  template <class String = std::string>
  [[nodiscard]] String snapshot() const {
    String out;
    tracking::write_head(options_, out);
    if (!is_empty_) tracking::write_lines(member_, out);
    tracking::write_foot(out);
    return out;
  }
  /// The state in the snapshot of at most one member, which is not needed afterwards. The tables are those of `options`,
  /// the other choices those of the snapshot.
  template <std::convertible_to<std::string_view> Bytes>
  [[nodiscard]] static std::expected<MemberState, SnapshotError> restore(const Bytes& bytes, TrackerOptions options = {}) {
    const auto lines = tracking::open_snapshot(bytes, options);
    if (!lines) return std::unexpected(lines.error());
    MemberState state(options);
    const auto read = tracking::read_lines(
        *lines, [&state](std::string_view) { return std::exchange(state.is_empty_, false) ? &state.member_ : nullptr; });
    if (!read) return std::unexpected(read.error());
    return state;
  }

 private:
  template <class Event>
  [[nodiscard]] bool is_foreign(const Event& event) const {
    return !is_empty_ && event.customer.id != member_.record->customer.id;
  }
  [[nodiscard]] static Outcome foreign() {
    Outcome outcome;
    tracking::refuse(outcome, RuleId::ids_are_per_member);
    return outcome;
  }
  [[nodiscard]] const tracking::Member* tracked() const { return is_empty_ ? nullptr : &member_; }

  TrackerOptions options_;
  tracking::Member member_;
  bool is_empty_ = true;
};

}  // namespace bankhook::inline BANKHOOK_ABI
