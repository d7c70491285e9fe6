// SPDX-License-Identifier: MIT
// One word for "as text": what `to_string` gives for each public type.
#include <bankhook_catch.hpp>

#include <bankhook/bankhook.hpp>

#include <string>
#include <string_view>

namespace events_to_string_test {

using namespace bankhook;
using namespace std::string_view_literals;

TEST_CASE("a value is its text on the wire") {
  CHECK(to_string(*Decimal::parse("19.90")) == "19.90");
  CHECK(to_string(*Timestamp::parse("2026-03-01T10:00:00+01:00")) == "2026-03-01T10:00:00+01:00");
  CHECK(to_string(*LocalTimestamp::parse("2026-03-01 10:00:00.0000")) == "2026-03-01 10:00:00.0000");
  CHECK(to_string(OpenEnum(TransactionStatus::created)) == "created");
  CHECK(to_string(OpenEnum<TransactionStatus>::of("pending")) == "pending");
  CHECK(to_string(InitialTransactionUpdate().event) == "initial_transaction_update");
  CHECK(to_string(Account{"acc-1", {}}) == R"({"id":"acc-1","accountHash":null})");
}

TEST_CASE("an enumerator is its name, or the sentence that belongs to it") {
  STATIC_REQUIRE(to_string(Verdict::contradicts) == "contradicts"sv);
  STATIC_REQUIRE(to_string(RuleId::text_is_utf8) == "text_is_utf8"sv);
  STATIC_REQUIRE(to_string(Errc::lone_surrogate) == "expected a surrogate pair, found half of one"sv);
  CHECK(to_string(Error{.code = Errc::lone_surrogate}).starts_with(to_string(Errc::lone_surrogate)));
  STATIC_REQUIRE(name_of(Errc::lone_surrogate) == "lone_surrogate"sv);
  STATIC_REQUIRE(to_string(rule_of(RuleId::text_is_utf8)) == "text_is_utf8"sv);
  CHECK(to_string(Reason(&rule_of(RuleId::accounts_stay))) ==
        "the rule accounts_stay: " + std::string(rule_of(RuleId::accounts_stay).sentence));
}

TEST_CASE("a finding is one line for a log") {
  const auto findings = diagnose(R"({"event":"initial_transaction_update","eventType":7})");
  REQUIRE_FALSE(findings.empty());
  CHECK(to_string(findings.front()) == "$.eventType: expected string, found number (line 1, column 51)");
}

}  // namespace events_to_string_test
