// SPDX-License-Identifier: MIT
// A field whose name is given while the program runs, as the bindings give it: read and written as with any other name.
#include <bankhook_catch.hpp>

#include "../../bindings/place_id.hpp"

#include <bankhook/bankhook.hpp>
#include <bankhook/schema.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

using namespace bankhook;

namespace {

/// A payload in which the place field is called `name`, with `gap` after each colon and comma.
std::string payload(std::string_view name, std::string_view gap = "") {
  const std::vector<std::string_view> parts{R"({"event":)",
                                            R"("initial_transaction_update",)",
                                            R"("eventType":)",
                                            R"("created",)",
                                            R"("customer":)",
                                            R"({"id":)",
                                            R"("m-1",)",
                                            R"("externalId":)",
                                            R"("c-1"},)",
                                            R"("initialTransaction":)",
                                            R"({"id":)",
                                            R"("t-1",)",
                                            R"("amount":)",
                                            "19.90,",
                                            R"("storeExternalId":)",
                                            "null,",
                                            "\"",
                                            name,
                                            R"(":)",
                                            R"("p-1",)",
                                            R"("storeName":)",
                                            R"("Shop",)",
                                            R"("status":)",
                                            R"("created",)",
                                            R"("rejectionReason":)",
                                            "null,",
                                            R"("transactionDate":)",
                                            R"("2026-05-03",)",
                                            R"("transactionId":)",
                                            "null,",
                                            R"("date":)",
                                            R"("2026-05-03T10:15:30Z"}})"};
  std::string text;
  for (const std::string_view part : parts) {
    text += part;
    if (part.ends_with(':') || part.ends_with(',')) text += gap;
  }
  return text;
}

/// Read from memory of just its size, so that a sanitizer sees every byte that is read beyond it.
template <class F>
void with_exact(std::string_view text, F&& f) {
  const auto copy = std::make_unique<char[]>(text.size());
  text.copy(copy.get(), text.size());
  Arena arena;
  f(parse_as<InitialTransactionUpdate>(std::string_view(copy.get(), text.size()), arena));
}

void is_read_and_written_as(std::string_view name) {
  python::set_place_id_name(name);
  for (const std::string_view gap : {"", " ", "\n  "}) {
    const std::string text = payload(name, gap);
    with_exact(text, [&](const auto& event) {
      REQUIRE(event.has_value());
      CHECK(event->initial_transaction.place_id == std::string_view("p-1"));
      CHECK(event->initial_transaction.store_name == std::string_view("Shop"));
      CHECK(serialize(*event) == payload(name));
    });
    CHECK(diagnose(text).empty());
    for (std::size_t size = 0; size < text.size(); ++size)
      with_exact(std::string_view(text).substr(0, size), [](const auto& event) { CHECK_FALSE(event.has_value()); });
  }
  const std::string other = payload("placeIds");
  with_exact(other, [](const auto& event) {
    REQUIRE(event.has_value());
    CHECK_FALSE(event->initial_transaction.place_id.has_value());
  });
}

}  // namespace

TEST_CASE("a field is read and written under the name that it was given last") {
  for (const std::string_view name : {"placeId", "mapPlaceId", "x", "status2", "transactionIx", "storeNam", "größe"}) {
    CAPTURE(name);
    is_read_and_written_as(name);
  }
  is_read_and_written_as(std::string(python::LateName::max_size, 'p'));
}

TEST_CASE("a text of any length fits beside the name, wherever the buffer ends") {
  python::set_place_id_name("mapPlaceId");
  CHECK(serialize(InitialTransaction{.id = "t", .place_id = "p"})
            .starts_with(R"({"id":"t","amount":0,"storeExternalId":null,"mapPlaceId":"p","status":)"));
  for (std::size_t size = 0; size < 600; ++size) {
    const std::string id(size, 'i');
    const std::string text = serialize(InitialTransaction{.id = id, .place_id = id});
    CHECK(text.find(R"("mapPlaceId":")" + id + R"(","status")") != text.npos);
  }
}

TEST_CASE("the rule about the field's presence is stated only once the stand-in has been replaced") {
  detail::place_id_is_named<> = false;
  CHECK(rule_of(RuleId::place_id_exactly_without_store_external_id).evidence == Evidence::assumed);
  CHECK(json_schema<InitialTransaction>().find(R"("required":["storeName"])") != std::string::npos);
  python::set_place_id_name("mapPlaceId");
  CHECK(rule_of(RuleId::place_id_exactly_without_store_external_id).evidence == Evidence::stated);
  CHECK(json_schema<InitialTransaction>().find(R"("required":["mapPlaceId","storeName"])") != std::string::npos);
}
