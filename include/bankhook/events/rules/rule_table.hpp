// SPDX-License-Identifier: MIT
// The rules between the fields of one event, each as a row: rule, fields that it reads, what is expected, predicate.
#pragma once

#include <bankhook/base/fixed_string.hpp>
#include <bankhook/base/members.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/domain/connection.hpp>
#include <bankhook/domain/customer.hpp>
#include <bankhook/domain/initial_transaction.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/reflect/wire_names.hpp>
#include <bankhook/text/calendar.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <utility>
#include <variant>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail {

/// What a finding of `check` says: `path` is the field that is reported, `others` are further fields that the
/// predicate looks at. All views have static storage.
struct CheckRow {
  RuleId rule{};
  std::string_view section{};
  reflect::FieldPath path{};
  std::array<reflect::FieldPath, 2> others{};
  std::string_view expected{};
  std::string_view found{};
};

/// One rule between the fields of a `T`: an event, or a resource, to which it applies wherever the resource occurs. The
/// paths start at the `T`; those of a resource name its own fields.
template <class T>
struct Check {
  static_assert(reflect::contains<T, AnyEvent>, "write rules for an event or for a struct that stands in one");

  CheckRow row{};
  bool (*is_broken)(const T&) = nullptr;
};

/// The rules of an event, or of a resource wherever it occurs; a new one is a row here and an entry in the catalogue. That
/// values are listed is derived from the fields: see `all_checks`. Here it has no rows, of a type that any `T` allows.
/// Those of a struct below are a template, too, so that what only includes this has none made.
template <class T>
inline constexpr std::array<CheckRow, 0> checks{};

using reflect::path;

/// The path of a member of the initial transaction.
template <auto Field>
inline constexpr reflect::FieldPath in_transaction = path<&InitialTransactionUpdate::initial_transaction, Field>;

inline constexpr auto reason_if_rejected =
    join_literals(reflect::listing<RejectionReason>, FixedString(" because eventType is rejected"));

/// The names of the events that the library knows: all of AnyEvent but the last.
inline constexpr auto listed_events = []<std::size_t... At>(std::index_sequence<At...>) {
  return reflect::list(reflect::type_wire_name<std::variant_alternative_t<At, AnyEvent>>...);
}(std::make_index_sequence<std::variant_size_v<AnyEvent> - 1>());

/// As `&&`, without a branch: what a payload says is hard to predict, and looking at both costs less.
constexpr bool both(bool one, bool other) { return (static_cast<int>(one) & static_cast<int>(other)) != 0; }

/// 6.3 says it of the update: where its eventType is `rejected`.
constexpr bool is_rejected(const InitialTransactionUpdate& event) {
  return event.event_type == TransactionStatus::rejected;
}

/// 2.4: the non-rejected states of its examples. An update that says both is checked against 6.3 alone.
constexpr bool is_not_rejected(const InitialTransactionUpdate& event) {
  const auto& status = event.initial_transaction.status;
  return both(both(status.is_known(), status != TransactionStatus::rejected), !is_rejected(event));
}

/// 2.4 and 6.3: only while storeExternalId is null, the store has a place and a name of its own. The field that is wanted
/// then is missing, or one that is not is there.
template <class T, RuleId rule, auto Field, bool is_wanted>
inline constexpr Check<T> only_without_store_id{
    {rule,
     "6.3",
     in_transaction<Field>,
     {in_transaction<&InitialTransaction::store_external_id>},
     is_wanted ? "a string because storeExternalId is null" : "nothing because storeExternalId is not null",
     is_wanted ? "nothing" : "a string"},
    [](const T& event) {
      const InitialTransaction& one = event.initial_transaction;
      return both(one.store_external_id.has_value() != is_wanted, (one.*Field).has_value() != is_wanted);
    }};

/// 6.2: whether the connection stands among all connections of its customer. Compares ids, the last entry first: a new
/// connection is often the last.
constexpr bool is_listed(const BankConnectionsUpdateV2& event) {
  for (std::size_t i = event.customer.connections.size(); i-- > 0;) {
    if (event.customer.connections[i].id == event.connection.id) return true;
  }
  return false;
}

// clang-format off
/// 2.2 and 7.
template <std::same_as<Connection> T>
inline constexpr auto checks<T> = std::to_array<Check<T>>({
    {{RuleId::error_code_and_message_agree, "7", path<&T::error_message>,
        {path<&T::error_code>}, "null exactly when errorCode is null", "only one of the two null"},
        [](const auto& connection) { return connection.error_code.has_value() != connection.error_message.has_value(); }},
});

/// 6.2.
template <std::same_as<BankConnectionsUpdateV2> T>
inline constexpr auto checks<T> = std::to_array<Check<T>>({
    {{RuleId::connection_is_among_those_of_the_customer, "6.2", path<&T::customer, &ConnectedCustomer::connections>,
        {path<&T::connection, &Connection::id>, path<&T::event_type>}, "the event's connection among them", "only others"},
        [](const auto& event) {
          return event.event_type.is_known() && event.event_type != ConnectionEventType::delete_ && !is_listed(event);
        }},
});

/// 6.3, 3.1 and 2.4.
template <std::same_as<InitialTransactionUpdate> T>
inline constexpr auto checks<T> = std::to_array<Check<T>>({
    {{RuleId::status_equals_event_type, "6.3", in_transaction<&InitialTransaction::status>,
        {path<&T::event_type>}, "the same as eventType", "another status"},
        [](const auto& event) { return event.initial_transaction.status != event.event_type; }},
    {{RuleId::rejected_update_has_reason, "6.3", in_transaction<&InitialTransaction::rejection_reason>,
        {path<&T::event_type>}, reason_if_rejected.view(), "null"},
        [](const auto& event) { return both(is_rejected(event), !event.initial_transaction.rejection_reason.has_value()); }},
    {{RuleId::reason_only_when_rejected, "2.4", in_transaction<&InitialTransaction::rejection_reason>,
        {in_transaction<&InitialTransaction::status>, path<&T::event_type>}, "null because the status is not rejected", "a reason"},
        [](const auto& event) { return both(is_not_rejected(event), event.initial_transaction.rejection_reason.has_value()); }},
    {{RuleId::rejected_update_has_no_transaction_id, "6.3", in_transaction<&InitialTransaction::transaction_id>,
        {path<&T::event_type>}, "null because eventType is rejected", "an id"},
        [](const auto& event) { return both(is_rejected(event), event.initial_transaction.transaction_id.has_value()); }},
    {{RuleId::transaction_id_only_when_matched, "3.1", in_transaction<&InitialTransaction::transaction_id>,
        {in_transaction<&InitialTransaction::status>}, "null because the status is created", "an id"},
        [](const auto& event) {
          return both(event.initial_transaction.status == TransactionStatus::created, event.initial_transaction.transaction_id.has_value());
        }},
    only_without_store_id<T, RuleId::place_id_exactly_without_store_external_id, &InitialTransaction::place_id, true>,
    only_without_store_id<T, RuleId::place_id_exactly_without_store_external_id, &InitialTransaction::place_id, false>,
    only_without_store_id<T, RuleId::store_name_exactly_without_store_external_id, &InitialTransaction::store_name, true>,
    only_without_store_id<T, RuleId::store_name_exactly_without_store_external_id, &InitialTransaction::store_name, false>,
});

/// 1: "Two events exist"; the name of an unknown event is that of neither.
template <std::same_as<UnknownEvent> T>
inline constexpr auto checks<T> = std::to_array<Check<T>>({
    {{RuleId::event_is_listed, "1", path<&T::event>, {}, listed_events.view(), "another event"}, [](const auto&) { return true; }},
});
// clang-format on

/// Whether the values of a field are listed: an open enumeration, directly or as an optional value.
template <class Field>
inline constexpr bool has_listed_values = !reflect::Array<Field> && reflect::OpenEnumeration<reflect::InnermostType<Field>>;

template <class Field>
inline constexpr auto listed_values = reflect::listing<typename reflect::InnermostType<Field>::enum_type>;
template <class E>
inline constexpr auto listed_values<nullable<OpenEnum<E>>> = reflect::listing<E, "null">;

template <class T, std::size_t At>
inline constexpr std::array<std::string_view, 1> own_path{reflect::wire_name<T, At>.view()};

/// Whether a field has a day. What was parsed exists; what was made by hand need not, or was never set.
template <class Field, class Value = reflect::InnermostType<Field>>
inline constexpr bool has_day = !reflect::Array<Field> && (std::same_as<Value, std::chrono::year_month_day> ||
                                                           requires(const Value& value) { value.date(); });

/// Whether a value is not listed, or is no day.
template <class Field>
constexpr bool is_wrong(const Field& field) {
  if constexpr (reflect::OptionalValue<Field>) return field.has_value() && is_wrong(*field);
  else if constexpr (reflect::OpenEnumeration<Field>) return !field.is_known();
  else if constexpr (requires { field.date(); }) return !text::is_writable_date(field.date());
  else return !text::is_writable_date(field);
}

template <class T>
inline constexpr std::size_t derived_count = []<std::size_t... At>(std::index_sequence<At...>) {
  return (std::size_t{has_listed_values<reflect::FieldType<T, At>> || has_day<reflect::FieldType<T, At>>} + ... + 0);
}(std::make_index_sequence<reflect::field_count<T>>());

/// The rules of an event, or of a resource wherever it occurs: a row for each field whose values are listed or that has a
/// day, then those of the table.
template <class T>
inline constexpr auto all_checks = [] {
  std::array<Check<T>, derived_count<T> + checks<T>.size()> all{};
  std::size_t count = 0;
  reflect::for_each_field<T>([&]<std::size_t At>() {
    using Field = reflect::FieldType<T, At>;
    if constexpr (has_listed_values<Field>) {
      all[count++] = {
          {RuleId::values_are_listed, T::section, {own_path<T, At>}, {}, listed_values<Field>.view(), "another value"},
          [](const T& value) { return is_wrong(reflect::field<At>(value)); }};
    } else if constexpr (has_day<Field>) {
      all[count++] = {
          {RuleId::days_and_times_exist, T::section, {own_path<T, At>}, {}, "a day of the years 1 to 9999", "no day"},
          [](const T& value) { return is_wrong(reflect::field<At>(value)); }};
    }
    return true;
  });
  if constexpr (checks<T>.size() > 0) std::copy(checks<T>.begin(), checks<T>.end(), all.data() + count);
  return all;
}();

}}}  // namespace bankhook::BANKHOOK_ABI::detail
