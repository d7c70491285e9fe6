// SPDX-License-Identifier: MIT
// The table that says how a payload is checked, row by row: what `parse` makes of it, and what `diagnose` finds.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/rules/check.hpp>
#include <bankhook/events/rules/diagnose.hpp>

#include <events/samples.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace events_oracle_table_test {

using namespace bankhook;
using namespace bankhook::test;
using enum RuleId;

namespace {

/// The sample of a created transaction in which one text was exchanged.
std::string changed(std::string_view from, std::string_view to) {
  std::string text = sample("transaction_created");
  REQUIRE(text.find(from) != std::string::npos);
  return text.replace(text.find(from), from.size(), to);
}

/// Whether `diagnose` finds exactly this one.
bool finds_only(const std::string& payload, RuleId rule) {
  const auto findings = diagnose(payload);
  return findings.size() == 1 && findings[0].rule == rule;
}

bool is_error(const std::string& payload) {
  Arena arena;
  return !parse(payload, arena).has_value();
}

InitialTransactionUpdate read(const std::string& payload, Arena& arena) {
  const auto event = parse(payload, arena);
  REQUIRE(event.has_value());
  return std::get<InitialTransactionUpdate>(*event);
}

}  // namespace

TEST_CASE("what is not JSON, not UTF-8, has text after it or a listed field twice is an error and a finding") {
  const auto both = [](const std::string& payload, RuleId rule) { return is_error(payload) && finds_only(payload, rule); };
  CHECK(both(changed("19.90", "19."), payload_is_json_object));
  CHECK(both(changed("it-0001", "\xFF"), text_is_utf8));
  CHECK(both(sample("transaction_created") + "x", payload_is_json_object));
  CHECK(both(changed("\"amount\"", "\"id\":\"it-0002\",\"amount\""), field_names_are_unique));
}

TEST_CASE("a field that is not listed is skipped, even twice, and each time is a finding") {
  const std::string payload = changed("\"amount\"", "\"x\":1,\"x\":[],\"\\u0078\":null,\"amount\"");
  CHECK_FALSE(is_error(payload));
  const auto findings = diagnose(payload);
  CHECK(findings.size() == 3);
  CHECK(std::ranges::all_of(findings, [](const Finding& finding) { return finding.rule == RuleId::fields_are_listed; }));
}

TEST_CASE("a listed field of the wrong type or form, or missing though required, is an error and each is a finding") {
  const std::string payload =
      R"({"event":"initial_transaction_update","eventType":1,"customer":{"id":"m","externalId":[]},)"
      R"("initialTransaction":{"id":"t","amount":"1","storeExternalId":"s","status":"created",)"
      R"("transactionDate":"2026-13-01","transactionId":null,"date":"2026-05-04"}})";
  CHECK(is_error(payload));
  std::string paths;
  for (const Finding& finding : diagnose(payload)) paths.append(finding.path).append(" ");
  CHECK(paths ==
        "$.eventType $.customer.externalId $.initialTransaction.amount $.initialTransaction.transactionDate "
        "$.initialTransaction.date $.initialTransaction.rejectionReason ");
}

TEST_CASE("an unknown event name gives the unknown event with its raw text, and a finding") {
  const std::string payload = R"({"event":"loyalty_points_update","points":5})";
  Arena arena;
  const auto event = parse(payload, arena);
  REQUIRE(event.has_value());
  CHECK(std::get<UnknownEvent>(*event).raw == payload);
  CHECK(finds_only(payload, event_is_listed));
}

TEST_CASE("an unknown value is kept as text, and a finding") {
  const std::string payload = changed("\"rejectionReason\":null", "\"rejectionReason\":\"storeClosed\"");
  Arena arena;
  CHECK(read(payload, arena).initial_transaction.rejection_reason->text() == "storeClosed");
  const auto findings = diagnose(payload);
  REQUIRE(findings.size() == 2);  // the reason of what is not rejected is another
  CHECK(findings[0].rule == values_are_listed);
}

TEST_CASE("a field that is not listed is skipped, its syntax checked, and a finding") {
  const std::string payload = changed("\"amount\"", "\"more\":[{}],\"amount\"");
  Arena arena;
  CHECK(read(payload, arena).initial_transaction == read(sample("transaction_created"), arena).initial_transaction);
  CHECK(finds_only(payload, fields_are_listed));
  CHECK(is_error(changed("\"amount\"", "\"more\":[{],\"amount\"")));
}

TEST_CASE("null for a field that may be absent but not null is read as absent, and a finding") {
  const std::string payload = changed("\"status\"", "\"placeId\":null,\"status\"");
  Arena arena;
  CHECK(read(payload, arena).initial_transaction.place_id == std::nullopt);
  CHECK(finds_only(payload, null_is_not_absent));
}

TEST_CASE("a broken rule between fields is an event, and a finding with its evidence") {
  const std::string payload = changed("\"transactionId\":null", "\"transactionId\":\"tr-0002\"");
  Arena arena;
  CHECK(check(read(payload, arena)).contains(transaction_id_only_when_matched));
  CHECK(finds_only(payload, transaction_id_only_when_matched));
  CHECK(diagnose(payload)[0].evidence == Evidence::assumed);
}

}  // namespace events_oracle_table_test
