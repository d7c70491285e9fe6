// SPDX-License-Identifier: MIT
// The catalogue of rules: rules for a payload and for a stream of payloads, each with its evidence.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/enumerators.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/evidence.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bankhook { inline namespace BANKHOOK_ABI {

/// Every rule; its name is the stable id, which never changes.
enum class RuleId : std::uint8_t {
  // the text of a payload: evaluated by diagnose
  payload_is_json_object,
  text_is_utf8,
  field_names_are_unique,
  nesting_is_bounded,
  required_fields_are_present,
  payload_fields_are_present,
  fields_have_their_type,
  fields_have_their_form,
  days_and_times_exist,
  consent_can_be_read,
  date_can_be_read,
  counts_are_not_negative,
  numbers_can_be_held,
  null_is_not_absent,
  consent_has_four_fraction_digits,
  fields_are_listed,
  customer_has_only_ids,
  findings_are_bounded,
  // what an event says: evaluated by check, too
  event_is_listed,
  values_are_listed,
  status_equals_event_type,
  rejected_update_has_reason,
  reason_only_when_rejected,
  rejected_update_has_no_transaction_id,
  transaction_id_only_when_matched,
  place_id_exactly_without_store_external_id,
  store_name_exactly_without_store_external_id,
  connection_is_among_those_of_the_customer,
  error_code_and_message_agree,
  // about the order of events: evaluated by the tracker
  event_is_not_repeated,
  values_follow_listed_ones,
  create_differs_from_list,
  entries_agree,
  other_changes_come_as_update,
  accounts_stay,
  unlisted_connection_is_gone,
  changes_have_their_own_event,
  ids_are_per_member,
  members_change,
  // what a tracker and joint accounts take to be so: no event breaks them
  equal_values_are_the_same,
  connections_have_no_order,
  lists_count_if_newer,
  deliveries_may_be_late,
  status_and_event_type_count_together,
  deletes_may_report_changes,
  transactions_may_change,
  account_ids_are_unique,
  accounts_may_be_in_two_connections,
  joint_accounts_cross_members,
  empty_hashes_match_nothing,
  last_hash_counts,
  equal_rows_are_paired,
};

/// A rule as data. All views have static storage.
struct Rule {
  RuleId rule{};
  std::string_view section{};  ///< of the specification
  Evidence evidence{};
  Severity severity{};          ///< whether `parse` rejects a payload that breaks the rule
  std::string_view sentence{};  ///< what holds while the rule is kept

  /// The stable id: `status_equals_event_type`.
  [[nodiscard]] constexpr std::string_view id() const { return name_of(rule); }
  /// As `id`.
  [[nodiscard]] friend constexpr std::string_view to_string(const Rule& one) { return one.id(); }
};

namespace detail {

/// 6.3, and 2.4, Note: stated of a field that the specification names by a stand-in. Until its name is given, a payload
/// that lacks `placeId` may well have the field.
inline constexpr Rule named_place_id_rule{
    RuleId::place_id_exactly_without_store_external_id, "6.3", Evidence::stated, Severity::warning,
    "the map-provider place field is present exactly when storeExternalId is null; placeId stands for its name"};

/// The rule that is broken if a field of the table of this section is missing: those of section 6 have no column that calls
/// one required.
constexpr RuleId absence_rule(std::string_view section) {
  return section.starts_with('6') ? RuleId::payload_fields_are_present : RuleId::required_fields_are_present;
}

}  // namespace detail

/// All rules, in the order of RuleId.
inline constexpr auto rules = [] {
  using enum RuleId;
  using enum Evidence;
  using enum Severity;
  // clang-format off
  return std::array{
      Rule{payload_is_json_object, "1", stated, error, "each payload is one JSON object (RFC 8259) with nothing after it"},
      Rule{text_is_utf8, "1", assumed, error, "a payload is UTF-8 and its escapes name characters; the encoding is not stated"},
      Rule{field_names_are_unique, "1", assumed, error, "no object repeats a listed field"},
      Rule{nesting_is_bounded, "8", assumed, error, "objects and arrays are nested at most 1024 deep; size limits are not shown"},
      Rule{required_fields_are_present, "2", stated, error, "a field that its table marks as required is present"},
      Rule{payload_fields_are_present, "6", assumed, error, "the fields of a payload are present; the tables of section 6 do not mark any as required"},
      Rule{fields_have_their_type, "2", stated, error, "each field has the type that its table gives"},
      Rule{fields_have_their_form, "2", stated, error, "dates and times have the form that their table gives"},
      Rule{days_and_times_exist, "2", assumed, error, "a date and a time name a day of the years 1 to 9999 and a time from 00:00:00 to 23:59:59; the tables say only which form they have"},
      Rule{consent_can_be_read, "2.2", assumed, error, "consentExpiresAt has no more than 9 fraction digits; the table spells four, and does not say whether there may be others"},
      Rule{date_can_be_read, "2.4", assumed, error, "date is YYYY-MM-DDTHH:MM:SS, with or without a fraction and an offset; the specification does not show which forms of ISO 8601 occur"},
      Rule{counts_are_not_negative, "2.1", assumed, error, "a count is a whole number, 0 or more; the table says only that it is a number and a count"},
      Rule{numbers_can_be_held, "8", assumed, error, "the digits of an amount fit a 64-bit integer with a sign, and a count one without; an amount has at most 38 digits when it is written without an exponent, which has at most 32 bits; size limits are not shown"},
      Rule{null_is_not_absent, "2", stated, warning, "null occurs only where the table allows it; an optional field is left out instead"},
      Rule{consent_has_four_fraction_digits, "2.2", assumed, warning, "consentExpiresAt has four fraction digits, as the table spells them; that there may be no other number of them is not stated"},
      Rule{fields_are_listed, "9", assumed, warning, "a payload has only listed fields; how payloads may grow is not shown"},
      Rule{customer_has_only_ids, "6.3", stated, warning, "the customer of an initial transaction has only id and externalId"},
      Rule{findings_are_bounded, "8", assumed, warning, "a payload has no more findings than can be listed; the rest are left out"},
      Rule{event_is_listed, "1", stated, warning, "event is the name of one of the two events"},
      Rule{values_are_listed, "6", stated, warning, "eventType, status and rejectionReason have one of the values of their table"},
      Rule{status_equals_event_type, "6.3", stated, warning, "initialTransaction.status equals eventType"},
      Rule{rejected_update_has_reason, "6.3", stated, warning, "rejectionReason is given when eventType is rejected"},
      Rule{reason_only_when_rejected, "2.4", example, warning, "rejectionReason is null when neither eventType nor status is rejected"},
      Rule{rejected_update_has_no_transaction_id, "6.3", example, warning, "transactionId is null when eventType is rejected"},
      Rule{transaction_id_only_when_matched, "3.1", assumed, warning, "transactionId is null when the status is created"},
      Rule{place_id_exactly_without_store_external_id, "6.3", detail::given_place_id_name.empty() ? assumed : stated, warning, detail::named_place_id_rule.sentence},
      Rule{store_name_exactly_without_store_external_id, "6.3", stated, warning, "storeName is present exactly when storeExternalId is null"},
      Rule{connection_is_among_those_of_the_customer, "6.2", assumed, warning, "a created or updated connection is among the connections of its customer, because that field has all of them; a deleted one may be missing"},
      Rule{error_code_and_message_agree, "7", assumed, warning, "errorCode and errorMessage are null together: both are null when there is no error; whether an error has both is not stated"},
      Rule{event_is_not_repeated, "6", assumed, warning, "an event says something new; one that was accepted before, or contains nothing new, was sent again or came late: retries are not shown"},
      Rule{values_follow_listed_ones, "6", assumed, warning, "an eventType or status follows one that is listed; what may follow a value that is not listed is not shown"},
      Rule{create_differs_from_list, "6.2", assumed, warning, "a connection that a list named before its create is in that create as it was listed; which of two that differ is newer is not shown"},
      Rule{entries_agree, "6.2", assumed, warning, "an event names each connection once among those of its customer, its own with the same content; which of two entries counts is not shown"},
      Rule{other_changes_come_as_update, "6.2", assumed, warning, "a change to a connection other than to its accounts is sent as update, too; the eventType of such changes is not shown"},
      Rule{accounts_stay, "6.2", assumed, warning, "an update creates or updates accounts; what it means that one is no longer there is not shown"},
      Rule{unlisted_connection_is_gone, "2.1", assumed, warning, "a connection that is no longer among all connections of its member is gone until it is listed again; why it is missing is not stated"},
      Rule{changes_have_their_own_event, "6.2", assumed, warning, "a change to a connection is reported by an event of its own; an event that reports a change to another connection is late, or an event was missed"},
      Rule{ids_are_per_member, "2", assumed, warning, "an id names one thing of its member; under another member it is another thing"},
      Rule{members_change, "2.1", assumed, warning, "the externalId and the programme of a member may differ from those of an earlier event; whether they do is not stated"},
      Rule{equal_values_are_the_same, "2", assumed, warning, "two values are the same if they are equal as numbers or instants, however they are written; a zero has no sign; the tables say only which form values have"},
      Rule{connections_have_no_order, "2.1", assumed, warning, "the order of the connections of a customer means nothing, unlike that of accounts; whether it does is not stated"},
      Rule{lists_count_if_newer, "2.1", assumed, warning, "the list and the counts of an event count if it reports its own connection otherwise, follows another event of it, or lists all others as they are tracked; which of two lists is newer is not shown"},
      Rule{deliveries_may_be_late, "6", assumed, warning, "a delivery may come late or again, unless the order of deliveries is trusted; ordering is not shown"},
      Rule{status_and_event_type_count_together, "6.3", assumed, warning, "nothing of an event whose status and eventType differ is applied, unless one of the two is chosen; which of them holds is not stated"},
      Rule{deletes_may_report_changes, "6.2", assumed, warning, "what a delete reports otherwise of its connection is taken, and is no news of its own; what it may report is not shown"},
      Rule{transactions_may_change, "2.4", assumed, warning, "any field of an initial transaction may differ from that of an earlier event, and the latest counts; which of them may change is not stated"},
      Rule{account_ids_are_unique, "2.3", assumed, warning, "the id of an account names one account, whichever member's connection lists it; all_transactions is not described"},
      Rule{accounts_may_be_in_two_connections, "2.3", assumed, warning, "an account id in two connections of a member is one account that each of them lists; whether that occurs is not shown"},
      Rule{joint_accounts_cross_members, "2.3", assumed, warning, "accounts of two members that share a hash are one account, too; joint accounts are only an example"},
      Rule{empty_hashes_match_nothing, "2.3", assumed, warning, "an accountHash that is null, empty or blank matches none, not even another one; what it means is not stated"},
      Rule{last_hash_counts, "2.3", assumed, warning, "of two hashes of one account the one that was added last counts, unless it matches nothing; whether a hash changes is not shown"},
      Rule{equal_rows_are_paired, "2.3", assumed, warning, "the n-th equal row of one account is the n-th of each other account with its hash, and the first of them stays; what makes rows equal is not shown"},
  };
  // clang-format on
}();

static_assert(rules.size() == enumerator_count<RuleId>, "write a row for each rule");

/// The rule with this id.
[[nodiscard]] constexpr const Rule& rule_of(RuleId id) {
  if (id == detail::named_place_id_rule.rule && detail::place_id_is_named<>) return detail::named_place_id_rule;
  return rules[static_cast<std::size_t>(id)];
}

/// The rule that a payload breaks which `parse` rejects for `fault`; a field that is missing is one that its table
/// requires, unless it is known to stand in a table of section 6, and what stands in place of a value of the right kind is
/// JSON. Two errors are not a payload's: an event of another type than the caller asked for counts as unlisted, and running
/// out of memory has no rule.
[[nodiscard]] constexpr RuleId rule_of(Errc fault) {
  using enum Errc;
  const auto is = [fault](auto... codes) { return ((fault == codes) || ...); };
  if (is(invalid_utf8, lone_surrogate)) return RuleId::text_is_utf8;
  if (is(nested_too_deeply)) return RuleId::nesting_is_bounded;
  if (is(repeated_field)) return RuleId::field_names_are_unique;
  if (is(missing_field)) return RuleId::required_fields_are_present;
  if (is(expected_object, expected_array, expected_string, expected_boolean, expected_number, expected_integer))
    return RuleId::fields_have_their_type;
  if (is(expected_count)) return RuleId::counts_are_not_negative;
  if (is(expected_date, expected_local_timestamp)) return RuleId::fields_have_their_form;
  if (is(expected_timestamp)) return RuleId::date_can_be_read;
  if (is(nonexistent_date_time)) return RuleId::days_and_times_exist;
  if (is(fraction_out_of_range)) return RuleId::consent_can_be_read;
  if (is(wrong_event)) return RuleId::event_is_listed;
  if (is(decimal_out_of_range, exponent_out_of_range, integer_out_of_range)) return RuleId::numbers_can_be_held;
  if (is(out_of_memory)) return RuleId::findings_are_bounded;
  return RuleId::payload_is_json_object;
}

/// The rule whose stable id is `text`, or nullptr.
[[nodiscard]] constexpr const Rule* find_rule(std::string_view text) {
  for (const Rule& rule : rules) {
    if (rule.id() == text) return &rule_of(rule.rule);
  }
  return nullptr;
}

}}  // namespace bankhook::BANKHOOK_ABI
