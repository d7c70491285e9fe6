// SPDX-License-Identifier: MIT
// The catalogue of rules: complete, stable, each with its section, its evidence and a sentence.
#include <bankhook_catch.hpp>

#include <bankhook/base/enumerators.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/events/rules/rules.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace events_rules_test {

using namespace bankhook;

TEST_CASE("every rule is in the catalogue, in the order of the ids") {
  STATIC_REQUIRE([] {
    std::size_t index = 0;
    return std::ranges::all_of(rules, [&](const Rule& rule) { return rule.rule == static_cast<RuleId>(index++); });
  }());
}

TEST_CASE("a rule is found by its id and has no other") {
  STATIC_REQUIRE(find_rule("status_equals_event_type") == &rule_of(RuleId::status_equals_event_type));
  STATIC_REQUIRE(find_rule("no_such_rule") == nullptr);
  STATIC_REQUIRE(find_rule("") == nullptr);
  for (const Rule& rule : rules) CHECK(find_rule(rule.id()) == &rule);
  CHECK(std::ranges::find(rules, "nesting_is_bounded", &Rule::id) == &rule_of(RuleId::nesting_is_bounded));
}

TEST_CASE("every rule has a section of the specification and a sentence of its own") {
  std::set<std::string_view> sentences;
  for (const Rule& rule : rules) {
    CAPTURE(rule.id());
    CHECK(rule.section.front() >= '1');
    CHECK(rule.section.front() <= '9');
    CHECK(rule.section.find_first_not_of("0123456789.") == std::string_view::npos);
    CHECK(rule.sentence.size() > 20);
    CHECK(!rule.sentence.ends_with('.'));
    CHECK(sentences.insert(rule.sentence).second);
  }
}

TEST_CASE("a payload is rejected for what it is, never for what it says") {
  STATIC_REQUIRE(rule_of(RuleId::payload_is_json_object).severity == Severity::error);
  STATIC_REQUIRE(rule_of(RuleId::numbers_can_be_held).severity == Severity::error);
  STATIC_REQUIRE(rule_of(RuleId::null_is_not_absent).severity == Severity::warning);
  STATIC_REQUIRE(rule_of(RuleId::fields_are_listed).severity == Severity::warning);
  STATIC_REQUIRE(rule_of(RuleId::event_is_listed).severity == Severity::warning);
  STATIC_REQUIRE(rule_of(RuleId::status_equals_event_type).severity == Severity::warning);
}

TEST_CASE("every fault of a payload breaks a rule for which parse rejects it") {
  for (std::size_t i = 1; i < enumerator_count<Errc>; ++i) {
    const auto code = static_cast<Errc>(i);
    CAPTURE(enumerator_names<Errc>[i]);
    const bool is_of_the_payload = code != Errc::wrong_event && code != Errc::out_of_memory;
    CHECK((rule_of(rule_of(code)).severity == Severity::error) == is_of_the_payload);
  }
}

TEST_CASE("a fault of the syntax means that the payload is no JSON object, and no other fault does") {
  using enum Errc;
  constexpr std::array syntax{truncated,
                              trailing_text,
                              expected_value,
                              expected_field_name,
                              expected_colon,
                              expected_comma_or_brace,
                              expected_comma_or_bracket,
                              invalid_number,
                              invalid_escape,
                              control_character};
  for (std::size_t i = 1; i < enumerator_count<Errc>; ++i) {
    const auto code = static_cast<Errc>(i);
    CAPTURE(enumerator_names<Errc>[i]);
    CHECK((rule_of(code) == RuleId::payload_is_json_object) == (std::ranges::find(syntax, code) != syntax.end()));
  }
}

TEST_CASE("every rule for which parse rejects a payload has a fault that breaks it") {
  for (const Rule& rule : rules) {
    // That a field is missing is one fault; whose table it is decides between two rules.
    bool has_fault = rule.rule == RuleId::payload_fields_are_present;
    for (std::size_t i = 1; i < enumerator_count<Errc>; ++i) has_fault |= rule_of(static_cast<Errc>(i)) == rule.rule;
    CAPTURE(rule.id());
    if (rule.severity == Severity::error) CHECK(has_fault);
  }
}

}  // namespace events_rules_test
