// SPDX-License-Identifier: MIT
// What is done to payloads, and the labels of it: held against an oracle, byte by byte.
#include <bankhook_catch.hpp>

#include <sandbox/byte_oracle.hpp>
#include <sandbox/token_at.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/rules/check.hpp>
#include <bankhook/events/rules/diagnose.hpp>
#include <bankhook/events/serialize.hpp>
#include <bankhook/sandbox/delivery.hpp>
#include <bankhook/sandbox/faulty_channel.hpp>
#include <bankhook/sandbox/sandbox.hpp>
#include <bankhook/sandbox/service.hpp>
#include <bankhook/sandbox/world.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sandbox_mutation_test {

using namespace bankhook;
using namespace bankhook::detail::sandbox;
using bankhook::test::predict;
using bankhook::test::Prediction;
using bankhook::test::TextKind;
using bankhook::test::Token;
using bankhook::test::token_at;

namespace {

using Counts = std::map<std::string, int, std::less<>>;

constexpr char replacement_bytes[] = "\0\x1f \n\"\\/{}[]:,.-+0159eEuntzAZ_\x7f\x80\xbf\xc3\xe9\xf4\xff";
constexpr std::string_view replacements(replacement_bytes, sizeof replacement_bytes - 1);

Detectable label_of(std::string_view payload) {
  Arena arena;
  return noticed(payload, bankhook::detail::parse_and_note(payload, arena));
}

/// Whether the label is, or comes before, what is predicted: another part of the same damage may be reported first.
bool fits(const Prediction& prediction, const Detectable& label, std::string_view payload) {
  if (!prediction.rule) return true;
  if (label.detected_by != DetectedBy::rule) return false;
  if (prediction.is_met_by(label.rule)) return true;
  const std::vector<Finding> findings = diagnose(payload);
  return std::ranges::any_of(findings, [&](const Finding& finding) { return prediction.is_met_by(finding.rule); });
}

/// Replaces every byte of the payload by some of the replacements in turn; how often each rule was predicted.
void replace_all(const AnyEvent& event, Counts& predicted) {
  static std::size_t turn = 0;
  const std::string original = serialize(event);
  for (std::size_t offset = 0; offset < original.size(); ++offset) {
    for (int i = 0; i < 4; ++i) {
      const char replacement = replacements[turn++ % replacements.size()];
      if (replacement == original[offset]) continue;
      std::string payload = original;
      payload[offset] = replacement;
      const Prediction prediction =
          std::visit([&](const auto& known) { return predict(known, original, payload, offset); }, event);
      const Detectable label = label_of(payload);
      CAPTURE(original, offset, replacement, to_string(label));
      if (!fits(prediction, label, payload)) FAIL("what was predicted is not the label");
      ++predicted[prediction.rule ? std::string(name_of(*prediction.rule)) : "nothing"];
    }
  }
}

void check_counts(const Counts& counts, int more_than, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const auto found = counts.find(name);
    CAPTURE(name);
    CHECK((found != counts.end() && found->second > more_than));
  }
}

}  // namespace

TEST_CASE("a replaced byte is labelled as the oracle predicts, wherever it lies") {
  Service service(9, {.members = 3, .connections = 2, .accounts = 1});
  Counts predicted;
  for (int i = 0; i < 60; ++i) {
    const OutgoingEvent outgoing = service.next();
    if (i % 4 == 0) replace_all(outgoing.event, predicted);
  }
  check_counts(predicted, 10,
               {"nothing", "payload_is_json_object", "text_is_utf8", "required_fields_are_present",
                "payload_fields_are_present", "fields_are_listed", "fields_have_their_form", "days_and_times_exist",
                "date_can_be_read", "event_is_listed", "values_are_listed", "connection_is_among_those_of_the_customer"});
}

TEST_CASE("the replaced bytes of a stream are labelled as the oracle predicts, whatever the seed") {
  Counts predicted;
  Arena arena;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Sandbox box(seed, {.members = 20, .faults = {.mutate = 1}});
    for (const Delivery& delivery : box.deliveries(1'000)) {
      arena.reset();
      const auto event = parse(delivery.original, arena);
      REQUIRE(event);
      const std::size_t offset = delivery.fault->offset;
      const Prediction prediction = std::visit(
          [&](const auto& known) { return predict(known, delivery.original, delivery.payload, offset); }, *event);
      CAPTURE(seed, delivery.payload, offset);
      REQUIRE(fits(prediction, delivery.fault->detectable, delivery.payload));
      ++predicted[prediction.rule ? std::string(name_of(*prediction.rule)) : "nothing"];
    }
  }
  check_counts(predicted, 20, {"nothing", "payload_is_json_object", "text_is_utf8", "required_fields_are_present"});
}

TEST_CASE("a cut payload is never an event, wherever it is cut") {
  Service service(9, {});
  Random random(1);
  Arena arena;
  for (int i = 0; i < 2'000; ++i) {
    std::string payload = serialize(service.next().event);
    Fault fault;
    truncate(random, payload, fault);
    arena.reset();
    REQUIRE(fault.offset == payload.size());
    REQUIRE_FALSE(parse(payload, arena));
    const Detectable label = label_of(payload);
    REQUIRE(label.detected_by == DetectedBy::rule);
    REQUIRE((label.rule == RuleId::payload_is_json_object || label.rule == RuleId::text_is_utf8));
  }
}

TEST_CASE("an event from the future parses, and its label is what is not listed") {
  Service service(9, {});
  Random random(1);
  Arena arena;
  Counts met;
  for (int i = 0; i < 6'000; ++i) {
    const OutgoingEvent outgoing = service.next();
    std::string payload = serialize(outgoing.event);
    Fault fault;
    from_future(outgoing.event, random, payload, fault);
    arena.reset();
    const auto event = parse(payload, arena);
    REQUIRE(event);
    const Detectable label = label_of(payload);
    REQUIRE(label.detected_by == DetectedBy::rule);
    const bool in_event = label.rule == RuleId::event_is_listed || label.rule == RuleId::values_are_listed;
    REQUIRE(check(*event).contains(label.rule) == in_event);
    REQUIRE((in_event || label.rule == RuleId::fields_are_listed || label.rule == RuleId::customer_has_only_ids));
    if (!in_event) REQUIRE(serialize(*event) == serialize(outgoing.event));
    ++met[std::string(fault.what) + ": " + std::string(fault.field)];
  }
  CHECK(met.size() == 5);
  for (const auto& [what, count] : met) {
    CAPTURE(what);
    CHECK(count > 50);
  }
}

TEST_CASE("the oracle knows by the structs what stands at a byte") {
  const std::string_view json =
      R"({"event":"initial_transaction_update","eventType":"created","customer":{"id":"a\"b","externalId":"c"},)"
      R"("initialTransaction":{"id":"t","amount":1.5,"storeExternalId":null,"placeId":"p","storeName":"s","status":)"
      R"("created","rejectionReason":null,"transactionDate":"2026-01-02","transactionId":null,"date":"2026-01-02T00:00:00Z"}})";
  const auto at = [&](std::string_view text) { return token_at<InitialTransactionUpdate>(json, json.find(text)); };
  CHECK(at("{").token == Token::punctuation);
  CHECK(at("event").token == Token::name);
  CHECK(at("event").absence == RuleId::payload_fields_are_present);
  CHECK(at("amount").absence == RuleId::required_fields_are_present);
  CHECK(at("placeId").absence == std::nullopt);
  CHECK(at("initial_").kind == TextKind::event_name);
  CHECK(at("created").kind == TextKind::listed_value);
  CHECK(at("a\\\"b").kind == TextKind::free);
  CHECK(at("a\\\"b").in_escape == false);
  CHECK(at("\\\"b").in_escape);
  CHECK(at("1.5").token == Token::number);
  CHECK(at("null").token == Token::null);
  CHECK(at("2026-01-02\"").kind == TextKind::date);
  CHECK(at("2026-01-02T").kind == TextKind::timestamp);
  CHECK(at("}}").token == Token::punctuation);
}

}  // namespace sandbox_mutation_test
