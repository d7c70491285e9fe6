// SPDX-License-Identifier: MIT
// Hostile payloads: the findings are bounded, and the bytes that `diagnose` looks at grow no faster than the payload.
#include <bankhook_catch.hpp>

#include <bankhook/events/rules/diagnose.hpp>
#include <bankhook/events/rules/explain.hpp>
#include <bankhook/json/recover/recovering_reader.hpp>

#include <events/diagnosed.hpp>
#include <events/samples.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace events_diagnose_limits_test {

using namespace bankhook;
using namespace bankhook::test;

namespace {

std::string repeated(std::string_view text, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

const std::string begin = R"({"event":"initial_transaction_update",)";

/// Payloads of about 200 KB; each would keep a quadratic reader busy for long.
std::vector<std::string> hostile_payloads() {
  std::string many_names = begin;
  for (int i = 0; i < 12'000; ++i) many_names += "\"n" + std::to_string(i) + "\":0,";
  std::vector<std::string> all{many_names + many_names.substr(begin.size())};
  for (const std::string_view part : {"[",          "{",
                                      "]",          "}",
                                      ",",          ":",
                                      "\"",         "\\",
                                      "\"\\",       "{\"a\":",
                                      "[{x",        "{x{",
                                      "\"a\" ",     "\n",
                                      "\"\n",       "\"a\n\n b",
                                      "\"x\":",     "x ",
                                      "1 ",         "\xFF",
                                      "\\u12",      "\"a\":\"b\" ",
                                      "\"a\"\"b\"", "nul",
                                      "{\"a\"[",    "\"\n\n\n",
                                      "-",          "tru,",
                                      "}{",         "\"a\"="}) {
    const std::string many = repeated(part, 200'000 / part.size());
    all.push_back(many);
    all.push_back(begin + many);
    all.push_back(begin + "\"more\":" + many);
    all.push_back(begin + "\"more\":\"" + many);
    all.push_back(R"({"event":"bank_connections_update_v2","customer":{"connections":[)" + many);
  }
  return all;
}

}  // namespace

TEST_CASE("a hostile payload of 200 KB has a bounded number of findings in their order") {
  Diagnosed diagnosed;
  for (const std::string& payload : hostile_payloads()) {
    CAPTURE(payload.substr(0, 100));
    CHECK(diagnosed.disagreement(payload) == "");
  }
}

TEST_CASE("where there are more findings than are listed, the last one says so") {
  std::string payload = begin;
  for (int i = 0; i < 200; ++i) payload += "\"n" + std::to_string(i) + "\":0,";
  payload += sample("transaction_created").substr(begin.size());
  const auto findings = diagnose(payload);
  REQUIRE(findings.size() == max_findings + 1);
  CHECK(findings.back().rule == RuleId::findings_are_bounded);
  CHECK(findings.back().expected == "at most 100 findings");
}

TEST_CASE("the first finding for which parse rejects the payload is listed after the bound") {
  std::string payload = begin;
  for (int i = 0; i < 200; ++i) payload += "\"n" + std::to_string(i) + "\":0,";
  payload += "\"last\":tru}";
  const auto findings = diagnose(payload);
  REQUIRE(findings.size() == max_findings + 2);
  CHECK(findings[max_findings].rule == RuleId::payload_is_json_object);
  CHECK(findings[max_findings].path == "$.last");
}

TEST_CASE("exactly as many findings as are listed are no bound") {
  std::string payload = begin;
  for (std::size_t i = 0; i < max_findings; ++i) payload += "\"n" + std::to_string(i) + "\":0,";
  payload += sample("transaction_created").substr(begin.size());
  CHECK(diagnose(payload).size() == max_findings);
}

TEST_CASE("a path is bounded, however long the names and however deep the nesting") {
  const auto longest = [](const std::string& payload) {
    std::size_t size = 0;
    for (const Finding& finding : diagnose(payload)) size = std::max(size, finding.path.size());
    return size;
  };
  CHECK(longest("{\"event\":\"x\",\"" + std::string(100'000, 'a') + "\":tru}") < 100);
  CHECK(longest("{\"event\":\"x\",\"y\":" + repeated("{\"" + std::string(100, 'b') + "\":", 1000) + "tru") < 3000);
}

TEST_CASE("nesting beyond 1024 levels is one finding, and the payload after it is checked") {
  const std::string deep = repeated("[", 2000) + repeated("]", 2000);
  const auto findings = diagnose(begin + "\"more\":" + deep + ",\"eventType\":7}");
  std::string ids;
  for (const Finding& finding : findings) ids.append(to_string(finding.rule)).append(" ");
  CHECK(ids ==
        "fields_are_listed nesting_is_bounded fields_have_their_type payload_fields_are_present "
        "payload_fields_are_present ");
}

TEST_CASE("a hostile payload of 200 KB is explained in a few lines a finding") {
  for (const std::string& payload : hostile_payloads()) {
    CAPTURE(payload.substr(0, 100));
    const auto findings = diagnose(payload);
    CHECK(explain(findings, payload).size() < findings.size() * 2000);
  }
}

}  // namespace events_diagnose_limits_test
