// SPDX-License-Identifier: MIT
// Wire names: derived from the names in the code, or declared where the rule does not give them.
#include <bankhook_catch.hpp>

#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace reflect_wire_names_test {

namespace reflect = bankhook::detail::reflect;

namespace {

struct Names {
  int id;
  int account_hash;
  int shopping_hub_external_id;
  int delete_;
  int iban_hash;
  int line_2_text;
  static constexpr std::array renamed{bankhook::Renamed{"iban_hash", "IBANHash"}};
};

struct OrderShippedV2 {
  bankhook::TypeTag<OrderShippedV2> event;
};

struct Receipt {};

struct UpdateV12 {};

enum class Answer : std::uint8_t { yes, not_yet, delete_ };

struct Größe {
  bankhook::TypeTag<Größe> event;
  int größe;
  int é_tage;
  int 数;
};
enum class Öffnung : std::uint8_t { ä, für_alle };

}  // namespace

TEST_CASE("a field's wire name is its name in camel case") {
  STATIC_REQUIRE(reflect::wire_name<Names, 0>.view() == "id");
  STATIC_REQUIRE(reflect::wire_name<Names, 1>.view() == "accountHash");
  STATIC_REQUIRE(reflect::wire_name<Names, 2>.view() == "shoppingHubExternalId");
  STATIC_REQUIRE(reflect::wire_name<Names, 5>.view() == "line2Text");
}

TEST_CASE("a name beyond ASCII is whole") {
  STATIC_REQUIRE(reflect::wire_name<Größe, 1>.view() == "größe");
  STATIC_REQUIRE(reflect::wire_name<Größe, 2>.view() == "éTage");
  STATIC_REQUIRE(reflect::wire_name<Größe, 3>.view() == "数");
  STATIC_REQUIRE(reflect::type_name<Größe> == "Größe");
  STATIC_REQUIRE(reflect::enumerator_wire_name<Öffnung, 0>.view() == "ä");
  STATIC_REQUIRE(reflect::enumerator_wire_name<Öffnung, 1>.view() == "fürAlle");
}

TEST_CASE("an underscore at the end, which C++ may need, is not on the wire") {
  STATIC_REQUIRE(reflect::wire_name<Names, 3>.view() == "delete");
  STATIC_REQUIRE(reflect::enumerator_wire_name<Answer, 2>.view() == "delete");
}

TEST_CASE("a name that does not follow the rule is declared beside its struct") {
  STATIC_REQUIRE(reflect::wire_name<Names, 4>.view() == "IBANHash");
}

TEST_CASE("all wire names of a struct stand in its order") {
  STATIC_REQUIRE(reflect::wire_names<Names> == std::array<std::string_view, 6>{"id", "accountHash", "shoppingHubExternalId",
                                                                               "delete", "IBANHash", "line2Text"});
}

TEST_CASE("an enumerator's wire name is its name in camel case, too") {
  STATIC_REQUIRE(reflect::enumerator_texts<Answer> == std::array<std::string_view, 3>{"yes", "notYet", "delete"});
}

TEST_CASE("a type's wire name is its name in snake case, with its version as a part of it") {
  STATIC_REQUIRE(reflect::type_wire_name<OrderShippedV2>.view() == "order_shipped_v2");
  STATIC_REQUIRE(reflect::type_wire_name<Receipt>.view() == "receipt");
  STATIC_REQUIRE(reflect::type_wire_name<UpdateV12>.view() == "update_v12");
}

TEST_CASE("a type tag is the name of its type and nothing else") {
  constexpr OrderShippedV2 order{};
  STATIC_REQUIRE(order.event.text() == "order_shipped_v2");
  STATIC_REQUIRE(order.event == "order_shipped_v2");
  STATIC_REQUIRE(order.event != "order_shipped_v3");
  STATIC_REQUIRE(order.event == OrderShippedV2{}.event);
  STATIC_REQUIRE(std::string_view(order.event).size() == 16);
}

}  // namespace reflect_wire_names_test
