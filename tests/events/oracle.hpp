// SPDX-License-Identifier: MIT
// A second evaluate of payloads: the specification's tables typed again, applied to what the second reader read.
#pragma once

#include <bankhook/text/calendar.hpp>
#include <bankhook/text/decimal.hpp>
#include <bankhook/text/timestamp.hpp>

#include <fuzz/by_hand.hpp>
#include <json/oracle.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::test {

/// A row of a table. `type` is string, count, decimal, day, local, instant, or the name of a table, `[]` after it.
struct Row {
  std::string_view field;
  std::string_view type;
  bool or_null = false;
  bool optional = false;
};

[[nodiscard]] inline std::vector<Row> table(std::string_view name) {
  if (name == "account") return {{"id", "string"}, {"accountHash", "string", true}};
  if (name == "connection") {
    return {{"id", "string"},         {"errorCode", "string", true},           {"errorMessage", "string", true},
            {"bank", "string"},       {"transactionsEligibleFromDate", "day"}, {"consentExpiresAt", "local", false, true},
            {"accounts", "account[]"}};
  }
  if (name == "customer") return {{"id", "string"}, {"externalId", "string"}};
  if (name == "connectedCustomer") {
    return {{"id", "string"},
            {"externalId", "string"},
            {"connectionsOn", "count"},
            {"connectionsOff", "count"},
            {"connections", "connection[]"}};
  }
  if (name == "initialTransaction") {
    return {{"id", "string"},
            {"amount", "decimal"},
            {"storeExternalId", "string", true},
            {"placeId", "string", false, true},
            {"storeName", "string", false, true},
            {"status", "string"},
            {"rejectionReason", "string", true},
            {"transactionDate", "day"},
            {"transactionId", "string", true},
            {"date", "instant"}};
  }
  if (name == "bank_connections_update_v2") {
    return {{"event", "string"},          {"eventType", "string"},     {"customer", "connectedCustomer"},
            {"connection", "connection"}, {"shoppingHubId", "string"}, {"shoppingHubExternalId", "string"}};
  }
  if (name == "initial_transaction_update") {
    return {{"event", "string"},
            {"eventType", "string"},
            {"customer", "customer"},
            {"initialTransaction", "initialTransaction"}};
  }
  return {};
}

[[nodiscard]] std::optional<Json> evaluate(const Json& value, std::string_view type);

/// A value that is neither an object nor an array. The forms of text belong to `text/` and are tested there.
[[nodiscard]] inline bool evaluate_plain(const Json& value, std::string_view type) {
  if (type == "count" || type == "decimal") {
    const auto number = value.kind == Json::Kind::number ? by_hand::number(value.text) : std::nullopt;
    return number && (type == "count" ? number->is_count() : number->fits());
  }
  if (value.kind != Json::Kind::string) return false;
  if (type == "day") return detail::text::parse_date(value.text).has_value();
  if (type == "local") return LocalTimestamp::parse(value.text).has_value();
  if (type == "instant") return Timestamp::parse(value.text).has_value();
  return true;
}

[[nodiscard]] inline std::optional<Json> evaluate_array(const Json& value, std::string_view type) {
  if (value.kind != Json::Kind::array) return std::nullopt;
  Json evaluated(Json::Kind::array);
  for (const Json& item : value.items) {
    auto one = evaluate(item, type);
    if (!one) return std::nullopt;
    evaluated.items.push_back(*one);
  }
  return evaluated;
}

/// What of `value` the tables list, in their order; nothing if it is rejected.
[[nodiscard]] inline std::optional<Json> evaluate(const Json& value, std::string_view type) {
  if (type.ends_with("[]")) return evaluate_array(value, type.substr(0, type.size() - 2));
  const auto rows = table(type);
  if (rows.empty()) return evaluate_plain(value, type) ? std::optional(value) : std::nullopt;
  if (value.kind != Json::Kind::object) return std::nullopt;
  Json evaluated(Json::Kind::object);
  for (const Row& row : rows) {
    if (std::ranges::count(value.fields, row.field, &JsonMember::name) > 1) return std::nullopt;
    const auto found = std::ranges::find(value.fields, row.field, &JsonMember::name);
    const bool is_there = found != value.fields.end();
    if (row.optional && (!is_there || found->value.is_null())) continue;
    if (!is_there) return std::nullopt;
    auto field = row.or_null && found->value.is_null() ? std::optional(Json{}) : evaluate(found->value, row.type);
    if (!field) return std::nullopt;
    evaluated.fields.push_back({std::string(row.field), *field});
  }
  return evaluated;
}

/// The same for a whole payload: what of it is listed, all of it if its event is not listed, nothing if it is rejected.
[[nodiscard]] inline std::optional<Json> evaluate_payload(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";  // RFC 8259, 8.1
  const auto value = read_json(text.substr(text.substr(0, mark.size()) == mark ? mark.size() : 0));
  if (!value || value->kind != Json::Kind::object) return std::nullopt;
  constexpr std::string_view sought = "event";
  const auto event = std::ranges::find(value->fields, sought, &JsonMember::name);
  if (std::ranges::count(value->fields, sought, &JsonMember::name) != 1 || event->value.kind != Json::Kind::string)
    return std::nullopt;
  const std::string& name = event->value.text;
  const bool is_listed = name == "bank_connections_update_v2" || name == "initial_transaction_update";
  return is_listed ? evaluate(*value, name) : value;
}

/// Equal, with numbers compared by their value.
[[nodiscard]] inline bool same_json(const Json& left, const Json& right) {
  if (left.kind != right.kind) return false;
  if (left.kind == Json::Kind::number && left.text != right.text) {
    const auto one = Decimal::parse(left.text), other = Decimal::parse(right.text);
    return one && other && *one == *other;
  }
  return left.text == right.text && std::ranges::equal(left.items, right.items, same_json) &&
         std::ranges::equal(left.fields, right.fields, [](const auto& one, const auto& other) {
           return one.name == other.name && same_json(one.value, other.value);
         });
}

}  // namespace bankhook::test
