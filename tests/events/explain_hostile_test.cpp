// SPDX-License-Identifier: MIT
// Whatever names and values a payload has, no text about it can control a terminal or forge a log line.
#include <bankhook_catch.hpp>

#include <bankhook/events/parse.hpp>
#include <bankhook/events/rules/check.hpp>
#include <bankhook/events/rules/diagnose.hpp>
#include <bankhook/events/rules/explain.hpp>

#include <events/samples.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace events_explain_hostile_test {

using namespace bankhook;
using namespace bankhook::test;

namespace {

/// What no text may contain: as bytes of UTF-8, and as a payload writes it.
struct Hostile {
  std::string_view raw;
  std::string_view escaped;
};
constexpr auto hostile = std::to_array<Hostile>({
    {"\x1B", "\\u001b"},
    {"\r", "\\r"},
    {{"\0", 1}, "\\u0000"},
    {"\x7F", "\x7F"},
    {"\u0085", "\u0085"},
    {"\u009B", "\\u009b"},
    {"\u00AD", "\u00AD"},
    {"\u061C", "\u061C"},
    {"\u200B", "\u200B"},
    {"\u2028", "\\u2028"},
    {"\u2029", "\u2029"},
    {"\u202E", "\u202E"},
    {"\u2066", "\u2066"},
    {"\uFEFF", "\uFEFF"},
    {"\U000E0041", "\U000E0041"},
});

/// A name or a value of a payload that holds all of them, with line breaks and the marks of `explain` itself.
std::string hostile_text(std::string_view begin) {
  std::string text(begin);
  for (const Hostile& one : hostile) text.append(one.escaped);
  return text.append("\\n  1 | x\\n    | ^\\n --> line 1, column 1\\\"']\\\\ ");
}

/// Whether `text` holds one of them, or more line breaks than `lines`.
std::string obeyed_in(std::string_view text, std::ptrdiff_t lines) {
  for (const Hostile& one : hostile) {
    if (text.find(one.raw) != std::string_view::npos) return "holds " + std::string(one.escaped);
  }
  return std::ranges::count(text, '\n') == lines ? "" : "has lines of its own";
}

/// What the library says about a payload.
void check_everything_said(const std::string& payload) {
  CAPTURE(payload);
  const std::vector<Finding> findings = diagnose(payload);
  REQUIRE_FALSE(findings.empty());
  for (const Finding& finding : findings) {
    for (const std::string& part : {finding.path, finding.expected, finding.found, to_string(finding)})
      CHECK(obeyed_in(part, 0).empty());
    for (const Redaction redaction : {Redaction::on, Redaction::off}) {
      CHECK(obeyed_in(explain(finding, payload, 4'000, redaction), 5).empty());
      Excerpts excerpts(payload, redaction);
      const auto excerpt = excerpts.of(finding);
      REQUIRE(excerpt);
      CHECK(obeyed_in(excerpt->text, 0).empty());
    }
  }
  Arena arena;
  if (const auto event = parse(payload, arena); !event)
    CHECK(obeyed_in(to_string(finding_of(event.error(), payload)), 0).empty());
}

/// The samples with `fields` as the first ones of each of their objects.
std::vector<std::string> in_every_object(const std::string& fields) {
  std::vector<std::string> payloads;
  for (const std::string_view name : {"connection_updated_with_accounts", "transaction_created", "unknown_event"}) {
    const std::string& whole = sample(name);
    for (std::size_t at = whole.find('{'); at != std::string::npos; at = whole.find('{', at + 1))
      payloads.push_back(whole.substr(0, at + 1) + fields + whole.substr(at + 1));
  }
  return payloads;
}

}  // namespace

TEST_CASE("the name of an unlisted field reveals nothing but itself, at any level, even twice and however long") {
  const std::string name = '"' + hostile_text("") + '"';
  const std::string long_name = '"' + hostile_text(std::string(60, 'x')) + hostile_text(std::string(60, 'x')) + '"';
  for (const std::string& field : {name + ":1,", long_name + ":{" + name + ":tru},", name + ":1," + name + ":2,"}) {
    for (const std::string& payload : in_every_object(field)) check_everything_said(payload);
  }
}

TEST_CASE("the path of a hostile name is that of RFC 9535, and its steps are what was decoded") {
  const std::string payload = R"({"event":"initial_transaction_update","a\u001b[31m\n'\\":1})";
  const auto findings = diagnose(payload);
  REQUIRE(findings.front().rule == RuleId::fields_are_listed);
  CHECK(findings.front().path == R"($['a\u001b[31m\n\'\\'])");
  CHECK(findings.front().steps == std::vector<PathStep>{"a\x1B[31m\n'\\"});
}

TEST_CASE("values that are not listed stay out, and are harmless if they are asked for") {
  const std::string value = '"' + hostile_text("") + '"';
  for (const std::string_view name : {"event", "eventType", "status", "rejectionReason", "amount", "transactionDate"}) {
    std::string payload = sample("transaction_created");
    const std::size_t at = payload.rfind('"' + std::string(name) + "\":") + name.size() + 3;
    payload.replace(at, payload.find_first_of(",}", at) - at, value);
    check_everything_said(payload);
  }
}

TEST_CASE("half a surrogate pair and bytes that are not UTF-8 are not names") {
  for (const std::string_view name : {"\"\\ud83d\"", "\"a\\udc00\"", "\"\xFF\x1B\"", "\"\xED\xA0\x80\"", "\"\x1B\n\""}) {
    for (const std::string& payload : in_every_object(std::string(name) + ":1,")) {
      for (const Finding& finding : diagnose(payload)) {
        CHECK(obeyed_in(to_string(finding), 0).empty());
        CHECK(obeyed_in(explain(finding, payload, 4'000, Redaction::off), 5).empty());
      }
    }
  }
}

TEST_CASE("an excerpt marks the token that a finding is about") {
  const auto marked = [](const std::string& payload, Redaction redaction) {
    Excerpts excerpts(payload, redaction);
    const auto excerpt = excerpts.of(diagnose(payload).front());
    return excerpt ? excerpt->text.substr(excerpt->start, excerpt->end - excerpt->start) : "none";
  };
  const std::string begin = R"({"event":"initial_transaction_update","eventType":)";
  CHECK(marked(begin + "42}", Redaction::off) == "42");
  CHECK(marked(begin + "42}", Redaction::on) == "··");
  CHECK(marked(begin + R"("created","x y":1})", Redaction::on) == "\"x y\"");
  CHECK(marked(begin + "[1]}", Redaction::on) == "[");
  CHECK(marked(begin + "\"a\x01zz\"}", Redaction::off) == "�");
  CHECK(marked(begin, Redaction::on).empty());
  CHECK(marked(begin + "  \n}", Redaction::on) == "}");
}

TEST_CASE("a finding of check has no excerpt") {
  const Findings findings = check(UnknownEvent{"x", "{}"});
  Excerpts excerpts("{}");
  CHECK_FALSE(excerpts.of(findings[0]));
}

}  // namespace events_explain_hostile_test
