// SPDX-License-Identifier: MIT
// How payloads are checked, field by field: wrong type or form, null, missing, repeated, for each row of each table.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/serialize.hpp>

#include <events/oracle.hpp>
#include <events/samples.hpp>
#include <json/show.hpp>

#include <cstddef>
#include <expected>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace events_oracle_test {

using namespace bankhook;
using namespace bankhook::test;

namespace {

const std::map<std::string_view, Errc> expected_of{
    {"string", Errc::expected_string}, {"count", Errc::expected_count},           {"decimal", Errc::expected_number},
    {"day", Errc::expected_date},      {"local", Errc::expected_local_timestamp}, {"instant", Errc::expected_timestamp}};

Errc expected_for(const Row& row) {
  if (row.type.ends_with("[]")) return Errc::expected_array;
  const auto found = expected_of.find(row.type);
  return found == expected_of.end() ? Errc::expected_object : found->second;
}

/// Whether a value that begins with this character could be one of the row's type.
bool fits(const Row& row, char first) {
  const Errc expected = expected_for(row);
  if (expected == Errc::expected_array) return first == '[';
  if (expected == Errc::expected_object) return first == '{';
  if (expected == Errc::expected_number || expected == Errc::expected_count) return first == '0';
  return first == '"';
}

using Change = std::function<void(const Row&, Json& object, std::size_t index, const std::function<std::string()>& text)>;

void walk(const Json& root, Json& object, std::string_view type, const Change& change) {
  if (type.ends_with("[]")) {
    for (Json& item : object.items) walk(root, item, type.substr(0, type.size() - 2), change);
    return;
  }
  for (const Row& row : table(type)) {
    for (std::size_t i = 0; i < object.fields.size(); ++i) {
      if (object.fields[i].name != row.field) continue;
      change(row, object, i, [&] { return write_json(root); });
      walk(root, object.fields[i].value, row.type, change);
    }
  }
}

/// Calls `change` for every listed field of every listed object of the canonical samples.
void for_each_field(const Change& change) {
  for (const Sample& sample : samples()) {
    if (!sample.canonical || table(sample.event).empty() || sample.text.size() > 2500) continue;
    Json json = *read_json(sample.text);
    walk(json, json, sample.event, change);
  }
}

std::expected<AnyEvent, Error> parsed(const std::string& payload) {
  static Arena arena;
  arena.reset();
  return parse(payload, arena);
}

Error error_of(const std::string& payload) {
  const auto event = parsed(payload);
  return event ? Error{} : event.error();
}

}  // namespace

TEST_CASE("a listed field of the wrong type is an error at its value") {
  int checked = 0;
  for_each_field([&](const Row& row, Json& object, std::size_t i, const auto& text) {
    const Json original = object.fields[i].value;
    for (const std::string_view wrong : {"true", "0", "\"a\"", "[]", "{}"}) {
      if (fits(row, wrong[0])) continue;
      object.fields[i].value = *read_json("[\"@\"]");
      std::string payload = text();
      const std::size_t offset = payload.find("[\"@\"]");
      payload.replace(offset, 5, wrong);
      CAPTURE(payload);
      CHECK(error_of(payload) ==
            Error{.code = expected_for(row), .or_null = row.or_null, .offset = offset, .field = row.field});
      ++checked;
    }
    object.fields[i].value = original;
  });
  CHECK(checked > 500);
}

TEST_CASE("null is a value where the table says so, absence where a field is optional, an error elsewhere") {
  for_each_field([&](const Row& row, Json& object, std::size_t i, const auto& text) {
    const Json original = object.fields[i].value;
    object.fields[i].value = Json{};
    const std::string with_null = text();
    object.fields[i].value = original;
    CAPTURE(with_null);
    const auto event = parsed(with_null);
    CHECK(event.has_value() == (row.or_null || row.optional));
    if (!event) CHECK(event.error().code == expected_for(row));
    if (!event) return;
    std::string without = with_null;
    const std::string field = ",\"" + std::string(row.field) + "\":null";
    if (row.optional) without.erase(without.find(field), field.size());
    CHECK(serialize(*event) == without);
  });
}

TEST_CASE("a required field that is missing is an error that names it, an optional one is absent") {
  for_each_field([&](const Row& row, Json& object, std::size_t i, const auto& text) {
    const std::vector<JsonMember> fields = object.fields;
    object.fields.erase(object.fields.begin() + static_cast<std::ptrdiff_t>(i));
    const std::string payload = text();
    object.fields = fields;
    CAPTURE(payload);
    const auto event = parsed(payload);
    CHECK(event.has_value() == row.optional);
    if (event) CHECK(serialize(*event) == payload);
    else CHECK((event.error().code == Errc::missing_field && event.error().field == row.field));
  });
}

TEST_CASE("a listed field that is repeated is an error, with its name escaped, too") {
  for_each_field([&](const Row& row, Json& object, std::size_t i, const auto& text) {
    object.fields.push_back({"@", object.fields[i].value});
    std::string payload = text();
    object.fields.pop_back();
    std::string escaped = "\"\\u00";
    escaped += "0123456789abcdef"[row.field[0] / 16];
    escaped += "0123456789abcdef"[row.field[0] % 16];
    escaped += std::string(row.field.substr(1)) + "\"";
    const std::size_t offset = payload.find("\"@\"");
    for (const std::string& name : {"\"" + std::string(row.field) + "\"", escaped}) {
      const std::string repeated = std::string(payload).replace(offset, 3, name);
      CAPTURE(repeated);
      CHECK(error_of(repeated) == Error{.code = Errc::repeated_field, .offset = offset, .field = row.field});
    }
  });
}

TEST_CASE("a value of the right type and the wrong form is an error after its quote, and so is one that does not exist") {
  const std::map<std::string_view, std::string_view> nonexistent{
      {"day", "2026-13-01"}, {"local", "2026-02-30 00:00:00.0000"}, {"instant", "2026-05-04T24:00:00Z"}};
  for_each_field([&](const Row& row, Json& object, std::size_t i, const auto& text) {
    if (!nonexistent.contains(row.type)) return;
    const Json original = object.fields[i].value;
    for (const std::string_view wrong :
         {"", "2026", "2026-13-01", "2026-02-30 00:00:00.0000", "2026-05-04T24:00:00Z", "now"}) {
      const Errc code = wrong == nonexistent.at(row.type) ? Errc::nonexistent_date_time : expected_for(row);
      object.fields[i].value = Json(Json::Kind::string, "@" + std::string(wrong));
      std::string payload = text();
      const std::size_t offset = payload.find('@');
      payload.erase(offset, 1);
      CAPTURE(payload);
      CHECK(error_of(payload) == Error{.code = code, .offset = offset, .field = row.field});
    }
    object.fields[i].value = original;
  });
}

TEST_CASE("an unknown value of an enumeration is kept as text") {
  const auto event = parsed(sample("unknown_values"));
  REQUIRE(event.has_value());
  const auto& update = std::get<InitialTransactionUpdate>(*event);
  CHECK_FALSE(update.event_type.is_known());
  CHECK(update.event_type.text() == "suspended");
  CHECK(update.initial_transaction.status.text() == "suspended");
  CHECK(update.initial_transaction.rejection_reason->text() == "storeClosed");
}

TEST_CASE("a broken rule between fields is no matter of parsing: the event is there") {
  const auto event = parsed(sample("broken_rules"));
  REQUIRE(event.has_value());
  const auto& update = std::get<InitialTransactionUpdate>(*event);
  CHECK(update.event_type == TransactionStatus::rejected);
  CHECK(update.initial_transaction.status == TransactionStatus::validated);
  CHECK_FALSE(update.initial_transaction.rejection_reason.has_value());
  CHECK_FALSE(update.initial_transaction.place_id.has_value());
}

}  // namespace events_oracle_test
