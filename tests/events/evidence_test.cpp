// SPDX-License-Identifier: MIT
// Every rule, transition and final state with what it rests on, beside the sentence of the specification that carries it.
#include <bankhook_catch.hpp>

#include <bankhook/domain/connection_lifecycle.hpp>
#include <bankhook/domain/transaction_lifecycle.hpp>
#include <bankhook/events/rules/rules.hpp>

#include <support/files.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>

namespace events_evidence_test {

using namespace bankhook;
using enum Evidence;

namespace {

/// `stated` if the sentence says it in so many words, about just this case; else it is only deduced from the sentence, or
/// the sentence says that it is not shown. `before`: the same of the state that a row leaves.
struct Sentence {
  Evidence evidence{};
  std::string_view section{};
  std::string_view quote{};
  StateBefore before = StateBefore::stated;
};

constexpr std::string_view a_json_object = "Each event payload is a JSON object.";
constexpr std::string_view no_limits = "Rate limits, size limits, time-outs and retry limits: not shown.";
constexpr std::string_view a_table_with_required = "| Field | Type | Required | Meaning |";
constexpr std::string_view no_preceding_state = "Which state precedes validated and rejected: not shown.";
constexpr std::string_view four_digits = "date and time with fractional seconds, in the form `YYYY-MM-DD HH:MM:SS.ffff`";
constexpr std::string_view account_update =
    "When bank accounts are then created or updated for that connection, an `update` event is sent";
constexpr std::string_view same_account = "accounts that share the same accountHash are the same real bank account";
constexpr std::string_view create_then_update =
    "A consumer expects: `create` (possibly empty accounts), then `update` (with accounts).";
constexpr std::string_view all_connections = "| All connections of the member, each shaped like Connection |";
constexpr std::string_view no_event_type =
    "Which of those triggers yields which eventType, except creation and the account update below: not shown.";
constexpr std::string_view store_without_id =
    "When storeExternalId is null, placeId and storeName are present; otherwise they are absent.";

const std::map<RuleId, Sentence> rule_sentences{
    {RuleId::payload_is_json_object, {stated, "1", a_json_object}},
    {RuleId::text_is_utf8, {assumed, "1", a_json_object}},
    {RuleId::field_names_are_unique, {assumed, "1", a_json_object}},
    {RuleId::nesting_is_bounded, {assumed, "8", no_limits}},
    {RuleId::required_fields_are_present, {stated, "2", a_table_with_required}},
    {RuleId::payload_fields_are_present, {assumed, "6", "| Field | Type | Meaning |"}},
    {RuleId::fields_have_their_type, {stated, "2", a_table_with_required}},
    {RuleId::fields_have_their_form, {stated, "2", "date form `YYYY-MM-DD`"}},
    {RuleId::days_and_times_exist, {assumed, "2", "date form `YYYY-MM-DD`"}},
    {RuleId::consent_can_be_read, {assumed, "2.2", four_digits}},
    {RuleId::date_can_be_read, {assumed, "2.4", "Creation time of the initial transaction, ISO 8601 date-time"}},
    {RuleId::counts_are_not_negative,
     {assumed, "2.1", "| connectionsOn | number | yes (in bank-connection events only) | Count of"}},
    {RuleId::numbers_can_be_held, {assumed, "8", no_limits}},
    {RuleId::null_is_not_absent, {stated, "2", "| consentExpiresAt | string | optional |"}},
    {RuleId::consent_has_four_fraction_digits, {assumed, "2.2", four_digits}},
    {RuleId::fields_are_listed, {assumed, "9", "Versioning policy of the API and of the payloads: not shown."}},
    {RuleId::customer_has_only_ids, {stated, "6.3", "| customer | object | Only id and externalId are present |"}},
    {RuleId::findings_are_bounded, {assumed, "8", no_limits}},
    {RuleId::event_is_listed, {stated, "1", "Two events exist: `bank_connections_update_v2`"}},
    {RuleId::values_are_listed, {stated, "6", "eventType values: `create`, `update`, `delete`."}},
    {RuleId::status_equals_event_type, {stated, "6.3", "initialTransaction.status equals eventType."}},
    {RuleId::rejected_update_has_reason,
     {stated, "6.3", "When eventType is `rejected`, rejectionReason is one of `purchaseNotFound`, `bankConsentExpired`"}},
    {RuleId::reason_only_when_rejected, {example, "2.4", "null in the examples for non-rejected states"}},
    {RuleId::rejected_update_has_no_transaction_id, {example, "6.3", "transactionId is null in the rejected example"}},
    {RuleId::transaction_id_only_when_matched, {assumed, "3.1", "transactionId is set only if automatically matched"}},
    // Stated of a field whose name is a stand-in (2.4, Note): assumed until the name is given.
    {RuleId::place_id_exactly_without_store_external_id, {assumed, "6.3", store_without_id}},
    {RuleId::store_name_exactly_without_store_external_id, {stated, "6.3", store_without_id}},
    {RuleId::connection_is_among_those_of_the_customer,
     {assumed, "6.2", "connections[] (all connections of the member, each shaped like Connection)"}},
    {RuleId::error_code_and_message_agree, {assumed, "7", "(both null when there is no error)"}},
    {RuleId::event_is_not_repeated, {assumed, "6", "retries, time-outs, ordering across different events): not shown."}},
    {RuleId::values_follow_listed_ones, {assumed, "6", "eventType values: `create`, `update`, `delete`."}},
    {RuleId::create_differs_from_list, {assumed, "6.2", create_then_update}},
    {RuleId::entries_agree, {assumed, "6.2", "connections[] (all connections of the member, each shaped like Connection)"}},
    {RuleId::other_changes_come_as_update, {assumed, "6.2", no_event_type}},
    {RuleId::accounts_stay, {assumed, "6.2", account_update}},
    {RuleId::unlisted_connection_is_gone, {assumed, "2.1", all_connections}},
    {RuleId::changes_have_their_own_event, {assumed, "6.2", "The connection that triggered the event"}},
    {RuleId::ids_are_per_member, {assumed, "2", "| id | string | yes | Bank connection id |"}},
    {RuleId::members_change, {assumed, "2.1", "| externalId | string | yes | Member id in the consumer's system |"}},
    {RuleId::equal_values_are_the_same, {assumed, "2", "No sample values are given here; types and meanings only."}},
    {RuleId::connections_have_no_order, {assumed, "2.1", all_connections}},
    {RuleId::lists_count_if_newer, {assumed, "2.1", all_connections}},
    {RuleId::deliveries_may_be_late, {assumed, "6", "retries, time-outs, ordering across different events): not shown."}},
    {RuleId::status_and_event_type_count_together, {assumed, "6.3", "initialTransaction.status equals eventType."}},
    {RuleId::deletes_may_report_changes, {assumed, "6.2", no_event_type}},
    {RuleId::transactions_may_change,
     {assumed, "2.4", "| amount | number | yes | Amount of the initial transaction (decimal) |"}},
    {RuleId::account_ids_are_unique, {assumed, "2.3", "| id | string | yes | Bank account id assigned by the service |"}},
    {RuleId::accounts_may_be_in_two_connections, {assumed, "2.3", same_account}},
    {RuleId::joint_accounts_cross_members, {assumed, "2.3", same_account}},
    {RuleId::empty_hashes_match_nothing, {assumed, "2.3", "| accountHash | string or null | yes |"}},
    {RuleId::last_hash_counts, {assumed, "2.3", "| accountHash | string or null | yes |"}},
    {RuleId::equal_rows_are_paired, {assumed, "2.3", "A consumer deduplicates transactions of joint accounts"}},
};

constexpr Sentence a_second_submission{assumed, "3.1", "| first submission | created |"};

constexpr std::string_view service_processing =
    "| Service processing | the store is properly set up in the service | validated |";
constexpr std::string_view service_rejects = "| Service processing | the service cannot set up the store | rejected |";

/// In the order of the lifecycle's transitions, then of its final states.
constexpr std::array transaction_sentences{
    Sentence{stated, "3.1", "| first submission | created |"},
    Sentence{stated, "3.1", service_processing, StateBefore::assumed},
    Sentence{stated, "3.1", service_rejects, StateBefore::assumed},
    a_second_submission,
    a_second_submission,
    a_second_submission,
    Sentence{stated, "3.1", service_processing, StateBefore::unknown},
    Sentence{stated, "3.1", service_rejects, StateBefore::unknown},
    Sentence{stated, "3.1", service_processing, StateBefore::unknown},
    Sentence{stated, "3.1", service_rejects, StateBefore::unknown},
    Sentence{stated, "3.1", service_processing, StateBefore::unknown},
    Sentence{stated, "3.1", service_rejects, StateBefore::unknown},
    Sentence{assumed, "3.1", no_preceding_state},
    Sentence{assumed, "3.1", no_preceding_state},
};
constexpr Sentence a_create{stated, "6.2", "On creation a `create` event is sent."};
constexpr Sentence an_update{stated, "6.2", account_update};
constexpr Sentence another_create{assumed, "6.2", create_then_update};
constexpr Sentence a_delete{assumed, "6.2", no_event_type};
constexpr Sentence is_listed{stated, "2.1", all_connections};
constexpr Sentence by_its_list{assumed, "2.1", all_connections};
constexpr Sentence comes_or_goes{assumed, "2.1", all_connections, StateBefore::unknown};
constexpr Sentence unexpected_event{assumed, "6.2", no_event_type, StateBefore::unknown};
constexpr std::array connection_sentences{
    a_create,
    a_create,
    an_update,
    an_update,
    another_create,
    another_create,
    another_create,
    another_create,
    a_delete,
    a_delete,
    a_delete,
    is_listed,
    is_listed,
    is_listed,
    is_listed,
    comes_or_goes,
    comes_or_goes,
    comes_or_goes,
    comes_or_goes,
    unexpected_event,
    by_its_list,
    by_its_list,
    by_its_list,
    unexpected_event,
    unexpected_event,
    unexpected_event,
    unexpected_event,
    unexpected_event,
    unexpected_event,
    comes_or_goes,
    Sentence{assumed, "6.2", "- is deleted or disabled."},
};

template <class M>
void compare(const M& lifecycle, std::span<const Sentence> sentences) {
  REQUIRE(sentences.size() == lifecycle.transitions().size() + lifecycle.final_states().size());
  std::size_t row = 0;
  const auto look_at = [&](const auto& rows) {
    for (const auto& one : rows) {
      CAPTURE(row, sentences[row].quote);
      CHECK(one.evidence == sentences[row].evidence);
      CHECK(one.section == sentences[row].section);
      if constexpr (requires { one.before; }) CHECK(one.before == sentences[row].before);
      ++row;
    }
  };
  look_at(lifecycle.transitions());
  look_at(lifecycle.final_states());
}

/// The text of each section of the specification by its number; nothing if it does not lie beside the conformance data.
std::optional<std::map<std::string, std::string>> specification() {
  const std::filesystem::path file = test::conformance().parent_path() / "spec.md";
  if (!std::filesystem::is_regular_file(file)) return {};
  std::map<std::string, std::string> sections;
  std::istringstream lines(test::read_file(file));
  std::string section;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("##")) {
      const std::size_t number = line.find_first_of("123456789");
      section = line.substr(number, line.find_first_not_of("0123456789.", number) - number);
      if (section.ends_with('.')) section.pop_back();
    }
    sections[section].append(line).append("\n");
  }
  return sections;
}

/// Whether the quote stands in its section, or in a part of it: 2.4 is a part of 2.
bool stands(const std::map<std::string, std::string>& sections, const Sentence& sentence) {
  return std::ranges::any_of(sections, [&](const auto& one) {
    const bool is_inside = one.first == sentence.section || one.first.starts_with(std::string(sentence.section) + ".");
    return is_inside && one.second.contains(sentence.quote);
  });
}

}  // namespace

TEST_CASE("every rule rests on what its sentence of the specification carries, and none is left out") {
  for (const Rule& rule : rules) {
    CAPTURE(rule.id());
    const auto found = rule_sentences.find(rule.rule);
    REQUIRE(found != rule_sentences.end());
    CHECK(rule.evidence == found->second.evidence);
    CHECK(rule.section == found->second.section);
  }
}

TEST_CASE("every transition and final state rests on what its sentence of the specification carries") {
  compare(transaction_lifecycle, transaction_sentences);
  compare(connection_lifecycle, connection_sentences);
}

TEST_CASE("the quoted sentences stand in their sections of the specification") {
  const auto sections = specification();
  if (!sections) {
    WARN("the specification does not lie beside the conformance data: nothing is compared");
    return;
  }
  const auto look_at = [&](const Sentence& sentence) {
    CAPTURE(sentence.section, sentence.quote);
    CHECK(stands(*sections, sentence));
  };
  for (const auto& [rule, sentence] : rule_sentences) look_at(sentence);
  for (const Sentence& sentence : transaction_sentences) look_at(sentence);
  for (const Sentence& sentence : connection_sentences) look_at(sentence);
}

}  // namespace events_evidence_test
