// SPDX-License-Identifier: MIT
// The schemas are derived: every member and value of the specification is in them under its name on the wire.
#include <bankhook_catch.hpp>

#include <bankhook/events/schema.hpp>
#include <bankhook/json/read.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <string>
#include <string_view>

using namespace bankhook;

namespace {

struct Anything {};  // whose members are all unlisted: reading one checks the syntax of a whole text

bool is_json(const std::string& text) {
  Arena arena;
  return json::read<Anything>(std::string_view(text), arena).has_value();
}

template <class T>
bool names_all_members(const std::string& schema) {
  for (const std::string_view name : reflect::wire_names<T>) {
    if (schema.find("\"" + std::string(name) + "\":") == std::string::npos) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("a schema is JSON and names every member of its struct and of those within") {
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

TEST_CASE("a struct that is used twice is defined once") {
  const std::string schema = json_schema<BankConnectionsUpdateV2>();
  const std::string definition = R"("Connection":{"title")";
  const std::size_t first = schema.find(definition);
  REQUIRE(first != std::string::npos);
  CHECK(schema.find(definition, first + 1) == std::string::npos);
}

TEST_CASE("an optional member is not required, and the listed values are there with null where it is allowed") {
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
