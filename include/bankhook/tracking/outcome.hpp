// SPDX-License-Identifier: MIT
// What a tracker is given, and what it answers to an event: verdict and reason (a rule or a row), what it changes.
#pragma once

#include <bankhook/base/evidence.hpp>
#include <bankhook/domain/connection_lifecycle.hpp>
#include <bankhook/domain/initial_transaction.hpp>
#include <bankhook/domain/transaction_lifecycle.hpp>
#include <bankhook/events/rules/check.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/machine/transition.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/tracking/changes.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail {

/// What `read(row)` finds in what a reason points to, or an empty value if it points to nothing.
template <class Found, class... Row>
constexpr Found find_in(const std::variant<std::monostate, const Row*...>& reason, auto read) {
  Found found{};
  const auto look = [&](const auto* pointer) {
    if (pointer != nullptr) found = read(**pointer);
  };
  (look(std::get_if<const Row*>(&reason)), ...);
  return found;
}

constexpr Evidence basis_of(const Rule& rule) { return rule.evidence; }
constexpr Evidence basis_of(const auto& row) { return row.basis(); }

constexpr std::string words_of(const Rule& rule) {
  return "the rule " + std::string(rule.id()) + ": " + std::string(rule.sentence);
}
constexpr std::string words_of(const auto& row) {
  const std::string from(row.from ? plain_name(*row.from) : std::string_view("start"));
  const std::string trigger(plain_name(row.trigger));
  if (!row.to) return trigger + " changes nothing after " + from;
  return from + " -> " + std::string(plain_name(*row.to)) + " by " + trigger +
         (row.is_expected() ? "" : ", of which nothing is known");
}

}}}  // namespace bankhook::BANKHOOK_ABI::detail

namespace bankhook { inline namespace BANKHOOK_ABI {

/// A row of the lifecycle of an initial transaction.
using TransactionTransition = Transition<TransactionStatus, TransactionTrigger>;
/// A row of the lifecycle of a bank connection.
using ConnectionTransition = Transition<ConnectionState, ConnectionTrigger>;

/// A rule, or a row of the table that a tracker moves by; never empty in an outcome. It is a variant of pointers:
/// `std::visit` and `std::get_if` take it.
struct Reason : std::variant<std::monostate, const Rule*, const TransactionTransition*, const ConnectionTransition*> {
  using Row = variant;
  using Row::variant;

  /// The evidence of the rule or row; empty if the reason is.
  [[nodiscard]] constexpr std::optional<Evidence> evidence() const {
    return detail::find_in<std::optional<Evidence>>(*this, [](const auto& row) { return detail::basis_of(row); });
  }
  /// Its section of the specification, or empty. Static storage.
  [[nodiscard]] constexpr std::string_view section() const {
    return detail::find_in<std::string_view>(*this, [](const auto& row) { return row.section; });
  }
};

/// What it says: the rule, by its id and the sentence that holds while it is kept, or the row as its table has it,
/// `created -> validated by store_set_up`. Empty if the reason is.
[[nodiscard]] constexpr std::string to_string(const Reason& reason) {
  return detail::find_in<std::string>(reason, [](const auto& row) { return detail::words_of(row); });
}

/// What an event means for the tracked state. It owns what it shows, but for the reason: that points to a rule, or to a row
/// of the tracker's tables.
struct Outcome {
  /// `specified` and `assumed`: as it should be. `unspecified`: nothing is known about it (a repeat, a `create` that comes
  /// late, a value that is not listed), or it takes away or changes what another event reported. `contradicts`: the event
  /// breaks a stated rule between its fields, one of those that `check` knows.
  Verdict verdict = Verdict::specified;
  /// The rule or the row of a lifecycle that the verdict rests on. If several are equally bad, that ids or programme of the
  /// member change comes first, then the order of events; all rules that the event breaks are in `findings`.
  Reason reason{};
  /// Whether the event was applied: false if a row of its table says never, as for a `create` or `created` that is late, if
  /// `status` and `eventType` differ, or if a date does not exist; nothing of it is taken then. Of one that is applied, its
  /// list and counts are not taken if they may be old, nor what a `create` says otherwise than a list. An exact repeat is
  /// applied, and changes nothing (a `create` only while its connection is still created by it); so is an event whose name
  /// is not listed.
  bool accepted = true;
  /// The event contains nothing new about its key, and nothing else was taken from it.
  bool repeat = false;
  /// This very event, its customer included, is one of the last different ones that were accepted for its key: 16 of a
  /// connection, 8 of a transaction. It is a redelivery or the same news again: events carry no id, so nobody can tell. If
  /// it changes something it is at best `unspecified`, unless the order of deliveries is trusted.
  bool seen_before = false;
  /// What the event changed; empty if it is a repeat or is not accepted.
  Changes changes{};
  /// The rules that the event breaks, as `check` gives them: those between its fields, and that its values are listed.
  Findings findings{};

  /// Whether the event's transaction now has this status and did not before: it changed to it, or was added with it. True
  /// only once when the status is reached, however often the event comes; true again if the status was left meanwhile.
  [[nodiscard]] bool became(const OpenEnum<TransactionStatus>& status) const {
    return std::any_of(changes.begin(), changes.end(),
                       [&](const Change& change) { return status_reached(change) == status.text(); });
  }

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

/// What holds if the status of a transaction differs from its event's eventType, which are equal (6.3).
enum class StatusFrom : std::uint8_t {
  neither,     ///< nothing of the event is applied
  status,      ///< `initialTransaction.status`
  event_type,  ///< `eventType`
};

/// What is known of the order of deliveries, which is not shown (6).
enum class Order : std::uint8_t {
  unknown,  ///< they may come late, and again
  trusted,  ///< none comes late: the sender waits for each answer, or this is a log that the sender itself wrote
};

/// What a tracker moves its states by, and what it does where the specification leaves a choice: all of it is assumed.
/// `{.connections = machine<rows>, .transactions = ..., .status_from = ..., .take_create = true, .order = Order::trusted}`,
/// each if it is wanted, in this order.
struct TrackerOptions {
  /// The table must outlive the tracker.
  ConnectionLifecycle connections = connection_lifecycle;
  TransactionLifecycle transactions = transaction_lifecycle;  ///< the same
  StatusFrom status_from = StatusFrom::neither;
  /// Take what a connection's create says where a list showed it otherwise before; else what was listed stays. The rule
  /// `create_differs_from_list`.
  bool take_create = false;
  /// With `trusted`, what an event says counts, its list and a `create` that differs from a list, too; one that was seen
  /// before and changes something is news; the same again at once is a repeat all the same.
  Order order = Order::unknown;
};

}}  // namespace bankhook::BANKHOOK_ABI
