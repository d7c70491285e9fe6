// SPDX-License-Identifier: MIT
// The labels of replaced bytes and cuts: what is said to be noticed is noticed, place by place.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/rules/check.hpp>
#include <bankhook/sandbox/mutation.hpp>
#include <bankhook/sandbox/sandbox.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <variant>

using namespace bankhook;
using namespace bankhook::sandbox;

namespace {

constexpr char replacement_bytes[] = "\0\x1f \n\"\\/{}[]:,.-+0159eEuntzAZ_\x7f\x80\xbf\xc3\xe9\xf4\xff";
constexpr std::string_view replacements(replacement_bytes, sizeof replacement_bytes - 1);

/// Whether `payload` shows what `damage` promises: it does not parse, or `check` finds the rule.
bool shows(std::string_view payload, const Mutation& damage, Arena& arena) {
  arena.reset();
  const auto event = parse(payload, arena);
  const RuleId rule = damage.detectable.rule;
  switch (damage.effect) {
    case Effect::ignored:
      return !event || (rule == RuleId::event_is_listed && std::get_if<UnknownEvent>(&*event) != nullptr);
    case Effect::altered:
      return !damage.detectable || rule == RuleId::fields_are_listed || (event && check(*event).contains(rule));
    case Effect::none: return false;
  }
  return false;
}

/// Replaces every byte of the payload by each of the replacements; how often each rule was promised.
void replace_all(const OutgoingEvent& outgoing, std::map<std::string, int, std::less<>>& promised) {
  Arena arena;
  std::visit(
      [&]<class T>(const T& event) {
        const std::string clean = serialize(event);
        for (std::size_t offset = 0; offset < clean.size(); ++offset) {
          const Spot spot = spot_at<T>(clean, offset);
          const bool is_subject = spot.is_connection_id && names_subject(event, clean, spot);
          for (const char replacement : replacements) {
            if (replacement == clean[offset]) continue;
            std::string touched = clean;
            touched[offset] = replacement;
            const Mutation damage = damage_of(touched, spot, offset, is_subject);
            CAPTURE(clean, offset, replacement, damage.what);
            if (!shows(touched, damage, arena)) FAIL("what was promised does not show");
            ++promised[std::string(to_string(damage.detectable))];
          }
        }
      },
      outgoing.event);
}

}  // namespace

TEST_CASE("a replaced byte shows what its label says, wherever it lies", "[slow]") {
  Service service(9, {.members = 3, .connections = 2, .accounts = 1});
  std::map<std::string, int, std::less<>> promised;
  for (int i = 0; i < 60; ++i) {
    const OutgoingEvent outgoing = service.next();
    if (i % 4 == 0) replace_all(outgoing, promised);
  }
  for (const char* rule : {"nothing", "payload_is_json_object", "text_is_utf8", "required_fields_are_present",
                           "payload_fields_are_present", "fields_are_listed", "fields_have_their_form", "date_can_be_read",
                           "event_is_listed", "values_are_listed", "connection_is_among_those_of_the_customer"}) {
    CAPTURE(rule);
    CHECK(promised[rule] > 50);
  }
}

TEST_CASE("a cut payload is never an event, wherever it is cut") {
  Service service(9, {});
  Random random(1);
  Arena arena;
  for (int i = 0; i < 2'000; ++i) {
    std::string payload = serialize(service.next().event);
    const Mutation damage = truncate(random, payload);
    arena.reset();
    REQUIRE(damage.detectable == breaks(RuleId::payload_is_json_object));
    REQUIRE(damage.offset == payload.size());
    REQUIRE_FALSE(parse(payload, arena));
  }
}

TEST_CASE("an event from the future parses, and shows what is not listed") {
  Service service(9, {});
  Random random(1);
  Arena arena;
  std::map<std::string, int, std::less<>> met;
  for (int i = 0; i < 4'000; ++i) {
    const OutgoingEvent outgoing = service.next();
    std::string payload = serialize(outgoing.event);
    const Mutation damage = from_future(outgoing, random, payload);
    arena.reset();
    const auto event = parse(payload, arena);
    REQUIRE(event);
    const RuleId rule = damage.detectable.rule;
    const bool in_event = rule == RuleId::event_is_listed || rule == RuleId::values_are_listed;
    REQUIRE(check(*event).contains(rule) == in_event);
    if (damage.effect == Effect::none) REQUIRE(serialize(*event) == serialize(outgoing.event));
    ++met[std::string(damage.what) + ": " + std::string(damage.field)];
  }
  CHECK(met.size() == 5);
  for (const auto& [what, count] : met) {
    CAPTURE(what);
    CHECK(count > 50);
  }
}

TEST_CASE("what stands at a byte is told by the structs") {
  const std::string_view json =
      R"({"event":"initial_transaction_update","eventType":"created","customer":{"id":"a\"b","externalId":"c"},)"
      R"("initialTransaction":{"id":"t","amount":1.5,"storeExternalId":null,"placeId":"p","storeName":"s","status":)"
      R"("created","rejectionReason":null,"transactionDate":"2026-01-02","transactionId":null,"date":"2026-01-02T00:00:00Z"}})";
  const auto at = [&](std::string_view text) { return spot_at<InitialTransactionUpdate>(json, json.find(text)); };
  CHECK(at("{").token == Token::punctuation);
  CHECK(at("event").token == Token::name);
  CHECK(at("event").absence == RuleId::payload_fields_are_present);
  CHECK(at("amount").absence == RuleId::required_fields_are_present);
  CHECK(at("placeId").absence == std::nullopt);
  CHECK(at("placeId").field == "placeId");
  CHECK(at("1.5").field == "amount");
  CHECK(at("a\\\"b").field == "id");
  CHECK(at("initial_").meaning == Meaning::event_name);
  CHECK(at("created").meaning == Meaning::listed_value);
  CHECK(at("a\\\"b").meaning == Meaning::free);
  CHECK(at("a\\\"b").in_escape == false);
  CHECK(at("\\\"b").in_escape);
  CHECK(at("1.5").token == Token::number);
  CHECK(at("null").token == Token::null);
  CHECK(at("2026-01-02\"").meaning == Meaning::date);
  CHECK(at("2026-01-02T").meaning == Meaning::timestamp);
  CHECK(at("}}").token == Token::punctuation);
}
