// SPDX-License-Identifier: MIT
// `explain` shows a fault as a good compiler does: the line, a caret under the place, and values as dots.
#include <bankhook_catch.hpp>

#include <bankhook/events/parse.hpp>
#include <bankhook/events/rules/check.hpp>
#include <bankhook/events/rules/diagnose.hpp>
#include <bankhook/events/rules/explain.hpp>

#include <events/samples.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace events_explain_test {

using namespace bankhook;
using namespace bankhook::test;

namespace {

struct Tree {
  std::span<const Tree> trees;
};

/// The line that is shown of `text` for a finding at the first `@`, which is taken out before, and the line below it.
std::string shown(std::string text, Redaction redaction = Redaction::on) {
  const std::size_t at = text.find('@');
  text.erase(at, 1);
  const std::string all = explain(Finding{.offset = at, .line = 1, .column = 1}, text, 80, redaction);
  std::string lines;
  std::size_t bar = all.find(" | ");
  for (; bar != std::string::npos; bar = all.find(" | ", bar + 1)) {
    lines += all.substr(bar + 3, all.find('\n', bar) - bar - 2);
  }
  return lines;
}

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

TEST_CASE("a finding is explained by path, sentence, rule, evidence, section, line and caret") {
  const std::string payload = "{\n  \"event\": \"initial_transaction_update\",\n  \"eventType\": 42\n}";
  CHECK(explain(diagnose(payload).at(0), payload) ==
        "$.eventType: expected string, found number\n"
        "  rule: fields_have_their_type (stated, section 6.3)\n"
        " --> line 3, column 16\n"
        "  3 |   \"eventType\": ··\n"
        "    |                ^\n");
}

TEST_CASE("an error of parse is explained in the same way") {
  const std::string payload = "{\"event\":\"initial_transaction_update\",}";
  Arena arena;
  const auto event = parse(payload, arena);
  REQUIRE_FALSE(event.has_value());
  CHECK(explain(event.error(), payload) ==
        "$: expected a field name in quotes, found '}'\n"
        "  rule: payload_is_json_object (stated, section 1)\n"
        " --> line 1, column 39\n"
        "  1 | {\"event\":\"initial_transaction_update\",}\n"
        "    |                                       ^\n");
}

TEST_CASE("the error of a missing or repeated field has the path of that field") {
  const std::string missing = R"({"event":"initial_transaction_update"})";
  Arena arena;
  CHECK(finding_of(parse(missing, arena).error(), missing).path == "$.eventType");
  const std::string repeated = R"({"event":"initial_transaction_update","event":1})";
  CHECK(finding_of(parse(repeated, arena).error(), repeated).path == "$.event");
  const Finding of_another_text = finding_of(parse(missing, arena).error(), sample("transaction_validated"));
  CHECK(of_another_text.expected == "the field eventType");
}

TEST_CASE("the error of parse is the first finding of diagnose for which the payload is rejected, word for word") {
  Arena arena;
  std::size_t rejected = 0;
  for (const auto& fault : faults()) {
    CAPTURE(fault.name);
    const auto event = parse(fault.text, arena);
    if (event) continue;
    const auto findings = diagnose(fault.text);
    const auto first = std::ranges::find_if(findings, [](const auto& one) { return one.severity == Severity::error; });
    REQUIRE(first != findings.end());
    CHECK(finding_of(event.error(), fault.text) == *first);
    CHECK(to_string(finding_of(event.error(), fault.text)) == to_string(*first));
    CHECK(explain(event.error(), fault.text) == explain(*first, fault.text));
    ++rejected;
  }
  CHECK(rejected > 40);
}

TEST_CASE("the error of parse_as is explained by the table of its type") {
  Arena arena;
  const std::string account = R"({"id":"a","accountHash":7})";
  const auto read = parse_as<Account>(account, arena);
  REQUIRE_FALSE(read.has_value());
  CHECK(to_string(finding_of<Account>(read.error(), account)) ==
        "$.accountHash: expected string or null, found number (line 1, column 25)");
  CHECK(finding_of<Account>(read.error(), account).section == "2.3");
  const std::string other = R"({"event":"initial_transaction_update"})";
  const Error wrong = parse_as<BankConnectionsUpdateV2>(other, arena).error();
  REQUIRE(wrong.code == Errc::wrong_event);
  CHECK(to_string(finding_of<BankConnectionsUpdateV2>(wrong, other)) ==
        "$.event: expected another event, found one of another name (line 1, column 11)");
}

TEST_CASE("a struct that contains arrays of itself is diagnosed without exhausting the stack") {
  std::string deep;
  for (int i = 0; i < 200'000; ++i) deep += R"({"trees":[)";
  Arena arena;
  const auto read = parse_as<Tree>(deep, arena);
  REQUIRE_FALSE(read.has_value());
  CHECK(finding_of<Tree>(read.error(), deep).rule == RuleId::nesting_is_bounded);
  CHECK(diagnose_as<Tree>(R"({"trees":[{"trees":[]}]})").empty());
  CHECK(diagnose_as<Tree>(R"({"trees":[{"trees":[{"x":[]}]}]})").front().path == "$.trees[0].trees[0].x");
}

TEST_CASE("an error that diagnose cannot see has its own words and its own place") {
  const Finding finding = finding_of(Error{.code = Errc::out_of_memory, .offset = 2}, R"({"event":"x"})");
  CHECK(finding.path == "$");
  CHECK(to_string(finding) == "$: expected memory for the value, found nothing (line 1, column 3)");
}

TEST_CASE("an error that is made by hand is described by what stands at its place, be it the start of the text") {
  CHECK(finding_of(Error{.code = Errc::expected_string}, sample("transaction_created")).found == "object");
}

TEST_CASE("a finding of check has no place and no line") {
  const Findings findings = check(UnknownEvent{"x", "{}"});
  CHECK(explain(findings[0], "") ==
        "$.event: expected bank_connections_update_v2 or initial_transaction_update,\n"
        "    found another event\n"
        "  rule: event_is_listed (stated, section 1)\n");
  CHECK(explain(findings[0], "", 24).ends_with("\n  rule: event_is_listed\n    (stated, section 1)\n"));
  CHECK(to_string(findings[0]) ==
        "$.event: expected bank_connections_update_v2 or initial_transaction_update, found another event");
}

TEST_CASE("several findings are explained one after the other, with an empty line between") {
  const std::string payload = R"({"event":"x","y":tru})";
  const auto findings = diagnose(payload);
  REQUIRE(findings.size() == 2);
  CHECK(explain(findings, payload) == explain(findings[0], payload) + "\n" + explain(findings[1], payload));
  CHECK(explain(std::vector<Finding>{}, payload).empty());
}

TEST_CASE("findings are explained alike in any order") {
  const std::string payload = "{\"event\":\"x\",\n \"y\":tru,\n \"z\":[1,nil]}";
  auto findings = diagnose(payload);
  REQUIRE(findings.size() == 3);
  std::ranges::reverse(findings);
  CHECK(explain(findings, payload) ==
        explain(findings[0], payload) + "\n" + explain(findings[1], payload) + "\n" + explain(findings[2], payload));
}

TEST_CASE("texts and numbers are dots of their width; names, listed values and words are shown") {
  CHECK(shown(R"({"id":@"abc","x":-1.5e3,"status":"created","y":null,"z":[true,"b"]})") ==
        R"({"id":"···","x":······,"status":"created","y":null,"z":[true,"·"]})"
        "\n      ^\n");
}

TEST_CASE("a character is one dot however many bytes it has") {
  CHECK(shown(R"({"x":"é🛒\u00e9",@"y":1})") == "{\"x\":\"········\",\"y\":·}\n                ^\n");
}

TEST_CASE("a value that could be taken for a name is redacted") {
  CHECK(shown(R"({"id":"a":@"b"})") == "{\"id\":\"·\":\"·\"}\n          ^\n");
  CHECK(shown(R"(["a":@1])") == "[\"·\":·]\n     ^\n");
  CHECK(shown(R"({"id":@a b,c})") == "{\"id\":· ·,·}\n      ^\n");
}

TEST_CASE("a text that is not closed is redacted to the end of its line") {
  CHECK(shown("{\"x\":@\"abc, \"y\":1}\n") == "{\"x\":\"·····\"·\"···\n     ^\n");
  CHECK(shown("{\"x\":@\"abc\n\"y\":1}") == "{\"x\":\"···\n     ^\n");
  CHECK(shown("{\"x\":\"abc\n\"id\":@\"d\"}") == "\"id\":\"·\"}\n     ^\n");
}

TEST_CASE("a tab is one blank, so that the caret is under its place") {
  CHECK(shown("{\n\t\"x\":\t@nil}") == " \"x\": ···}\n      ^\n");
}

TEST_CASE("control characters and bytes that are no UTF-8 are shown as replacements") {
  CHECK(shown("{\"\x01\xFF\x7F\":@nil}") == "{\"���\":···}\n       ^\n");
  CHECK(shown("{\"x\":@\"\x1B[31m\xC2\x9B\"}", Redaction::off) == "{\"x\":\"�[31m�\"}\n     ^\n");
}

TEST_CASE("a line that a carriage return begins is shown from there") {
  CHECK(shown("{\r\"x\":@nil}") == "\"x\":···}\n    ^\n");
}

TEST_CASE("an end of line of two characters is not shown") { CHECK(shown("{\r\n\"x\":@nil\r\n}") == "\"x\":···\n    ^\n"); }

TEST_CASE("between the two characters of an end of line an empty line is shown") {
  CHECK(shown("{\r@\n\"x\":nil}") == "\n^\n");
}

TEST_CASE("the part of a line that is shown has the place in it, and is cut if a single byte before it is left out") {
  const detail::Window window("abcdefghij", 5, 8);
  CHECK(window.from == 1);
  CHECK(window.to == 9);
  CHECK(window.is_cut_before);
  CHECK_FALSE(detail::Window("abcdefghij", 4, 9).is_cut_before);
  const detail::Window broken("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80", 6, 4);  // no character begins
  CHECK(broken.from == 6);
  CHECK(broken.to == 6);
}

TEST_CASE("a line that is cut on both sides fills the width") {
  const std::string many(500, ' ');
  const std::string all = explain(Finding{.offset = 505, .line = 1}, "{" + many + "\"x\":nil," + many + "}", 60);
  const std::size_t begin = all.find("\n  1 | ") + 1;
  CHECK(characters(all.substr(begin, all.find('\n', begin) - begin)) == 60);
}

TEST_CASE("a long line is cut around the place") {
  const std::string many(500, ' ');
  const std::string text = "{" + many + "\"x\":@nil," + many + "}";
  const std::string lines = shown(text);
  const std::string line = lines.substr(0, lines.find('\n'));
  CHECK(line.starts_with("…"));
  CHECK(line.ends_with("…"));
  CHECK(characters(line) <= 102);
  const std::size_t caret = lines.find('^') - lines.find('\n') - 1;
  CHECK(characters(line.substr(0, line.find("·"))) == caret);
}

TEST_CASE("a long line is cut between two characters") {
  for (std::size_t size = 90; size < 110; ++size) {
    std::string text = "{\"x\":\"";
    for (std::size_t i = 0; i < size; ++i) text += "é";
    const std::string lines = shown(text + "\"," + "@nil" + text, Redaction::off);
    CHECK(lines.find("�") == std::string::npos);
    CHECK(characters(lines.substr(0, lines.find("nil"))) == lines.find('^') - lines.find('\n') - 1);
  }
}

TEST_CASE("the caret is under its place after characters that are wider than one cell, or that have none of their own") {
  const auto place = [](std::string_view name) {
    const std::string lines = shown("{\"" + std::string(name) + "\":1,\"x\":@nil}");
    return lines.find('^') - lines.find('\n') - 1;
  };
  CHECK(place("ab") == 12);
  CHECK(place("é") == 11);
  CHECK(place("e\u0301") == 11);
  CHECK(place("日") == 12);
  CHECK(place("🛒") == 12);
  CHECK(place("\u200B") == 11);  // hidden: a replacement character is shown
}

TEST_CASE("no line is wider than the width, and the caret is under its place at every width") {
  const std::string payload =
      R"({"event":"initial_transaction_update","eventType":42,"customer":{"id":"m","externalId":"é"},"more":1})";
  const auto findings = diagnose(payload);
  for (std::size_t width = 20; width <= 130; ++width) {
    const std::string all = explain(findings, payload, width, Redaction::off);
    for (std::size_t at = 0; at < all.size(); at = all.find('\n', at) + 1)
      REQUIRE(characters(std::string_view(all).substr(at, all.find('\n', at) - at)) <= width);
    const std::size_t caret = all.find("^\n"), line = all.find("  1 | "), below = all.find('\n', line) + 1;
    CHECK(characters(all.substr(below, caret - below)) == characters(all.substr(line, all.find("42,", line) - line)));
  }
}

TEST_CASE("a place after the last byte is shown after it") {
  CHECK(shown("{\"x\":1@") == "{\"x\":·\n      ^\n");
  CHECK(shown("@") == "\n^\n");
  CHECK(shown("{\n@") == "\n^\n");
}

TEST_CASE("a finding of another payload is explained without harm") {
  const Finding finding{.section = "1", .offset = 1000, .line = 9, .column = 9};
  CHECK(explain(finding, "{}").find("line 9, column 9") != std::string::npos);
}

TEST_CASE("every shared payload is explained, with as many carets as findings") {
  for (const auto& fault : faults()) {
    CAPTURE(fault.name);
    const auto findings = diagnose(fault.text);
    const std::string text = explain(findings, fault.text);
    CHECK(static_cast<std::size_t>(std::ranges::count(text, '^')) == findings.size());
  }
}

}  // namespace events_explain_test
