// SPDX-License-Identifier: MIT
// 2.4, Note: `placeId` stands for a name that the user gives; here it is mapPlaceId, wherever a name is read or written.
#include <bankhook_catch.hpp>

#include <bankhook/bankhook.hpp>
#include <bankhook/columns.hpp>
#include <bankhook/sandbox.hpp>
#include <bankhook/schema.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

using namespace bankhook;

namespace {

constexpr std::string_view in_order =
    R"({"event":"initial_transaction_update","eventType":"created","customer":{"id":"m-1","externalId":"c-1"},)"
    R"("initialTransaction":{"id":"t-1","amount":19.90,"storeExternalId":null,"mapPlaceId":"p-1","storeName":"Shop",)"
    R"("status":"created","rejectionReason":null,"transactionDate":"2026-05-03","transactionId":null,)"
    R"("date":"2026-05-03T10:15:30Z"}})";

std::string changed(std::string_view from, std::string_view to) {
  std::string payload(in_order);
  const std::size_t at = payload.find(from);
  REQUIRE(at != payload.npos);
  return payload.replace(at, from.size(), to);
}

/// The place id that is read from a payload.
std::string place_id_in(std::string_view payload) {
  Arena arena;
  const auto update = parse_as<InitialTransactionUpdate>(payload, arena);
  if (!update) return "not read";
  return std::string(update->initial_transaction.place_id.value_or("absent"));
}

/// The rules that a payload breaks, with the paths.
std::vector<std::string> broken(std::string_view payload) {
  std::vector<std::string> found;
  for (const Finding& finding : diagnose(payload))
    found.push_back(std::string(to_string(finding.rule)) + " " + finding.path);
  return found;
}

using Broken = std::vector<std::string>;

}  // namespace

TEST_CASE("2.4: the field has the name that was given, at its place in the table") {
  STATIC_REQUIRE(detail::reflect::wire_names<InitialTransaction>[3] == "mapPlaceId");
}

TEST_CASE("2.4: the given name is read in the order of the table, in another one, indented and with escapes") {
  CHECK(place_id_in(in_order) == "p-1");
  CHECK(broken(in_order).empty());
  const std::string moved = changed(R"("mapPlaceId":"p-1",)", "");
  CHECK(place_id_in(std::string(moved).insert(moved.find(R"("id":"t-1")"), R"("mapPlaceId":"p-3",)")) == "p-3");
  CHECK(place_id_in(std::string(moved).insert(moved.find(R"(}})"), R"(,"mapPlaceId":"p-4")")) == "p-4");
  CHECK(place_id_in(changed(R"(,"mapPlaceId":"p-1")", ",\n  \"mapPlaceId\" : \"p-5\"")) == "p-5");
  CHECK(place_id_in(changed("mapPlaceId", R"(map\u0050laceId)")) == "p-1");
}

TEST_CASE("2.4: once a name is given, the stand-in is like any other unlisted field") {
  CHECK(place_id_in(changed("mapPlaceId", "placeId")) == "absent");
  CHECK(broken(changed("mapPlaceId", "placeId")) ==
        Broken{"fields_are_listed $.initialTransaction.placeId",
               "place_id_exactly_without_store_external_id $.initialTransaction.mapPlaceId"});
  const std::string both = changed(R"("mapPlaceId":"p-1")", R"("placeId":"other","mapPlaceId":"p-1")");
  CHECK(place_id_in(both) == "p-1");
  CHECK(broken(both) == Broken{"fields_are_listed $.initialTransaction.placeId"});
}

TEST_CASE("2.4: the given name twice is an error that names it") {
  const std::string twice = changed(R"("storeName":"Shop")", R"("mapPlaceId":"p-2","storeName":"Shop")");
  Arena arena;
  const auto event = parse(twice, arena);
  REQUIRE_FALSE(event.has_value());
  CHECK(event.error().code == Errc::repeated_field);
  CHECK(broken(twice) == Broken{"field_names_are_unique $.initialTransaction.mapPlaceId"});
}

TEST_CASE("2.4: findings name the field as the payload does") {
  CHECK(broken(changed(R"("p-1")", "5")) == Broken{"fields_have_their_type $.initialTransaction.mapPlaceId"});
  const std::string null = changed(R"("p-1")", "null");
  CHECK(broken(null).front() == "null_is_not_absent $.initialTransaction.mapPlaceId");
  CHECK(explain(diagnose(null), null).find(R"("mapPlaceId":null)") != std::string::npos);
}

TEST_CASE("6.3: with its name given, what the specification says about the field's presence is stated") {
  STATIC_REQUIRE(rule_of(RuleId::place_id_exactly_without_store_external_id).evidence == Evidence::stated);
  Arena arena;
  const std::string without = changed(R"("mapPlaceId":"p-1",)", "");
  const auto event = parse(without, arena);
  REQUIRE(event.has_value());
  const Findings findings = check(*event);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].evidence == Evidence::stated);
  CHECK(findings[0].finding().path == "$.initialTransaction.mapPlaceId");
}

TEST_CASE("2.4: the given name is read and written") {
  Arena arena;
  const auto event = parse_as<InitialTransactionUpdate>(
      R"({"event":"initial_transaction_update","eventType":"created","customer":{"id":"m-1","externalId":"c-1"},)"
      R"("initialTransaction":{"id":"t-1","amount":19.90,"storeExternalId":null,"mapPlaceId":"p-1","storeName":"Shop",)"
      R"("status":"created","rejectionReason":null,"transactionDate":"2026-05-03","transactionId":null,)"
      R"("date":"2026-05-03T10:15:30Z"}})",
      arena);
  REQUIRE(event.has_value());
  CHECK(event->initial_transaction.place_id == std::string_view("p-1"));
  CHECK(serialize(*event) == in_order);
}

TEST_CASE("2.4: schema and AsyncAPI document have the given name and not the stand-in") {
  for (const std::string& schema : {json_schema<InitialTransactionUpdate>(), asyncapi()}) {
    CHECK(schema.find(R"("mapPlaceId":{)") != schema.npos);
    CHECK(schema.find(R"("required":["mapPlaceId","storeName"])") != schema.npos);
    CHECK(schema.find("placeId") == schema.npos);
  }
}

TEST_CASE("2.4: a change that a tracker reports has the given name") {
  Arena arena;
  Tracker tracker;
  std::string validated = changed("p-1", "p-2");
  for (std::size_t at; (at = validated.find("\"created\"")) != validated.npos;) validated.replace(at, 9, "\"validated\"");
  const auto first = parse(in_order, arena);
  const auto second = parse(validated, arena);
  REQUIRE((first && second));
  static_cast<void>(tracker.apply(*first));
  const auto outcome = tracker.peek(*second);
  CHECK(std::ranges::any_of(outcome.changes, [](const auto& change) { return change.field == "mapPlaceId"; }));
}

TEST_CASE("2.4: what a sandbox sends has the given name and no finding") {
  Sandbox sandbox(7);
  Arena arena;
  int with_place = 0;
  for (const Delivery& delivery : sandbox.deliveries(400)) {
    CHECK(is_clean(delivery.payload, arena));
    CHECK(delivery.payload.find("\"placeId\"") == delivery.payload.npos);
    with_place += delivery.payload.find("\"mapPlaceId\"") != delivery.payload.npos;
  }
  CHECK(with_place > 0);
}
