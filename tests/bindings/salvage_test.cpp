// SPDX-License-Identifier: MIT
// `salvage`: an id is given if it is whole and at its listed place, however the rest of the payload is damaged.
#include <bankhook_catch.hpp>

#include "../../bindings/salvage.hpp"

#include <events/damage.hpp>
#include <events/samples.hpp>
#include <json/guarded.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace bindings_salvage_test {

using namespace bankhook;
using namespace bankhook::test;
using python::salvage;
using python::Salvaged;
using namespace std::string_view_literals;

namespace {

/// An id of an event that was parsed: a view of the payload.
struct ListedId {
  std::optional<std::string> Salvaged::* id;
  std::string_view text;
};

/// By the quick reader, which shares nothing with salvage but the structs.
std::vector<ListedId> listed_ids(const AnyEvent& event) {
  if (const auto* const bank = std::get_if<BankConnectionsUpdateV2>(&event))
    return {{&Salvaged::member, bank->customer.id},
            {&Salvaged::external_id, bank->customer.external_id},
            {&Salvaged::connection, bank->connection.id}};
  const auto& purchase = std::get<InitialTransactionUpdate>(event);
  return {{&Salvaged::member, purchase.customer.id},
          {&Salvaged::external_id, purchase.customer.external_id},
          {&Salvaged::transaction, purchase.initial_transaction.id}};
}

std::size_t offset_in(std::string_view payload, std::string_view part) {
  return static_cast<std::size_t>(part.data() - payload.data());
}

/// Compares what is salvaged of a damaged payload with the ids of the original.
struct NothingInvented {
  std::string_view original;
  std::vector<ListedId> ids;
  GuardedPages pages{};

  std::string disagreement(std::string_view payload) {
    const auto damage = static_cast<std::size_t>(std::ranges::mismatch(payload, original).in2 - original.begin());
    const Salvaged salvaged = salvage(pages.before_the_guard(payload));
    for (const auto place : {&Salvaged::member, &Salvaged::external_id, &Salvaged::connection, &Salvaged::transaction}) {
      const auto listed = std::ranges::find(ids, place, &ListedId::id);
      if (!(salvaged.*place)) continue;
      if (listed == ids.end()) return "an id that the event does not have: " + *(salvaged.*place);
      const std::size_t offset = offset_in(original, listed->text);
      const bool is_damaged = offset <= damage && damage <= offset + listed->text.size();
      if (!is_damaged && *(salvaged.*place) != listed->text) return "not an id of the payload: " + *(salvaged.*place);
    }
    return "";
  }
};

template <class With>
void for_each_listed_sample(With&& with) {
  for (const Sample& one : samples()) {
    if (!one.canonical || one.event_type.empty() || one.text.size() > large) continue;
    Arena arena;
    const auto event = parse(one.text, arena);
    REQUIRE(event);
    with(one, listed_ids(*event));
  }
}

std::string repeated_text(std::string_view text, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

}  // namespace

TEST_CASE("every id of an event is salvaged") {
  std::size_t events = 0;
  for_each_listed_sample([&](const Sample& one, const std::vector<ListedId>& ids) {
    CAPTURE(one.name);
    const Salvaged salvaged = salvage(one.text);
    CHECK(salvaged.event == one.event);
    for (const ListedId& listed : ids) CHECK(salvaged.*listed.id == listed.text);
    ++events;
  });
  CHECK(events > 5);
}

TEST_CASE("of a payload that is cut off an id is salvaged exactly if its closing quote is there") {
  for_each_listed_sample([](const Sample& one, const std::vector<ListedId>& ids) {
    for (std::size_t size = 0; size <= one.text.size(); ++size) {
      const Salvaged salvaged = salvage(std::string_view(one.text).substr(0, size));
      for (const ListedId& listed : ids) {
        const bool is_whole = offset_in(one.text, listed.text) + listed.text.size() + 1 <= size;
        CAPTURE(one.name, size, listed.text);
        REQUIRE((salvaged.*listed.id == (is_whole ? std::optional<std::string>(listed.text) : std::nullopt)));
      }
    }
  });
}

TEST_CASE("nothing is invented of a payload in which a byte was changed") {
  for_each_listed_sample([](const Sample& one, const std::vector<ListedId>& ids) {
    NothingInvented comparison{.original = one.text, .ids = ids};
    check_with_bytes_changed(comparison, one.name, one.text, "\0\n \"\\/{}[],:-0enu\xC3\xFF"sv);
  });
}

TEST_CASE("nothing is invented of a payload in which a byte was left out or doubled") {
  for_each_listed_sample([](const Sample& one, const std::vector<ListedId>& ids) {
    NothingInvented comparison{.original = one.text, .ids = ids};
    check_with_bytes_left_out_or_doubled(comparison, one.name, one.text);
  });
}

TEST_CASE("a wrong type elsewhere costs no id") {
  const Salvaged salvaged = salvage(R"({"event":"initial_transaction_update","eventType":7,"customer":{"id":"m-1",
      "externalId":null},"initialTransaction":{"amount":"19.90","id":"t-1"}})");
  CHECK(salvaged == Salvaged{.event = "initial_transaction_update", .member = "m-1", .transaction = "t-1"});
}

TEST_CASE("an id of another type is no id") {
  CHECK(salvage(R"({"customer":{"id":7,"externalId":["e-1"]},"connection":{"id":null}})") == Salvaged{});
}

TEST_CASE("an id at another place is no id") {
  CHECK(salvage(R"({"id":"m-1","customer":[{"id":"m-1"}],"connection":{"accounts":[{"id":"a-1"}],"x":{"id":"c-1"}}})") ==
        Salvaged{});
  CHECK(salvage(R"([{"event":"initial_transaction_update","customer":{"id":"m-1"}}])") == Salvaged{});
}

TEST_CASE("a string that lost its closing quote is no id") {
  CHECK(salvage(R"({"customer":{"id":"m-1,"externalId":"e-1"}})").member == std::nullopt);
  CHECK(salvage(R"({"customer":{"id":"m-1\","externalId":"e-1"}})").member == std::nullopt);
}

TEST_CASE("an id that stands there twice counts if both are the same") {
  CHECK(salvage(R"({"customer":{"id":"m-1","id":"m-1"}})").member == "m-1");
  CHECK(salvage(R"({"customer":{"id":"m-1","id":"m-2","id":"m-1"}})").member == std::nullopt);
  CHECK(salvage(R"({"customer":{"id":"m-1"},"customer":{"id":"m-2"}})").member == std::nullopt);
}

TEST_CASE("nothing counts after a bracket that closes something else") {
  const Salvaged salvaged = salvage(R"({"customer":{"id":"m-1","externalId":7],"connection":{"id":"c-1"}})");
  CHECK(salvaged.member == "m-1");
  CHECK(salvaged.connection == std::nullopt);
}

TEST_CASE("a listed event has the ids of its own table") {
  constexpr auto ids = R"("connection":{"id":"c-1"},"initialTransaction":{"id":"t-1"}})"sv;
  const auto of = [&](std::string_view event) { return salvage(std::string(event).append(ids)); };
  CHECK(of(R"({"event":"bank_connections_update_v2",)").transaction == std::nullopt);
  CHECK(of(R"({"event":"initial_transaction_update",)").connection == std::nullopt);
  CHECK(of(R"({"event":"initial_transaction_update_v2",)") ==
        Salvaged{.event = "initial_transaction_update_v2", .connection = "c-1", .transaction = "t-1"});
  CHECK(of(R"({"event":7,)") == Salvaged{.connection = "c-1", .transaction = "t-1"});
}

TEST_CASE("an id with escapes is salvaged decoded") {
  CHECK(salvage(R"({"customer":{"i\u0064":"m\u002d\n1"}})").member == "m-\n1");
  CHECK(salvage(R"({"customer":{"id":"m\ud800"}})").member == std::nullopt);
}

TEST_CASE("a byte order mark and white space cost no id") {
  CHECK(salvage("\xEF\xBB\xBF \r\n{\"customer\" : { \"id\" :\t\"m-1\" } }").member == "m-1");
}

TEST_CASE("what is salvaged of hostile payloads takes time that grows no faster than they do") {
  for (const std::string_view part : {"[", "{", "]", "}", ",", ":", "\"", "\\", "\"\\", "{\"a\":", "[{x", "{\"customer\":",
                                      "{\"customer\":{\"id\":", "\"customer\":{\"id\":\"a\"},", "\n\"", "x\"", "\xFF"}) {
    CAPTURE(part);
    const std::string text = R"({"event":"x",)" + repeated_text(part, 1'000'000 / part.size());
    CHECK(salvage(text).event == "x");
  }
}

}  // namespace bindings_salvage_test
