// SPDX-License-Identifier: MIT
// The schemas are derived: every field and value of the specification is in them under its name on the wire.
#include <bankhook_catch.hpp>

#include <bankhook/events/parse.hpp>
#include <bankhook/events/schema.hpp>
#include <bankhook/json/parse.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace events_schema_test {

using namespace bankhook;

namespace {

struct Anything {};  // whose fields are all unlisted: reading one checks the syntax of a whole text

bool is_json(const std::string& text) {
  Arena arena;
  return detail::json::parse<Anything>(std::string_view(text), arena).has_value();
}

enum class Size : std::uint8_t { small, very_large };

/// Something of every type that is read.
struct Everything {
  TypeTag<Everything> event;
  std::string_view text;
  bool flag = false;
  Decimal price;
  std::int8_t i8 = 0;
  std::uint8_t u8 = 0;
  std::int16_t i16 = 0;
  std::uint16_t u16 = 0;
  std::int32_t i32 = 0;
  std::uint32_t u32 = 0;
  std::int64_t i64 = 0;
  std::uint64_t u64 = 0;
  OpenEnum<Size> size;
  std::span<const Everything> parts;
};

/// The same where null is allowed, or no field at all.
struct Optionals {
  nullable<TypeTag<Optionals>> tag;
  nullable<std::string_view> text;
  nullable<bool> flag;
  nullable<Decimal> price;
  nullable<std::int8_t> i8;
  nullable<OpenEnum<Size>> size;
  nullable<std::span<const std::uint16_t>> numbers;
  nullable<Anything> anything;
  maybe_absent<nullable<std::span<const nullable<std::string_view>>>> texts;
  maybe_absent<std::uint32_t> count;
};

struct Dates {
  std::chrono::year_month_day day;
  LocalTimestamp local;
  Timestamp moment;
};

namespace other {
struct Account {
  bankhook::Account inner;
};
}  // namespace other

struct Accounts {
  bankhook::Account ours;
  other::Account theirs;
  other::Account again;
};

/// The part of a schema between `"properties":{` and `},"required"`.
template <class T>
std::string properties() {
  const std::string schema = json_schema<T>();
  const std::size_t from = schema.find(R"("properties":{)") + 14;
  return schema.substr(from, schema.find(R"(},"required")", from) - from);
}

template <class T>
bool names_all_members(const std::string& schema) {
  for (const std::string_view name : detail::reflect::wire_names<T>) {
    if (schema.find("\"" + std::string(name) + "\":") == std::string::npos) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("a schema is JSON and names every field of its struct and of those within") {
  const std::string schema = json_schema<BankConnectionsUpdateV2>();
  CHECK(is_json(schema));
  CHECK(names_all_members<BankConnectionsUpdateV2>(schema));
  CHECK(names_all_members<ConnectedCustomer>(schema));
  CHECK(names_all_members<Connection>(schema));
  CHECK(names_all_members<Account>(schema));
  CHECK(is_json(json_schema<InitialTransactionUpdate>()));
  CHECK(names_all_members<InitialTransaction>(json_schema<InitialTransactionUpdate>()));
}

TEST_CASE("the whole schema of an account is what 2.3 says") {
  CHECK(json_schema<Account>() ==
        R"({"$schema":"https://json-schema.org/draft/2020-12/schema","title":"Account","$comment":"section 2.3",)"
        R"("description":"A bank account linked to a connection","type":"object","properties":{)"
        R"("id":{"type":"string","description":"Bank account id assigned by the service"},)"
        R"("accountHash":{"type":["string","null"],"description":)"
        R"("Opaque hash of the account IBAN; accounts that share it are the same real bank account"}},)"
        R"("required":["id","accountHash"]})");
}

TEST_CASE("6.3: the customer of a transaction has no further fields, the other objects may have") {
  const std::string schema = json_schema<InitialTransactionUpdate>();
  const std::string only = R"("required":["id","externalId"],"additionalProperties":false})";
  CHECK(schema.find(only) != std::string::npos);
  CHECK(schema.find("additionalProperties", schema.find(only) + only.size()) == std::string::npos);
  CHECK(json_schema<BankConnectionsUpdateV2>().find("additionalProperties") == std::string::npos);
}

TEST_CASE("2.4 and 6.3: what a transaction without a store's id, and a rejected one, must have") {
  const std::string schema = json_schema<InitialTransactionUpdate>();
  CHECK(schema.contains(R"("if":{"properties":{"storeExternalId":{"type":"null"}}},"then":{"properties":{)"));
  CHECK(schema.contains(R"({"if":{"properties":{"status":{"const":"rejected"}}},)"
                        R"("then":{"properties":{"rejectionReason":{"type":"string"}}}})"));
  CHECK(schema.contains(R"({"if":{"properties":{"eventType":{"const":"created"}}},"then":)"
                        R"({"properties":{"initialTransaction":{"type":"object",)"
                        R"("properties":{"status":{"const":"created"}}}}}})"));
}

TEST_CASE("a struct that is used twice is defined once") {
  const std::string schema = json_schema<BankConnectionsUpdateV2>();
  const std::string definition = R"("Connection":{"title")";
  const std::size_t first = schema.find(definition);
  REQUIRE(first != std::string::npos);
  CHECK(schema.find(definition, first + 1) == std::string::npos);
}

TEST_CASE("an optional field is not required, and the listed values are there with null where it is allowed") {
  const std::string schema = json_schema<InitialTransactionUpdate>();
  CHECK(schema.find(R"("enum":["purchaseNotFound","bankConsentExpired",null])") != std::string::npos);
  CHECK(schema.find(R"("required":["id","amount","storeExternalId","status",)") != std::string::npos);
}

TEST_CASE("the document of all events is JSON and has a message an event") {
  const std::string document = asyncapi();
  CHECK(is_json(document));
  CHECK(document.find(R"("bank_connections_update_v2":{"name":)") != std::string::npos);
  CHECK(document.find(R"("initial_transaction_update":{"name":)") != std::string::npos);
}

TEST_CASE("whatever is read has a schema, integers of less than 64 bits with both ends of their range") {
  CHECK(
      properties<Everything>() ==
      R"("event":{"type":"string","const":"everything"},"text":{"type":"string"},"flag":{"type":"boolean"},)"
      R"("price":{"type":"number","exclusiveMinimum":-1e38,"exclusiveMaximum":1e38},"i8":{"type":"integer","minimum":-128,"maximum":127},)"
      R"("u8":{"type":"integer","minimum":0,"maximum":255},"i16":{"type":"integer","minimum":-32768,"maximum":32767},)"
      R"("u16":{"type":"integer","minimum":0,"maximum":65535},)"
      R"("i32":{"type":"integer","minimum":-2147483648,"maximum":2147483647},)"
      R"("u32":{"type":"integer","minimum":0,"maximum":4294967295},"i64":{"type":"integer"},)"
      R"("u64":{"type":"integer","minimum":0},"size":{"type":"string","enum":["small","veryLarge"]},)"
      R"("parts":{"type":"array","items":{"$ref":"#/$defs/Everything"}})");
  Arena arena;
  CHECK(parse_as<Everything>(
      R"({"event":"everything","text":"","flag":true,"price":1.5,"i8":-128,"u8":255,"i16":-32768,"u16":65535,)"
      R"("i32":-2147483648,"u32":4294967295,"i64":1,"u64":2,"size":"veryLarge","parts":[]})",
      arena));
  CHECK(is_json(json_schema<Dates>()));
}

TEST_CASE("whatever may be null says so in its schema, and is required all the same") {
  CHECK(
      properties<Optionals>() ==
      R"("tag":{"enum":["optionals",null]},"text":{"type":["string","null"]},"flag":{"type":["boolean","null"]},)"
      R"("price":{"type":["number","null"],"exclusiveMinimum":-1e38,"exclusiveMaximum":1e38},"i8":{"type":["integer","null"],"minimum":-128,"maximum":127},)"
      R"("size":{"type":["string","null"],"enum":["small","veryLarge",null]},)"
      R"("numbers":{"type":["array","null"],"items":{"type":"integer","minimum":0,"maximum":65535}},)"
      R"("anything":{"anyOf":[{"$ref":"#/$defs/Anything"},{"type":"null"}]},)"
      R"("texts":{"type":["array","null"],"items":{"type":["string","null"]}},)"
      R"("count":{"type":"integer","minimum":0,"maximum":4294967295})");
  CHECK(json_schema<Optionals>().find(R"("required":["tag","text","flag","price","i8","size","numbers","anything"])") !=
        std::string::npos);
  Arena arena;
  CHECK(parse_as<Optionals>(
      R"({"tag":null,"text":null,"flag":null,"price":null,"i8":null,"size":null,"numbers":null,"anything":null})", arena));
}

TEST_CASE("two structs of one name are defined under two names") {
  const std::string schema = json_schema<Accounts>();
  CHECK(is_json(schema));
  CHECK(properties<Accounts>() ==
        R"("ours":{"$ref":"#/$defs/Account"},"theirs":{"$ref":"#/$defs/Account2"},"again":{"$ref":"#/$defs/Account2"})");
  CHECK(schema.find(R"("Account":{"title":"Account","$comment":"section 2.3")") != std::string::npos);
  CHECK(schema.find(R"("Account2":{"title":"Account","type":"object","properties":{"inner":{"$ref":"#/$defs/Account"}})") !=
        std::string::npos);
}

}  // namespace events_schema_test
