// SPDX-License-Identifier: MIT
// Events written over the payloads that they were read from: what is equal and what is not listed stays, byte for byte.
#include <bankhook_catch.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/serialize.hpp>

#include <events/samples.hpp>

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace events_serialize_over_test {

using namespace bankhook;
using test::Sample;
using test::samples;

/// `value` over `payload`, after what the buffer had; the error's text if there is one, and then nothing more.
template <class T>
std::string over(const T& value, std::string_view payload) {
  std::string out = "kept";
  const auto written = serialize_over(value, payload, out);
  REQUIRE(out.starts_with("kept"));
  if (written) return out.substr(4);
  CHECK(out == "kept");
  return "error: " + to_string(written.error());
}

/// What `payload` becomes as a `T` when `change(T&)` was called.
template <class T>
std::string changed(std::string_view payload, auto change) {
  Arena arena;
  auto value = parse_as<T>(payload, arena).value();
  change(value);
  return over(value, payload);
}

/// The same payload in other forms: indented, with blanks on both sides of everything, and with an unlisted name twice.
std::vector<std::string> forms_of(const std::string& payload) {
  std::string spaced, spread;
  bool in_string = false;
  for (std::size_t i = 0; i < payload.size(); ++i) {
    const char c = payload[i];
    if (c == '\\') {
      spaced.append(payload, i, 2);
      spread.append(payload, i++, 2);
      continue;
    }
    in_string ^= c == '"';
    const bool is_mark = !in_string && std::string_view("{}[]:,").find(c) != std::string_view::npos;
    spread.append(is_mark ? " \t" : "").append(1, c).append(is_mark ? "\r\n" : "");
    spaced.append(1, c).append(is_mark && (c == ',' || c == ':') ? " " : "");
  }
  const std::string twice = R"({"x":{"id":[1,{}]},"\u0078":"\ud83d\ude00",)" + payload.substr(payload.find('{') + 1);
  return {payload, spaced, spread, twice, "\xEF\xBB\xBF" + payload + "\n"};
}

TEST_CASE("an event that did not change gives its payload, byte for byte, in any form") {
  for (const Sample& sample : samples()) {
    for (const std::string& form : forms_of(sample.text)) {
      Arena arena;
      const auto event = parse(form, arena);
      CAPTURE(sample.name, form);
      REQUIRE(event.has_value());
      CHECK(over(*event, form) == form.substr(form.starts_with('\xEF') ? 3 : 0));
    }
  }
}

TEST_CASE(
    "any event over the payload of any other of its type reads as the event, and keeps what is not listed at the top") {
  for (const Sample& from : samples()) {
    Arena arena;
    const auto event = parse(from.text, arena);
    for (const Sample& to : samples()) {
      for (const std::string& form : forms_of(to.text)) {
        Arena other;
        const auto before = parse(form, other);
        CAPTURE(from.name, to.name, form);
        const std::string written = over(*event, form);
        const bool is_unknown = std::holds_alternative<UnknownEvent>(*event);
        if (event->index() != before->index() || is_unknown) {  // an unknown event is its payload
          CHECK(written.starts_with("error: ") != (is_unknown && form.contains(from.text)));
          continue;
        }
        const auto after = parse(written, other);
        REQUIRE(after.has_value());
        CHECK(test::same_event(*after, *event));
        CHECK((form.find("\\ud83d") == form.npos) == (written.find("\\ud83d") == written.npos));
        CHECK(over(*event, written) == written);
      }
    }
  }
}

TEST_CASE("only what differs is written") {
  const std::string payload = test::sample("transaction_created");
  const std::string written = changed<InitialTransactionUpdate>(payload, [](auto& event) { event.customer.id = "a\"b"; });
  const std::string old = R"("customer":{"id":")";
  const std::size_t at = payload.find(old) + old.size();
  CHECK(written == payload.substr(0, at) + R"(a\"b)" + payload.substr(payload.find('"', at)));
}

TEST_CASE("values that are equal stay as they are written, escapes, digits and null for absent among them") {
  const std::string customer = R"({"id":"\u0061","externalId":"e"})";
  CHECK(changed<Customer>(customer, [](auto& c) { c.id = "a"; }) == customer);
  CHECK(changed<Customer>(customer, [](auto& c) { c.external_id = "f"; }) == R"({"id":"\u0061","externalId":"f"})");
  const std::string item = R"({"amount":1.990e1,"count":20e-1,"name":null})";
  struct Item {
    Decimal amount{};
    int count{};
    maybe_absent<std::string_view> name{};
  };
  CHECK(changed<Item>(item, [](auto& i) { i.amount = Decimal::parse("19.9").value(); }) == item);
  CHECK(changed<Item>(item, [](auto& i) { i.amount = Decimal::parse("19.91").value(); }) ==
        R"({"amount":19.91,"count":20e-1,"name":null})");
  CHECK(changed<Item>(item, [](auto& i) { i.name = "n"; }) == R"({"amount":1.990e1,"count":20e-1,"name":"n"})");
}

struct Part {
  std::string_view id{};
  nullable<int> size{};
};
struct Whole {
  maybe_absent<int> a{};
  maybe_absent<nullable<Part>> b{};
  maybe_absent<std::string_view> c{};
  nullable<std::span<const Part>> d{};
  maybe_absent<std::span<const int>> e{};
};

TEST_CASE("a field that becomes absent goes with one comma, wherever it stands") {
  const auto without = [](bool a, bool b, bool c) {
    return [=](Whole& whole) {
      if (a) whole.a.reset();
      if (b) whole.b.reset();
      if (c) whole.c.reset();
    };
  };
  const std::string all = R"({"a":1, "b" : {"id":"p","size":null} ,"d":null,"c":"c"})";
  CHECK(changed<Whole>(all, without(true, false, false)) == R"({"b" : {"id":"p","size":null} ,"d":null,"c":"c"})");
  CHECK(changed<Whole>(all, without(false, true, false)) == R"({"a":1 ,"d":null,"c":"c"})");
  CHECK(changed<Whole>(all, without(false, false, true)) == R"({"a":1, "b" : {"id":"p","size":null} ,"d":null})");
  CHECK(changed<Whole>(all, without(true, true, false)) == R"({"d":null,"c":"c"})");
  CHECK(changed<Whole>(all, without(true, true, true)) == R"({"d":null})");
  CHECK(changed<Whole>("{\n  \"\\u0061\" : 1,\n  \"x\":[],\n  \"d\":null\n}", without(true, false, false)) ==
        "{\n  \"x\":[],\n  \"d\":null\n}");
  struct Empty {
    maybe_absent<int> a{};
    maybe_absent<int> b{};
  };
  const auto nothing = [](Empty& empty) { empty = {}; };
  CHECK(changed<Empty>(R"({ "a":1 , "b":2 })", nothing) == "{  }");
  CHECK(changed<Empty>(R"({"b":1})", nothing) == "{}");
  CHECK(changed<Empty>(R"({"b":1,"x":{"a":1}})", nothing) == R"({"x":{"a":1}})");
  CHECK(changed<Empty>(R"({"x":{"a":1},"a":1})", nothing) == R"({"x":{"a":1}})");
}

TEST_CASE("a field that appears comes after the one before it in the struct's order, wherever that stands") {
  const auto all = [](Whole& whole) {
    whole.a = 1;
    whole.b = nullable<Part>();
    whole.c = "c";
    whole.e = std::span<const int>();
  };
  CHECK(changed<Whole>(R"({"d":null})", all) == R"({"a":1,"b":null,"c":"c","d":null,"e":[]})");
  CHECK(changed<Whole>(R"({ "x":0 , "d":[ ] })", all) == R"({"a":1,"b":null,"c":"c", "x":0 , "d":[ ],"e":[] })");
  CHECK(changed<Whole>(R"({"e":[],"d":null,"b":null,"x":0})", all) == R"({"a":1,"e":[],"d":null,"b":null,"c":"c","x":0})");
  CHECK(changed<Whole>(R"({"d":null,"c":"d","a":1})", all) == R"({"d":null,"e":[],"c":"c","a":1,"b":null})");
  struct Empty {
    maybe_absent<int> a{};
    maybe_absent<int> b{};
  };
  const auto both = [](Empty& empty) { empty = {.a = 1, .b = 2}; };
  CHECK(changed<Empty>("{ }", both) == R"({"a":1,"b":2 })");
  CHECK(changed<Empty>(R"({"x":0})", both) == R"({"a":1,"b":2,"x":0})");
}

TEST_CASE("what contains something becomes null, and what is null becomes something") {
  const std::string payload = R"({"b":{"id":"p","size":1,"x":[2]},"d":[{"id":"q","size":null}]})";
  CHECK(changed<Whole>(payload, [](Whole& whole) { whole.b->reset(); }) == R"({"b":null,"d":[{"id":"q","size":null}]})");
  CHECK(changed<Whole>(payload, [](Whole& whole) { whole.d.reset(); }) == R"({"b":{"id":"p","size":1,"x":[2]},"d":null})");
  CHECK(changed<Whole>(payload, [](Whole& whole) { (**whole.b).size.reset(); }) ==
        R"({"b":{"id":"p","size":null,"x":[2]},"d":[{"id":"q","size":null}]})");
  constexpr Part part{.id = "r", .size = 3};
  CHECK(changed<Whole>(R"({ "b" : null , "d" : null })", [&](Whole& whole) {
          whole.b = nullable<Part>(part);
          whole.d = std::span(&part, 1);
        }) == R"({ "b" : {"id":"r","size":3} , "d" : [{"id":"r","size":3}] })");
}

TEST_CASE("elements are matched by their ids, so that no unlisted field moves to another one") {
  const std::string payload = R"({"d":[ {"id":"p","x":1,"size":1} ,
    {"id":"\u0071","size":2,"x":2},
    {"size":3,"id":"r","x":3}
  ]})";
  using Parts = std::vector<Part>;
  const auto with = [&](const Parts& parts) {
    return changed<Whole>(payload, [&](Whole& whole) { whole.d = std::span<const Part>(parts); });
  };
  CHECK(with({{"p", 1}, {"q", 2}, {"r", 3}}) == payload);
  CHECK(with({{"p", 1}, {"q", 7}, {"r", 3}}) == R"({"d":[ {"id":"p","x":1,"size":1} ,
    {"id":"\u0071","size":7,"x":2},
    {"size":3,"id":"r","x":3}
  ]})");
  CHECK(with({{"p", 1}, {"r", 3}}) ==
        "{\"d\":[ {\"id\":\"p\",\"x\":1,\"size\":1} ,\n    {\"size\":3,\"id\":\"r\",\"x\":3}\n  ]}");
  CHECK(with({{"r", 4}, {"s", {}}, {"p", 1}}) ==
        "{\"d\":[\n    {\"size\":4,\"id\":\"r\",\"x\":3},{\"id\":\"s\",\"size\":null}, {\"id\":\"p\",\"x\":1,\"size\":1} "
        "\n  ]}");
  CHECK(with({{"p", 1}, {"p", 2}, {"r", 3}}) ==
        "{\"d\":[{\"id\":\"p\",\"size\":1},{\"id\":\"p\",\"size\":2},\n    {\"size\":3,\"id\":\"r\",\"x\":3}\n  ]}");
  CHECK(with({}) == R"({"d":[]})");
  const std::string twice = R"({"d":[{"id":"p","x":1,"size":1},{"id":"p","x":2,"size":1}]})";
  Parts parts{{"p", 1}, {"p", 1}};
  const auto set = [&](Whole& whole) { whole.d = std::span<const Part>(parts); };
  CHECK(changed<Whole>(twice, set) == twice);
  parts.pop_back();
  CHECK(changed<Whole>(twice, set) == R"({"d":[{"id":"p","size":1}]})");
}

TEST_CASE("elements without an id are written new if the array differs") {
  const std::string payload = R"({"d":null,"e":[ 1, 2 ]})";
  constexpr int numbers[] = {1, 2, 3};
  const auto with = [&](std::size_t count) {
    return changed<Whole>(payload, [&](Whole& whole) { whole.e = std::span(numbers, count); });
  };
  CHECK(with(2) == payload);
  CHECK(with(3) == R"({"d":null,"e":[1,2,3]})");
}

TEST_CASE("a payload that is not one of this event is the error of parse_as, and nothing is appended") {
  for (const Sample& sample : samples()) {
    Arena arena;
    const auto any = parse(sample.text, arena);
    match(
        *any, [](const UnknownEvent&) {},
        [&]<class T>(const T& event) {
          T other = event;
          other.customer.id = "another";
          const auto compare = [&](std::string_view payload) {
            Arena reader;
            const auto read = parse_as<T>(payload, reader);
            const std::string written = over(other, payload);
            CAPTURE(sample.name, payload);
            if (!read) CHECK(written == "error: " + to_string(read.error()));
            else CHECK(parse_as<T>(written, reader) == other);
          };
          for (std::size_t size = 0; size < sample.text.size(); ++size) {
            compare(std::string_view(sample.text).substr(0, size));
            std::string damaged = sample.text;
            damaged[size] = "\"{[,:x\x01\xff"[size % 8];
            compare(damaged);
          }
        });
  }
  for (const test::Fault& fault : test::faults()) {
    std::string out;
    CAPTURE(fault.name);
    CHECK_FALSE(serialize_over(BankConnectionsUpdateV2{}, fault.text, out).has_value());
    CHECK(out.empty());
  }
  CHECK(over(UnknownEvent{"e", R"({"event":"e"})"}, R"({"event":"e"} x)").starts_with("error: "));
}

}  // namespace events_serialize_over_test
