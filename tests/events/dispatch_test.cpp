// SPDX-License-Identifier: MIT
// Dispatch: the event's name decides, wherever it stands and however it is written; an unknown one loses nothing.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/serialize.hpp>

#include <events/samples.hpp>
#include <json/show.hpp>

#include <expected>
#include <string>
#include <string_view>
#include <variant>

namespace events_dispatch_test {

using namespace bankhook;
using test::sample;

namespace {

Arena arena;

std::expected<AnyEvent, Error> parsed(std::string_view payload) { return parse(payload, arena); }

std::string_view member_of_bank(const bankhook::BankConnectionsUpdateV2& event) { return event.customer.id; }
std::string_view member_of_purchase(const bankhook::InitialTransactionUpdate& event) noexcept { return event.customer.id; }

Error error_of(std::string_view payload) {
  const auto event = parsed(payload);
  return event ? Error{} : event.error();
}

}  // namespace

TEST_CASE("match calls the function for the event that it is, and gives what it returns") {
  const auto name_of = [](const AnyEvent& event) {
    return match(
        event, [](const BankConnectionsUpdateV2&) { return std::string_view("bank"); },
        [](const UnknownEvent& unknown) { return unknown.event; }, [](const auto&) { return std::string_view("other"); });
  };
  CHECK(name_of(parsed(sample("connection_created")).value()) == "bank");
  CHECK(name_of(parsed(sample("transaction_created")).value()) == "other");
  CHECK(name_of(parsed(R"({"event":"loyalty_points_update"})").value()) == "loyalty_points_update");
  int calls = 0;
  const auto count = [&calls](const auto&) { ++calls; };
  match(AnyEvent(UnknownEvent{}), count);
  CHECK(calls == 1);
  const auto by_functions = [](const AnyEvent& event) {
    return match(event, member_of_bank, &member_of_purchase, [](const UnknownEvent&) { return std::string_view(); });
  };
  CHECK(by_functions(parsed(sample("connection_created")).value()) == "member-0001");
  CHECK(by_functions(parsed(sample("transaction_created")).value()) == "member-0001");
}

TEST_CASE("the event's name is found at every place of the object") {
  const std::string& payload = sample("transaction_created");
  const std::string name = R"("event":"initial_transaction_update",)";
  REQUIRE(payload.find(name) == 1);
  std::string rest = payload;
  rest.erase(1, name.size());
  const std::string last = rest.substr(0, rest.size() - 1) + "," + name.substr(0, name.size() - 1) + "}";
  const std::string middle = std::string(rest).insert(rest.find("\"customer\""), name);
  for (const std::string& moved : {last, middle, " " + last, "{\"x\":[]," + payload.substr(1)}) {
    CAPTURE(moved);
    const auto event = parsed(moved);
    REQUIRE(event.has_value());
    CHECK(test::same_event(*event, *parsed(payload)));
  }
}

TEST_CASE("the event's name is found where it is written with escapes") {
  const auto event = parsed(sample("escaped_names_and_text"));
  REQUIRE(event.has_value());
  CHECK(std::get<InitialTransactionUpdate>(*event).initial_transaction.store_external_id == "é\"/");
}

TEST_CASE("a field called event inside of another one does not count") {
  CHECK(error_of(R"({"x":{"event":"initial_transaction_update"}})") ==
        Error{.code = Errc::missing_field, .offset = 43, .field = "event"});
  const auto event = parsed(R"({"x":{"event":"initial_transaction_update"},"event":"other"})");
  REQUIRE(event.has_value());
  CHECK(std::get<UnknownEvent>(*event).event == "other");
  const std::string& payload = sample("transaction_created");
  const std::string nested = R"({"x":{"event":"bank_connections_update_v2"},)" + payload.substr(1);
  const auto known = parsed(nested);
  REQUIRE(known.has_value());
  CHECK(test::same_event(*known, *parsed(payload)));
}

TEST_CASE("names of both events deeper inside change neither an event nor its error") {
  const std::string inside =
      R"({"x":{"event":"bank_connections_update_v2"},"y":[{"event":"initial_transaction_update"}],"event":"none",)";
  for (const char* name : {"connection_created", "transaction_created"}) {
    const std::string& payload = sample(name);
    const std::string nested = inside.substr(0, inside.find(R"("event":"none")")) + payload.substr(1);
    const auto event = parsed(nested);
    CAPTURE(nested);
    REQUIRE(event.has_value());
    CHECK(test::same_event(*event, *parsed(payload)));
    const std::string cut = nested.substr(0, nested.size() - 1);
    CHECK(error_of(cut) == Error{.code = Errc::truncated, .offset = cut.size()});
    CHECK(error_of(inside + payload.substr(1)).code == Errc::repeated_field);
  }
}

TEST_CASE("an event that is not listed keeps its name and its whole payload") {
  const std::string payload = R"({"event":"loyalty_points_update","points":[1,{"a":"b"}]})";
  const std::string spaced = "\n " + payload + " \t";
  const auto kept = parsed(spaced);
  REQUIRE(kept.has_value());
  CHECK(std::get<UnknownEvent>(*kept).event == "loyalty_points_update");
  CHECK(std::get<UnknownEvent>(*kept).raw == payload);
  CHECK(std::get<UnknownEvent>(*kept).raw.data() == spaced.data() + 2);
}

TEST_CASE("an event that is not listed is written as one line without the space between its tokens") {
  const auto event = parsed("{ \"event\" : \"x\\u0079\",\r\n\t\"text\" : \" a \\\" \\\\ b \" , \"n\" : [ 1 , 2 ] }");
  REQUIRE(event.has_value());
  CHECK(std::get<UnknownEvent>(*event).event == "xy");
  CHECK(serialize(*event) == R"({"event":"x\u0079","text":" a \" \\ b ","n":[1,2]})");
}

TEST_CASE("a name that only resembles a listed one is not listed") {
  for (const std::string_view name :
       {"", "bank_connections_update", "bank_connections_update_v", "bank_connections_update_v22",
        "bank_connections_update_v3", "Bank_connections_update_v2", "initial_transaction_update ",
        "initial_transaction_update_v2", "initial_transaction_updat"}) {
    const std::string payload = R"({"event":")" + std::string(name) + R"("})";
    CAPTURE(payload);
    const auto event = parsed(payload);
    REQUIRE(event.has_value());
    CHECK(std::get<UnknownEvent>(*event).event == name);
  }
}

TEST_CASE("a payload without an event's name is rejected") {
  CHECK(error_of("{}") == Error{.code = Errc::missing_field, .offset = 1, .field = "event"});
  CHECK(error_of(R"({"eventType":"created"})").field == "event");
  CHECK(error_of(R"({"event":null})") == Error{.code = Errc::expected_string, .offset = 9, .field = "event"});
  CHECK(error_of(R"({"event":["initial_transaction_update"]})") ==
        Error{.code = Errc::expected_string, .offset = 9, .field = "event"});
  for (const std::string_view payload : {"[]", "null", "17", "\"event\"", "true"}) {
    CHECK(error_of(payload) == Error{.code = Errc::expected_object, .offset = 0});
  }
}

TEST_CASE("an event's name that is repeated is rejected, whichever it is") {
  for (const std::string_view name : {"initial_transaction_update", "other"}) {
    for (const std::string_view again : {R"("event":"other")", R"("event":null)", R"("\u0065vent":"x")"}) {
      const std::string begin = R"({"event":")" + std::string(name) + "\",";
      CAPTURE(name, again);
      CHECK(error_of(begin + std::string(again) + "}") ==
            Error{.code = Errc::repeated_field, .offset = begin.size(), .field = "event"});
    }
  }
}

TEST_CASE("an event that is not listed may have any field twice except its name") {
  CHECK(parsed(R"({"event":"other","x":1,"x":2,"customer":{},"customer":[]})").has_value());
  CHECK(error_of(R"({"x":1,"event":"other","x":2,"event":"other"})").code == Errc::repeated_field);
}

TEST_CASE("an event that is not listed is checked like any other text") {
  const std::string begin = R"({"event":"other","x":)";
  for (const std::string_view wrong : {"01}", "1}}", "\"\xFF\"}", "[1,]}", "tru}", "\"\\ud800\"}"}) {
    CAPTURE(wrong);
    CHECK_FALSE(parsed(begin + std::string(wrong)).has_value());
  }
}

TEST_CASE("parse_as asks for one event and rejects the others by name") {
  CHECK(parse_as<InitialTransactionUpdate>(sample("transaction_created"), arena).has_value());
  const auto other = parse_as<InitialTransactionUpdate>(sample("connection_created"), arena);
  REQUIRE_FALSE(other.has_value());
  CHECK(other.error() == Error{.code = Errc::wrong_event, .offset = 10, .field = "event"});
  CHECK(parse_as<BankConnectionsUpdateV2>(sample("reordered"), arena).has_value());
}

TEST_CASE("parse_as reads a resource by itself") {
  const auto account = parse_as<Account>(R"({"id":"acc-1","accountHash":null})", arena);
  REQUIRE(account.has_value());
  CHECK(*account == Account{"acc-1", {}});
  CHECK(serialize(*account) == R"({"id":"acc-1","accountHash":null})");
}

TEST_CASE("a padded view gives the same event whatever lies after it") {
  for (const test::Sample& one : test::samples()) {
    for (const char garbage : {'"', '}', '\\', '\0', ' ', '\xFF', '0'}) {
      const std::string padded = one.text + std::string(PaddedView::padding, garbage);
      const std::string_view text(padded.data(), one.text.size());
      CAPTURE(one.name, static_cast<int>(garbage));
      Arena other;
      const auto event = parse(PaddedView{text}, other);
      REQUIRE(event.has_value());
      REQUIRE(test::same_event(*event, *parsed(one.text)));
      REQUIRE_FALSE(parse(PaddedView{text.substr(0, text.size() - 1)}, other).has_value());
    }
  }
}

}  // namespace events_dispatch_test
