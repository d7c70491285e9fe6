// SPDX-License-Identifier: MIT
// No personal value ever appears in a message about a payload, however it is damaged.
#include <bankhook_catch.hpp>

#include <bankhook/events/parse.hpp>
#include <bankhook/events/rules/diagnose.hpp>
#include <bankhook/events/rules/explain.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace events_explain_privacy_test {

using namespace bankhook;
using namespace std::string_view_literals;

namespace {

/// Every text that could be personal has a Q, a letter that no message and no name has, every number a seven.
const std::string transaction =
    R"({"event":"initial_transaction_update","eventType":"created","customer":{"id":"QQQQ","externalId":"Q-QQ"},)"
    R"("initialTransaction":{"id":"QQ Q","amount":77.70,"storeExternalId":null,"placeId":"Q\"Q,Q:Q","storeName":"Q\u0051é{Q",)"
    R"("status":"created","rejectionReason":null,"transactionDate":"2027-07-07","transactionId":"QQ",)"
    R"("date":"2027-07-07T07:07:07Z"}})";
const std::string connection =
    R"({"event":"bank_connections_update_v2","eventType":"update","customer":{"id":"QQ","externalId":"QQ","connectionsOn":7,)"
    R"("connectionsOff":77,"connections":[]},"connection":{"id":"QQ","errorCode":"QQ","errorMessage":"QQ QQ","bank":"Q",)"
    R"("transactionsEligibleFromDate":"2027-07-07","accounts":[{"id":"QQQ","accountHash":"QQQQ"},)"
    R"({"id":"Q","accountHash":"Q"}]},"shoppingHubId":"QQ","shoppingHubExternalId":"QQ"})";

constexpr std::string_view replacements = "\0\n\t \"\\/{}[],:-.0enu\x80\xC3\xFF"sv;

/// A seven of the payload in a line that is shown; the number of the line stands before.
bool shows_a_number(std::string_view explanation) {
  for (std::size_t at = explanation.find(" | "); at != std::string_view::npos; at = explanation.find(" | ", at + 1)) {
    const std::string_view line = explanation.substr(at, explanation.find('\n', at) - at);
    if (line.find('7') != std::string_view::npos) return true;
  }
  return false;
}

/// Whatever the library says about `payload` where it is not asked to show values.
std::string said_about(std::string_view payload) {
  const std::vector<Finding> findings = diagnose(payload);
  std::string said = explain(findings, payload);
  Arena arena;
  const auto event = parse(payload, arena);
  if (!event) said += explain(event.error(), payload) + to_string(finding_of(event.error(), payload));
  return said;
}

void check(std::string_view payload) {
  const std::string said = said_about(payload);
  if (said.find('Q') == std::string::npos && !shows_a_number(said)) return;
  CAPTURE(payload);
  FAIL(said);
}

}  // namespace

TEST_CASE("no message holds a value of a payload that is cut or begins at any byte") {
  for (const std::string_view payload : {std::string_view(transaction), std::string_view(connection)}) {
    for (std::size_t at = 0; at < payload.size(); ++at) {
      check(payload.substr(0, at));
      check(payload.substr(at));
    }
  }
}

TEST_CASE("no message holds a value of a payload with any byte changed") {
  std::size_t turn = 0;
  for (std::string payload : {transaction, connection}) {
    for (char& byte : payload) {
      const char original = byte;
      for (int i = 0; i < 3; ++i) {
        byte = replacements[turn++ % replacements.size()];
        check(payload);
      }
      byte = original;
    }
  }
}

TEST_CASE("no message holds a value of a payload with any byte left out or put in") {
  for (const std::string& original : {transaction, connection}) {
    for (std::size_t at = 0; at < original.size(); ++at) {
      check(std::string(original).erase(at, 1));
      check(std::string(original).insert(at, 1, "\",:{\\\nx"[at % 7]));
    }
  }
}

TEST_CASE("no message holds a text that is cut off, whatever it begins with") {
  const std::string before = transaction.substr(0, transaction.find("\"QQ Q\""));
  for (const std::string_view listed : {"created", "placeId", "initial_transaction_update"}) {
    const std::string text = '"' + std::string(listed) + 'Q';
    for (const std::string_view after : {"", "\n\"", "\n}"}) check(before + text + std::string(after));
  }
}

TEST_CASE("a value is shown to those who ask for it") {
  const std::string payload = transaction + "x";
  CHECK(explain(diagnose(payload), payload, 80, Redaction::off).find("2027-07-07T07:07:07Z") != std::string::npos);
}

}  // namespace events_explain_privacy_test
