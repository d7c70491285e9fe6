// SPDX-License-Identifier: MIT
// What the specification leaves open and a service decides: each an option with a default, and all of them as a table.
#pragma once

#include <bankhook/base/enumerators.hpp>
#include <bankhook/base/evidence.hpp>
#include <bankhook/events/bank_connections_update_v2.hpp>
#include <bankhook/machine/machine.hpp>
#include <bankhook/reflect/fields.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI {

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

}  // namespace bankhook::inline BANKHOOK_ABI

namespace bankhook::inline BANKHOOK_ABI::sandbox {

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
  reflect::for_each_field<SandboxChoices>([&]<std::size_t I>() {
    if (all[I].name != reflect::field_name<SandboxChoices, I>) return false;
    all[I].values = answers<reflect::FieldType<SandboxChoices, I>>;
    all[I].default_value = all[I].values[static_cast<std::size_t>(reflect::field<I>(defaults))];
    return true;
  });
  return all;
}();
static_assert(choices.size() == reflect::field_count<SandboxChoices> && !choices.back().values.empty(),
              "the_questions_have_the_order_of_the_choices");

/// Sets the choice `name` to `value`, as the table spells both; false, and nothing is set, if the table has no such value.
[[nodiscard]] constexpr bool choose(SandboxChoices& chosen, std::string_view name, std::string_view value) {
  return !reflect::for_each_field<SandboxChoices>([&]<std::size_t I>() {
    const auto& values = choices[I].values;
    const auto answer = std::find(values.begin(), values.end(), value);
    if (name != choices[I].name || answer == values.end()) return true;
    reflect::field<I>(chosen) = static_cast<reflect::FieldType<SandboxChoices, I>>(answer - values.begin());
    return false;
  });
}

}  // namespace bankhook::inline BANKHOOK_ABI::sandbox
