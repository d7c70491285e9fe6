// SPDX-License-Identifier: MIT
// What a sandbox is given: its size, its clock, its answers to what is not shown, its faults, purchases; what it refuses.
#pragma once

#include <bankhook/base/optional.hpp>
#include <bankhook/domain/connection_lifecycle.hpp>
#include <bankhook/domain/transaction_lifecycle.hpp>
#include <bankhook/sandbox/choices.hpp>
#include <bankhook/text/decimal.hpp>

#include <chrono>
#include <cstdint>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI {

/// The share of events that gets each fault, 0 to 1. An event gets at most one fault: if the shares add up to more
/// than 1, they are scaled down in proportion. NaN counts as 0.
struct Faults {
  double duplicate = 0;  ///< delivered as it should be, and again: at once or after up to `lateness` later events
  double reorder = 0;    ///< delivered after 1 to `lateness` later events; never if `lateness` is 0
  double drop = 0;       ///< never delivered; the numbers of the deliveries have a gap
  double truncate = 0;   ///< cut at any byte
  double mutate = 0;     ///< one byte replaced by another
  double future = 0;     ///< an event name, a value or a field that the specification does not list
};

/// How large the histories of a sandbox are, when they happen, and with which faults. Sizes are bounds of the histories of
/// `next` and `deliveries`; they do not limit the operations that you call. 0 counts as 1.
struct SandboxOptions {
  std::uint32_t members = 100;       ///< their number never changes
  std::uint32_t programmes = 3;      ///< over which the members are spread
  std::uint32_t connections = 4;     ///< most of a member
  std::uint32_t accounts = 4;        ///< most of a connection; held to by the operations, too
  std::uint32_t transactions = 200;  ///< most that wait for processing
  /// Most events that a late delivery waits for; 0: duplicates follow at once, none is late. A delivery takes time in
  /// proportion to how many wait.
  std::uint32_t lateness = 8;
  /// When its clock starts, UTC: from 1970 to the start of 9990; what is beyond counts as the nearest of these.
  std::chrono::sys_time<std::chrono::milliseconds> start = std::chrono::sys_days(std::chrono::year(2026) / 1 / 1);
  /// The mean time from one event to the next, each of 1 ms to twice that: from 1 ms to 24 days, else the nearest of these.
  std::chrono::milliseconds pace = std::chrono::seconds(10);
  SandboxChoices choices{};
  /// What the operations move connections and transactions by: one whose row is not expected is refused. The tables must
  /// outlive the sandbox; one that does not begin with a create, or with a submission, counts as the built-in one.
  ConnectionLifecycle connection_lifecycle = bankhook::connection_lifecycle;
  TransactionLifecycle transaction_lifecycle = bankhook::transaction_lifecycle;
  Faults faults{};
};

/// What a consumer says in "Send an initial transaction"; its payload is not shown (spec 4), so this one is ours. The
/// sandbox copies the texts.
struct Submission {
  Decimal amount{};
  nullable<std::string_view> store_external_id{};  ///< null: the store was created in the field
  std::string_view place_id{};                     ///< of a store created in the field, else not looked at
  std::string_view store_name{};                   ///< of a store created in the field, else not looked at
  std::chrono::year_month_day transaction_date{};
};

/// An operation that cannot be done. Nothing was changed and nothing is outgoing.
enum class SandboxError : std::uint8_t {
  no_such_member,
  no_such_connection,
  no_such_transaction,
  connection_is_gone,
  connection_is_disabled,
  connection_is_not_disabled,
  connection_never_returns,
  connection_is_desynchronised,
  connection_is_synchronised,
  connection_has_no_accounts,
  connection_has_max_accounts,
  lifecycle_excludes_it,
  transaction_is_processed,
  transaction_is_forgotten,
  store_is_incomplete,
  text_is_not_utf8,
  date_has_no_form,
};

/// The sentence of a refusal, for people. Static storage.
[[nodiscard]] constexpr std::string_view to_string(SandboxError refusal) {
  switch (refusal) {
    case SandboxError::no_such_member: return "the sandbox has no member with this id";
    case SandboxError::no_such_connection: return "the sandbox made no connection with this id";
    case SandboxError::no_such_transaction: return "the sandbox made no initial transaction with this id";
    case SandboxError::connection_is_gone: return "the connection was deleted or disabled before";
    case SandboxError::connection_is_disabled: return "the connection is disabled";
    case SandboxError::connection_is_not_disabled: return "the connection is not disabled";
    case SandboxError::connection_never_returns:
      return "the connection is disabled; the choice disabled_connection_returns allows none to come back";
    case SandboxError::connection_is_desynchronised: return "the connection is desynchronised already";
    case SandboxError::connection_is_synchronised: return "the connection is not desynchronised";
    case SandboxError::connection_has_no_accounts:
      return "the connection has no accounts that could be updated; create them first";
    case SandboxError::connection_has_max_accounts: return "the connection has as many accounts as the options allow";
    case SandboxError::lifecycle_excludes_it: return "the lifecycle expects no such event in this state";
    case SandboxError::transaction_is_processed:
      return "the initial transaction was validated or rejected before; the choice preceding_state allows only created";
    case SandboxError::transaction_is_forgotten:
      return "the initial transaction was validated or rejected long before, and the sandbox has forgotten it";
    case SandboxError::store_is_incomplete:
      return "a store without a client identifier needs a place id and a name (section 2.4)";
    case SandboxError::text_is_not_utf8: return "expected well-formed UTF-8";
    case SandboxError::date_has_no_form: return "expected a date of the calendar in the years 0000 to 9999";
  }
  return "unknown refusal";
}

}  // namespace bankhook::inline BANKHOOK_ABI
