// SPDX-License-Identifier: MIT
// The catalogue of rules: what a payload and a stream of payloads are held to, and what each rule rests on.
#pragma once

#include <bankhook/base/enumerators.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/evidence.hpp>
#include <bankhook/base/place_id.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bankhook {

/// Every rule; its name is the stable id. New ones are added before the first of the next group, none is ever renamed.
enum class RuleId : std::uint8_t {
  // the text of a payload: judged by diagnose
  payload_is_json_object,  // parse refuses these
  text_is_utf8,
  member_names_are_unique,
  nesting_is_bounded,
  required_members_are_present,
  members_have_their_type,
  members_have_their_form,
  counts_are_not_negative,
  numbers_can_be_held,
  null_is_not_absent,  // parse takes these
  members_are_listed,
  customer_has_only_ids,
  findings_are_bounded,
  // what an event says: judged by check, too
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
  // what follows on what: judged by the tracker
  create_comes_first,
  created_comes_first,
  other_changes_come_as_update,
};

/// A rule as data. All views have static storage.
struct Rule {
  RuleId rule{};
  std::string_view section{};  ///< of the specification
  Evidence evidence{};
  std::string_view sentence{};  ///< what holds where the rule is kept

  /// Whether `parse` refuses a payload that breaks the rule; it reads one that breaks another.
  [[nodiscard]] constexpr bool is_refused() const { return rule <= RuleId::numbers_can_be_held; }

  /// The stable id: `status_equals_event_type`.
  [[nodiscard]] constexpr std::string_view id() const { return name_of(rule); }
};

}  // namespace bankhook

namespace bankhook::detail {

/// 6.3, and 2.4, Note: stated of a field that the specification names by a stand-in. Until its name is given, a payload that
/// lacks `placeId` may well have the field.
constexpr Rule place_id_rule(bool is_named) {
  return {.rule = RuleId::place_id_exactly_without_store_external_id,
          .section = "6.3",
          .evidence = is_named ? Evidence::stated : Evidence::assumed,
          .sentence = "the map-provider place field is present exactly when storeExternalId is null; placeId stands for its name"};
}
inline constexpr Rule named_place_id_rule = place_id_rule(true);

}  // namespace bankhook::detail

namespace bankhook {

/// All rules, in the order of RuleId.
inline constexpr auto rules = [] {
  using enum RuleId;
  using enum Evidence;
  // clang-format off
  return std::array{
      Rule{payload_is_json_object, "1", stated, "each payload is one JSON object (RFC 8259) and nothing behind it"},
      Rule{text_is_utf8, "1", stated, "a JSON text is UTF-8 and its escapes name characters (RFC 8259, section 8)"},
      Rule{member_names_are_unique, "1", assumed, "no object has a listed member twice"},
      Rule{nesting_is_bounded, "8", assumed, "objects and arrays are nested at most 1024 deep; size limits are not shown"},
      Rule{required_members_are_present, "2", stated, "a member that is required is present"},
      Rule{members_have_their_type, "2", stated, "each member has the type of its table"},
      Rule{members_have_their_form, "2", stated, "dates and times have the form of their table"},
      Rule{counts_are_not_negative, "2.1", stated, "a count is a whole number from 0"},
      Rule{numbers_can_be_held, "8", assumed, "the digits of a number fit 64 bits; size limits are not shown"},
      Rule{null_is_not_absent, "2", stated, "null stands only where the table lists it; an optional member is left out"},
      Rule{members_are_listed, "9", assumed, "a payload has no members but the listed ones; how it may grow is not shown"},
      Rule{customer_has_only_ids, "6.3", stated, "the customer of an initial transaction has only id and externalId"},
      Rule{findings_are_bounded, "8", assumed, "there are more findings than are listed; only the first ones are"},
      Rule{event_is_listed, "6", stated, "event is the name of one of the two events"},
      Rule{values_are_listed, "6", stated, "eventType, status and rejectionReason have one of the values of their table"},
      Rule{status_equals_event_type, "6.3", stated, "initialTransaction.status equals eventType"},
      Rule{rejected_update_has_reason, "6.3", stated, "rejectionReason is given where eventType is rejected"},
      Rule{reason_only_when_rejected, "2.4", example, "rejectionReason is null where neither eventType nor status is rejected"},
      Rule{rejected_update_has_no_transaction_id, "6.3", example, "transactionId is null where eventType is rejected"},
      Rule{transaction_id_only_when_matched, "3.1", assumed, "transactionId is null where the status is created"},
      detail::place_id_rule(!detail::given_place_id_name.empty()),
      Rule{store_name_exactly_without_store_external_id, "6.3", stated, "storeName is present exactly when storeExternalId is null"},
      Rule{connection_is_among_those_of_the_customer, "6.2", assumed, "a connection created or updated is among all connections of its customer: they are all, and it is one; about a deleted one nothing is judged"},
      Rule{error_code_and_message_agree, "7", assumed, "errorCode and errorMessage are null together: both are where there is no error; that an error has both is not said"},
      Rule{create_comes_first, "6.2", assumed, "the first event of a connection is create, as that of a new one is; it may be older than what was received"},
      Rule{created_comes_first, "3.1", assumed, "the first event of an initial transaction is created; which state precedes the others is not shown"},
      Rule{other_changes_come_as_update, "6.2", assumed, "what changes of a connection besides its accounts comes as update, too; which eventType the other triggers have is not shown"},
  };
  // clang-format on
}();

/// The rule with this id.
[[nodiscard]] constexpr const Rule& rule_of(RuleId id) {
  if (id == detail::named_place_id_rule.rule && detail::place_id_is_named<>) return detail::named_place_id_rule;
  return rules[static_cast<std::size_t>(id)];
}

/// The rule that a payload breaks which `parse` refuses for `fault`. Two faults are no payload's: another event where one
/// was asked for by its type is held to the list of events, and what no memory was left for is not listed.
[[nodiscard]] constexpr RuleId rule_of(Errc fault) {
  switch (fault) {
    case Errc::none:
    case Errc::truncated:
    case Errc::trailing_text:
    case Errc::expected_value:
    case Errc::expected_member_name:
    case Errc::expected_colon:
    case Errc::expected_comma_or_brace:
    case Errc::expected_comma_or_bracket:
    case Errc::invalid_number:
    case Errc::control_character: return RuleId::payload_is_json_object;
    case Errc::invalid_utf8:
    case Errc::invalid_escape:
    case Errc::lone_surrogate: return RuleId::text_is_utf8;
    case Errc::nested_too_deeply: return RuleId::nesting_is_bounded;
    case Errc::repeated_member: return RuleId::member_names_are_unique;
    case Errc::missing_member: return RuleId::required_members_are_present;
    case Errc::expected_object:
    case Errc::expected_array:
    case Errc::expected_string:
    case Errc::expected_boolean:
    case Errc::expected_number:
    case Errc::expected_integer: return RuleId::members_have_their_type;
    case Errc::expected_count: return RuleId::counts_are_not_negative;
    case Errc::expected_date:
    case Errc::expected_local_timestamp:
    case Errc::expected_timestamp: return RuleId::members_have_their_form;
    case Errc::wrong_event: return RuleId::event_is_listed;
    case Errc::decimal_out_of_range:
    case Errc::integer_out_of_range: return RuleId::numbers_can_be_held;
    case Errc::out_of_memory: return RuleId::findings_are_bounded;
  }
  return RuleId::payload_is_json_object;
}

/// The rule whose stable id is `text`, or nullptr.
[[nodiscard]] constexpr const Rule* find_rule(std::string_view text) {
  for (const Rule& rule : rules) {
    if (rule.id() == text) return &rule_of(rule.rule);
  }
  return nullptr;
}

static_assert(rules.size() == enumerator_count<RuleId>, "every_rule_is_in_the_catalogue");
static_assert(
    [] {
      for (std::size_t i = 0; i < rules.size(); ++i) {
        if (rules[i].rule != static_cast<RuleId>(i)) return false;
      }
      return true;
    }(),
    "the_catalogue_has_the_order_of_its_ids");

}  // namespace bankhook
