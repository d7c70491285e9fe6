// SPDX-License-Identifier: MIT
// What a sandbox is given: its size, clock and faults, its answers to what is not shown, purchases; what it refuses.
#pragma once

#include <bankhook/base/enumerators.hpp>
#include <bankhook/base/evidence.hpp>
#include <bankhook/base/members.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/domain/connection_lifecycle.hpp>
#include <bankhook/domain/transaction_lifecycle.hpp>
#include <bankhook/events/bank_connections_update_v2.hpp>
#include <bankhook/machine/machine.hpp>
#include <bankhook/text/decimal.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace bankhook { inline namespace BANKHOOK_ABI {

/// The answers of a sandbox to what is not shown. The first enumerator of each is the default, but for event types.
/// The connection of a `create` or an `update` is always listed, whatever is chosen.
struct SandboxChoices {
  ConnectionEventType desynchronise_event_type = ConnectionEventType::update;
  ConnectionEventType resynchronise_event_type = ConnectionEventType::update;
  ConnectionEventType delete_event_type = ConnectionEventType::delete_;
  ConnectionEventType disable_event_type = ConnectionEventType::delete_;
  ConnectionEventType enable_event_type = ConnectionEventType::update;
  enum class AccountsAtCreation : std::uint8_t { often_none, none, some } accounts_at_creation{};
  enum class AccountsAfterwards : std::uint8_t { kept, none } accounts_of_desynchronised{}, accounts_of_deleted{};
  enum class DeletedConnection : std::uint8_t { left_out, in_its_event } deleted_connection{};
  enum class DisabledConnection : std::uint8_t { left_out, in_its_event, stays } disabled_connection{};
  enum class Returns : std::uint8_t { never, sometimes } disabled_connection_returns{};
  enum class ErrorOfDesynchronised : std::uint8_t { set, null } error_of_desynchronised{};
  enum class CountedOff : std::uint8_t { with_error, desynchronised } counted_off{};
  enum class CountOfConnection : std::uint8_t { on, off, neither } count_without_accounts{};
  CountOfConnection count_of_disabled = CountOfConnection::neither;
  enum class ErrorCodes : std::uint8_t { named, numeric } error_codes{};
  enum class ConsentPresence : std::uint8_t { often, always, never } consent_presence{};
  enum class ConsentAfterwards : std::uint8_t { renewed, kept } consent_of_resynchronised{};
  enum class PrecedingState : std::uint8_t { created, any } preceding_state{};
  enum class StatusInEvent : std::uint8_t { equals_event_type, sometimes_differs } status_in_event{};
  enum class StoreOfValidated : std::uint8_t { kept, identified } store_of_validated{};
  enum class AmountForm : std::uint8_t { up_to_two_places, two_places } amount_form{};
  enum class DateForm : std::uint8_t { utc_milliseconds, utc_seconds, offset_milliseconds } date_form{};
};

/// One of the choices as data. All views have static storage.
struct SandboxChoice {
  std::string_view name{};                     ///< of the member of SandboxChoices
  std::string_view section{};                  ///< of the specification
  std::string_view question{};                 ///< what is not shown there
  std::span<const std::string_view> values{};  ///< the answers that there are
  std::string_view default_value{};
  Evidence evidence = Evidence::assumed;  ///< what the default rests on
};

/// The share of events that gets each fault, 0 to 1. An event gets at most one fault: if the shares add up to more
/// than 1, they are scaled down in proportion. NaN counts as 0.
struct Faults {
  double duplicate = 0;  ///< delivered as it should be, and again: at once or after up to `lateness` later events
  double reorder = 0;    ///< delivered after 1 to `lateness` later events; never if `lateness` is 0
  double drop = 0;       ///< never delivered: the numbers of the deliveries have a gap; more than .99 counts as that
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
    case SandboxError::date_has_no_form: return "expected a date of the calendar in the years 0001 to 9999";
  }
  return "unknown refusal";
}

}}  // namespace bankhook::BANKHOOK_ABI

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace sandbox {

/// The answers to a choice of this type, as texts.
template <Enumeration E>
inline constexpr auto answers = [] {
  std::array<std::string_view, enumerator_count<E>> names;
  for (const E value : bankhook::detail::all_of<E>)
    names[static_cast<std::size_t>(value)] = bankhook::detail::plain_name(value);
  return names;
}();

/// All choices, in the order of SandboxChoices.
inline constexpr auto choices = [] {
  // clang-format off
  auto all = std::to_array<SandboxChoice>({
      {"desynchronise_event_type", "6.2", "which eventType is sent when a connection is desynchronised"},
      {"resynchronise_event_type", "6.2", "which eventType is sent when a connection is resynchronised"},
      {"delete_event_type", "6.2", "which eventType is sent when a connection is deleted"},
      {"disable_event_type", "6.2", "which eventType is sent when a connection is disabled"},
      {"enable_event_type", "6.2", "which eventType is sent when a disabled connection comes back"},
      {"accounts_at_creation", "6.2", "how often a new connection has no accounts yet"},
      {"accounts_of_desynchronised", "2.2", "whether a desynchronised connection keeps its accounts"},
      {"accounts_of_deleted", "2.2", "whether a deleted or disabled connection keeps its accounts"},
      {"deleted_connection", "2.1", "whether a deleted connection is among all connections of its member"},
      {"disabled_connection", "2.1", "whether a disabled connection is among all connections of its member"},
      {"disabled_connection_returns", "6.2", "whether a disabled connection comes back"},
      {"error_of_desynchronised", "7", "whether a desynchronised connection has an errorCode"},
      {"counted_off", "3.2", "what decides that a connection counts as off"},
      {"count_without_accounts", "3.2", "which count a connection without error and accounts belongs to"},
      {"count_of_disabled", "3.2", "which count a disabled or deleted connection belongs to, if it is listed"},
      {"error_codes", "7", "which values errorCode has"},
      {"consent_presence", "2.2", "when consentExpiresAt is left out"},
      {"consent_of_resynchronised", "2.2", "whether a resynchronisation renews the consent"},
      {"preceding_state", "3.1", "which state precedes validated and rejected"},
      {"status_in_event", "6.3", "whether every event holds to it that its transaction's status equals its eventType", {}, {}, Evidence::stated},
      {"store_of_validated", "2.4", "whether a store without a client identifier has one once its transaction is validated"},
      {"amount_form", "2.4", "how many fraction digits an amount has"},
      {"date_form", "2.4", "which of the ISO 8601 forms date has"},
  });
  // clang-format on
  const SandboxChoices defaults;
  reflect::for_each_field<SandboxChoices>([&]<std::size_t At>() {
    if (all[At].name != reflect::field_name<SandboxChoices, At>) return false;
    all[At].values = answers<reflect::FieldType<SandboxChoices, At>>;
    all[At].default_value = all[At].values[static_cast<std::size_t>(reflect::field<At>(defaults))];
    return true;
  });
  return all;
}();
static_assert(choices.size() == reflect::field_count<SandboxChoices> && !choices.back().values.empty(),
              "write the questions in the order of the choices");

/// Sets the choice `name` to `value`, as the table spells both; false, and nothing is set, if the table has no such value.
[[nodiscard]] constexpr bool choose(SandboxChoices& chosen, std::string_view name, std::string_view value) {
  return !reflect::for_each_field<SandboxChoices>([&]<std::size_t At>() {
    const auto& values = choices[At].values;
    const auto answer = std::find(values.begin(), values.end(), value);
    if (name != choices[At].name || answer == values.end()) return true;
    reflect::field<At>(chosen) = static_cast<reflect::FieldType<SandboxChoices, At>>(answer - values.begin());
    return false;
  });
}

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::sandbox
