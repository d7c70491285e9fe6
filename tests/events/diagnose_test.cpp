// SPDX-License-Identifier: MIT
// `diagnose` never stops at the first fault: what each kind of fault hides, and what it does not.
#include <bankhook_catch.hpp>

#include <bankhook/events/rules/diagnose.hpp>

#include <events/diagnosed.hpp>
#include <events/samples.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace events_diagnose_test {

using namespace bankhook;
using namespace bankhook::test;

namespace {

bool is_an_error(const Rule& rule) { return rule.severity == Severity::error; }

/// A sample in which one text, which is there once, was exchanged.
std::string changed(std::string_view name, std::string_view from, std::string_view to) {
  std::string text = sample(name);
  REQUIRE(text.find(from) != std::string::npos);
  REQUIRE(text.find(from) == text.rfind(from));
  return text.replace(text.find(from), from.size(), to);
}

/// `rule path`, one a finding.
std::vector<std::string> found_in(std::string_view payload) {
  std::vector<std::string> all;
  for (const Finding& finding : diagnose(payload)) all.push_back(std::string(to_string(finding.rule)) + " " + finding.path);
  return all;
}

using All = std::vector<std::string>;
const std::string in_id = "\"id\":\"it-0001\"";
const std::string quoted_day = "\"2026-05-03\"";

/// The sample with `to` for `from`, and a day further after that does not exist.
All found_with_a_wrong_day(std::string_view from, std::string_view to) {
  std::string text = changed("transaction_created", from, to);
  return found_in(text.replace(text.find(quoted_day), quoted_day.size(), "\"2026-02-30\""));
}

const std::string wrong_day = "days_and_times_exist $.initialTransaction.transactionDate";

}  // namespace

TEST_CASE("a payload that keeps every rule has no findings") {
  for (const char* name : {"connection_created", "connection_deleted", "formatted", "reordered", "reordered_transaction",
                           "transaction_validated", "transaction_rejected_purchase_not_found", "escaped_names_and_text"}) {
    CAPTURE(name);
    CHECK(found_in(sample(name)) == All{});
  }
}

TEST_CASE("a field of the wrong type hides none after it") {
  CHECK(found_with_a_wrong_day(in_id, "\"id\":[{\"a\":1}]") ==
        All{"fields_have_their_type $.initialTransaction.id", wrong_day});
}

TEST_CASE("a missing comma or colon, a doubled comma and one at the end are findings, and nothing else is") {
  const std::string here = "payload_is_json_object $.initialTransaction";
  CHECK(found_with_a_wrong_day("\"it-0001\",", "\"it-0001\"") == All{here, wrong_day});
  CHECK(found_with_a_wrong_day("\"amount\":", "\"amount\"") == All{here, wrong_day});
  CHECK(found_with_a_wrong_day("\"amount\":", "\"amount\"=") == All{here, wrong_day});
  CHECK(found_with_a_wrong_day("\"it-0001\",", "\"it-0001\",,") == All{here, wrong_day});
  CHECK(found_in(changed("transaction_created", "000Z\"}}", "000Z\",}}")) == All{here});
}

TEST_CASE("each missing comma of an object is a finding") {
  CHECK(found_in(R"({"event":"x" "y":1 "z":2})") ==
        All{"event_is_listed $.event", "payload_is_json_object $", "payload_is_json_object $"});
}

TEST_CASE("a stray token is one finding, and the field after it is checked") {
  CHECK(found_with_a_wrong_day("\"it-0001\",", "\"it-0001\" x y \"z\" 1,") ==
        All{"payload_is_json_object $.initialTransaction", wrong_day});
  CHECK(found_with_a_wrong_day("\"it-0001\",", "\"it-0001\",x,") ==
        All{"payload_is_json_object $.initialTransaction", wrong_day});
  CHECK(found_in(R"({"event":"initial_transaction_update" x "eventType":7})") ==
        All{"payload_is_json_object $", "fields_have_their_type $.eventType"});
}

TEST_CASE("a value that is no JSON is one finding at its field") {
  for (const char* word : {"nil", "'it'", "None", "+1", "NaN", "Infinity", ".5", "undefined", ""}) {
    CAPTURE(word);
    CHECK(found_with_a_wrong_day("\"it-0001\"", word) == All{"payload_is_json_object $.initialTransaction.id", wrong_day});
    CHECK(found_with_a_wrong_day("19.90", word) == All{"payload_is_json_object $.initialTransaction.amount", wrong_day});
  }
}

TEST_CASE("every bad escape and ill-formed character of a text is a finding") {
  CHECK(found_with_a_wrong_day("it-0001", "\\q \\ud800 \xFF\x80 \xC3") ==
        All{"payload_is_json_object $.initialTransaction.id", "text_is_utf8 $.initialTransaction.id",
            "text_is_utf8 $.initialTransaction.id", "text_is_utf8 $.initialTransaction.id", wrong_day});
}

TEST_CASE("a text that is not closed ends with its line") {
  std::string text = sample("formatted");
  const std::size_t at = text.find("\",\n", text.find("\"bank\""));
  REQUIRE(at != std::string::npos);
  CHECK(found_in(text.erase(at, 2)) ==
        All{"payload_is_json_object $.customer.connections[0].bank", "payload_is_json_object $.customer.connections[0]"});
}

TEST_CASE("a text that is not closed ends with its line, whatever ends it and with a backslash before, too") {
  const All expected{"payload_is_json_object $.initialTransaction.id", "payload_is_json_object $.initialTransaction",
                     wrong_day};
  for (const std::string_view end : {"\n", "\r", "\\\n", "\\\r"}) {
    CAPTURE(end);
    CHECK(found_with_a_wrong_day("it-0001\",", "it-0001" + std::string(end)) == expected);
  }
}

TEST_CASE("a payload that ends where a colon is missing ends outside of the field, which is not looked up") {
  CHECK(found_in(R"({"event":"initial_transaction_update","more";)") ==
        All{"payload_is_json_object $", "payload_is_json_object $"});
}

TEST_CASE("a connection without an id is not among others") {
  CHECK(found_in(
            changed("connection_updated_with_accounts", R"("connection":{"id":"conn-0001")", R"("connection":{"id":"")")) ==
        All{"connection_is_among_those_of_the_customer $.customer.connections"});
}

TEST_CASE("an end of line inside of a text is a finding, and the text goes on") {
  CHECK(found_with_a_wrong_day("it-0001", "it\n0001") == All{"payload_is_json_object $.initialTransaction.id", wrong_day});
}

TEST_CASE("a bracket of the wrong kind closes what is around, and nothing is called missing") {
  const std::string text = R"({"event":"x","a":[1,2},"b":{"c":[3}],"d":4})";
  CHECK(found_in(text) == All{"event_is_listed $.event", "payload_is_json_object $.a", "payload_is_json_object $"});
  CHECK(found_in(R"({"event":"initial_transaction_update"]})") == All{"payload_is_json_object $"});
}

TEST_CASE("a text that ends is one finding, and what could have followed is not missing") {
  for (const char* name : {"transaction_created", "connection_updated_with_accounts"}) {
    const std::string& text = sample(name);
    for (std::size_t size = 60; size < text.size(); ++size) {
      CAPTURE(name, size);
      CHECK(found_in(text.substr(0, size)).size() == 1);
    }
  }
}

TEST_CASE("text before the payload that is no JSON is one finding, and the payload is checked") {
  CHECK(found_in("// x\n" + changed("transaction_created", "19.90", "true")) ==
        All{"payload_is_json_object $", "fields_have_their_type $.initialTransaction.amount"});
}

TEST_CASE("text after the payload is one finding") {
  CHECK(found_in(sample("transaction_created") + "{} x ]") == All{"payload_is_json_object $"});
}

TEST_CASE("every missing field is a finding with its own path") {
  CHECK(found_in(R"({"event":"initial_transaction_update","customer":{}})") ==
        All{"required_fields_are_present $.customer.id", "required_fields_are_present $.customer.externalId",
            "payload_fields_are_present $.eventType", "payload_fields_are_present $.initialTransaction"});
}

TEST_CASE("an unlisted, a repeated and a listed field are distinguished") {
  CHECK(found_in(changed("transaction_created", in_id, in_id + ",\"id\":1,\"x-y\":2,\"x-y\":3")) ==
        All{"field_names_are_unique $.initialTransaction.id", "fields_are_listed $.initialTransaction['x-y']",
            "fields_are_listed $.initialTransaction['x-y']"});
}

TEST_CASE("a rule is checked where its fields were read well, whatever else is broken") {
  std::string text = changed("transaction_created", "\"status\":\"created\"", "\"status\":\"validated\"");
  CHECK(found_in(text) == All{"status_equals_event_type $.initialTransaction.status"});
  text.replace(text.find("19.90"), 5, "\"x\"");
  CHECK(found_in(text + "}") == All{"fields_have_their_type $.initialTransaction.amount",
                                    "status_equals_event_type $.initialTransaction.status", "payload_is_json_object $"});
}

TEST_CASE("a rule is not checked if one of its fields was not read") {
  CHECK(found_in(changed("transaction_created", "\"status\":\"created\"", "\"status\":7")) ==
        All{"fields_have_their_type $.initialTransaction.status"});
}

TEST_CASE("a rule about fields of an element is not checked with those of the one before") {
  const All found = found_in(R"({"event":"bank_connections_update_v2","customer":{"connections":[)"
                             R"({},{"errorCode":null,"errorMessage":null},{"errorCode":"E1"}]}})");
  CHECK(std::ranges::count(found, "error_code_and_message_agree $.customer.connections[2].errorMessage") == 0);
  CHECK(std::ranges::count(found, "required_fields_are_present $.customer.connections[2].errorMessage") == 1);
}

TEST_CASE("of an event that is not listed the syntax is checked, and its name") {
  CHECK(found_in(R"({"event":"x","y":[1,{"a":tru}],"y":2})") ==
        All{"event_is_listed $.event", "payload_is_json_object $.y[1].a"});
}

TEST_CASE("the event may be named last, and its payload is checked by its tables") {
  std::string text = sample("transaction_created");
  const std::string name = "\"event\":\"initial_transaction_update\"";
  text.erase(text.find(name), name.size() + 1);
  text.replace(text.find("19.90"), 5, "null").insert(text.size() - 1, "," + name);
  CHECK(found_in(text) == All{"fields_have_their_type $.initialTransaction.amount"});
}

TEST_CASE("a byte order mark is read over; offsets count it, columns and excerpts do not") {
  const std::string mark = "\xEF\xBB\xBF", payload = changed("transaction_created", "19.90", "true");
  auto marked = diagnose(mark + payload);
  REQUIRE(marked.size() == 1);
  CHECK(explain(marked, mark + payload) == explain(diagnose(payload), payload));
  *marked[0].offset -= mark.size();
  CHECK(marked == diagnose(payload));
  CHECK(diagnose(mark + sample("transaction_created")).empty());
}

TEST_CASE("a byte order mark anywhere else is a finding that says so, and the payload after it is checked") {
  const std::string mark = "\xEF\xBB\xBF", payload = changed("transaction_created", "19.90", "true");
  for (const std::string& before : {mark + mark, " " + mark, std::string("\xFF\xFE"), std::string("\xFE\xFF")}) {
    CHECK(found_in(before + payload) ==
          All{"payload_is_json_object $", "fields_have_their_type $.initialTransaction.amount"});
    CHECK(diagnose(before + payload).front().found.starts_with("a byte order mark"));
  }
  CHECK(diagnose(mark).front().found == "the end of the text");
  CHECK(diagnose(changed("transaction_created", "19.90", mark + "19.90")).front().found == "a byte order mark");
  CHECK(diagnose(sample("transaction_created") + mark).front().found == "more text");
}

TEST_CASE(
    "2.2, 2.4: a day or time of the right form that does not exist breaks a rule that is assumed, not the stated one") {
  const auto only_finding = [](const char* sample_name, std::string_view from, std::string_view to) {
    const auto findings = diagnose(changed(sample_name, from, to));
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].severity == Severity::error);
    return std::string(to_string(findings[0].rule)) + " " + std::string(name_of(findings[0].evidence));
  };
  for (const char* const day : {"2023-02-29", "2026-02-30", "2026-13-01", "2026-00-10", "2026-01-00", "0000-01-01"}) {
    CAPTURE(day);
    CHECK(only_finding("transaction_created", "2026-05-03", day) == "days_and_times_exist assumed");
    CHECK(only_finding("transaction_created", "2026-05-04T", std::string(day) + "T") == "days_and_times_exist assumed");
  }
  for (const char* const day : {"2026-5-3", "03-05-2026", "2026-05-03Z", "20260503", ""}) {
    CAPTURE(day);
    CHECK(only_finding("transaction_created", "2026-05-03", day) == "fields_have_their_form stated");
    CHECK(only_finding("transaction_created", "2026-05-04T", std::string(day) + "T") == "date_can_be_read assumed");
  }
  for (const char* const time : {"24:00:00.0000", "10:60:00.0000", "10:15:60.0000", "99:99:99.9"}) {
    CAPTURE(time);
    std::string text = sample("connection_created");
    text.replace(text.find("09:30:00.0000"), 13, time);
    CHECK(found_in(text) == All{"days_and_times_exist $.customer.connections[0].consentExpiresAt"});
  }
}

TEST_CASE("2.2: other than four fraction digits are a finding, a warning where they are read") {
  const auto found = [](const std::string& time) {
    std::string text = sample("connection_created");
    return found_in(text.replace(text.find("09:30:00.0000"), 13, time));
  };
  const std::string path = " $.customer.connections[0].consentExpiresAt";
  CHECK(found("09:30:00.9999").empty());
  for (const std::size_t digits : {1U, 2U, 3U, 5U, 6U, 7U, 8U, 9U})
    CHECK(found("09:30:00." + std::string(digits, '7')) == All{"consent_has_four_fraction_digits" + path});
  for (const std::size_t digits : {10U, 11U, 30U, 300U})
    CHECK(found("09:30:00." + std::string(digits, '7')) == All{"consent_can_be_read" + path});
  for (const char* const other_form :
       {"09:30:00", "09:30:00.", "09:30:00,0000", "09:30:00.0000Z", "09:30:00.00 0", "09:30", "09:30:00 0000"})
    CHECK(found(other_form) == All{"fields_have_their_form" + path});
}

TEST_CASE("a finding has the section of the table that lists its field") {
  const auto section_of = [](std::string_view from, std::string_view to) {
    return std::string(diagnose(changed("transaction_created", from, to)).at(0).section);
  };
  CHECK(section_of("19.90", "[]") == "2.4");
  CHECK(section_of("\"member-0001\"", "1") == "2.1");
  CHECK(section_of("\"eventType\":\"created\"", "\"eventType\":{}") == "6.3");
}

TEST_CASE("a payload is checked against the rules that a function picks") {
  const std::string_view payload = R"({"event":"initial_transaction_update","eventType":7,"unlisted":1})";
  const std::size_t all = diagnose(payload).size();
  const auto of_types = diagnose(payload, [](const Rule& rule) { return rule.rule == RuleId::fields_have_their_type; });
  CHECK_FALSE(of_types.empty());
  CHECK(of_types.size() < all);
  CHECK(std::ranges::all_of(of_types, [](const Finding& one) { return one.rule == RuleId::fields_have_their_type; }));
  CHECK(diagnose(payload, [](const Rule&) { return false; }).empty());
  CHECK(diagnose(payload, is_an_error).size() ==
        static_cast<std::size_t>(std::ranges::count(diagnose(payload), Severity::error, &Finding::severity)));
}

}  // namespace events_diagnose_test
